import RestoreInterface

extension Command {
  static let reset = Command(
    summary: "Logout: erases every scene of the app, and its entities.",
    options: [.app, .keepEntities],
    example: "restorectl reset --app notes",
    run: ResetCommand.run
  )
}

private enum ResetCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(
      ResetApp.self,
      ResetApp.Parameters(app: session.app, keepEntities: session.invocation.has(.keepEntities) ? true : nil)
    )
    try session.report(answer, "forgot \(Count.text(answer.reply.scenes, "scene")) of \(Shown.text(session.app))")
    return .done
  }
}
