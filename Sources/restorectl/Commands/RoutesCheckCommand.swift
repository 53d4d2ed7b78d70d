import RestoreInterface

extension Command {
  static let routesCheck = Command(
    summary: "Checks a route table without a daemon (not in this release).",
    operands: [.one("FILE")],
    example: "restorectl routes check routes.json",
    run: RoutesCheckCommand.run
  )
}

private enum RoutesCheckCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let table = try StateInput.read(session.operand(0), of: session)
    throw Failure(
      .noDaemon,
      "\(table.name) is a JSON object, but this release of restorectl cannot check a route table by itself",
      remedy: "the daemon checks it and changes nothing with: restorectl routes set FILE --dry-run"
    )
  }
}
