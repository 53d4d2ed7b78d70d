import RestoreInterface

extension Command {
  static let confirm = Command(
    summary: "Says that the app showed what its last launch was served, or revision N, and lived.",
    options: [.scene, .app, .revision],
    optionSummaries: [
      .revision: "revision N, not what the last launch was served"
    ],
    example: "restorectl confirm --scene main",
    run: ConfirmCommand.run
  )
}

private enum ConfirmCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(
      Confirm.self,
      Confirm.Parameters(
        app: session.app,
        scene: session.scene,
        revision: try session.invocation.number(.revision)
      )
    )
    try session.report(answer, "revision \(answer.reply.revision)")
    return .done
  }
}
