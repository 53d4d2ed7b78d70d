import RestoreInterface

extension Command {
  static let routesShow = Command(
    summary: "Prints the app's route table as it was set.",
    options: [.app],
    example: "restorectl routes show --app notes",
    run: RoutesShowCommand.run
  )
}

private enum RoutesShowCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(GetRoutes.self, GetRoutes.Parameters(app: session.app))
    if try session.printsJSON(answer) { return .done }
    guard let table = answer.reply.table else {
      throw Failure(
        .absent,
        "app \(Shown.quoted(session.app)) has no route table (at \(Shown.text(session.socket)))",
        remedy: "one is set by: restorectl routes set\(session.invocation.which.app) FILE"
      )
    }
    try session.output.json(table.bytes)
    return .done
  }
}
