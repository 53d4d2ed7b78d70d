import RestoreInterface
import SceneModel

extension Command {
  static let show = Command(
    summary: "Shows a scene's tabs and stacks as a tree; each reference is marked present, missing or unchecked.",
    options: [.scene, .app, .revision],
    example: "restorectl show --scene main",
    run: ShowCommand.run
  )
}

private enum ShowCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(
      Restore.self,
      Restore.Parameters(
        app: session.app,
        scene: session.scene,
        revision: try session.invocation.number(.revision),
        stale: .keep,
        expired: true
      )
    )
    if try session.printsJSON(answer) { return .done }
    let reply = answer.reply
    let review = try StateReview.of(
      try Self.state(reply.state, from: session),
      dropped: reply.dropped,
      unverified: reply.unverified,
      in: &session
    )
    let newest = reply.newest == reply.revision ? ", the newest" : " (newest: \(reply.newest))"
    try session.output.line(
      "scene \(Shown.text(session.scene)) of app \(Shown.text(session.app)), revision \(reply.revision)\(newest)"
        + ", saved \(Shown.text(Time.relative(reply.savedAt)))"
    )
    try session.output.text(
      StateTree(review, declaring: session.invocation.which).text(session.output.style, columns: session.output.columns)
    )
    return .done
  }

  private static func state(_ text: JSONObjectText, from session: borrowing Session) throws(Failure) -> SceneState {
    do {
      return try SceneState(validating: Array(text.bytes), maximumRoutes: .max)
    } catch {
      throw ReplyFailure.broken("a state that is none: \(error)", socket: session.socket, session.invocation.which)
    }
  }
}
