import RestoreInterface

extension Command {
  static let reopen = Command(
    summary: "Reopens a closed scene, the one closed last where none is named, and prints which.",
    options: [.scene, .app],
    optionSummaries: [
      .scene: "the scene (else $RESTORECTL_SCENE, else the one closed last)"
    ],
    example: "restorectl reopen",
    run: ReopenCommand.run
  )
}

private enum ReopenCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let scene = session.invocation.value(.scene) ?? Environment.value("RESTORECTL_SCENE")
    let answer = try session.call(ReopenScene.self, ReopenScene.Parameters(app: session.app, scene: scene))
    try session.report(answer, "reopened \(Shown.text(answer.reply.scene))")
    return .done
  }
}
