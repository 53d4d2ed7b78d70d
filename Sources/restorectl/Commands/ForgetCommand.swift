import RestoreInterface

extension Command {
  static let forget = Command(
    summary: "Erases a scene and its history.",
    options: [.scene, .app],
    example: "restorectl forget --scene window-2",
    run: ForgetCommand.run
  )
}

private enum ForgetCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(ForgetScene.self, ForgetScene.Parameters(app: session.app, scene: session.scene))
    try session.report(answer, "forgot \(Shown.text(session.scene))")
    return .done
  }
}
