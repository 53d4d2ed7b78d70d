import RestoreInterface

extension Command {
  static let routesSet = Command(
    summary:
      "Sets the app's route table, from FILE or standard input (-), and counts what it does to the scenes saved already.",
    options: [.app, .dryRun],
    operands: [.one("FILE")],
    example: "restorectl routes set routes.json --dry-run",
    run: RoutesSetCommand.run
  )
}

private enum RoutesSetCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let table = try StateInput.read(session.operand(0), as: "a route table", of: session)
    let isDry = session.invocation.has(.dryRun)
    let answer = try session.call(
      SetRoutes.self,
      SetRoutes.Parameters(app: session.app, table: JSONObjectText(table.bytes), dryRun: isDry ? true : nil)
    )
    let reply = answer.reply
    let done = isDry ? (reply.changed ? "would change" : "would not change") : reply.changed ? "changed" : "unchanged"
    let counts = "renamed \(reply.renamed), unknown \(reply.unknown), stale \(reply.stale)"
    try session.report(answer, "\(done); \(Count.text(reply.scenes, "scene")): \(counts)")
    return .done
  }
}
