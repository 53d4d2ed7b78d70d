import RestoreInterface

extension Command {
  static let close = Command(
    summary: "Closes a scene: it is kept, out of the list of scenes.",
    options: [.scene, .app],
    example: "restorectl close --scene window-2",
    run: CloseCommand.run
  )
}

private enum CloseCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(CloseScene.self, CloseScene.Parameters(app: session.app, scene: session.scene))
    try session.report(answer, "closed \(Shown.text(session.scene))")
    return .done
  }
}
