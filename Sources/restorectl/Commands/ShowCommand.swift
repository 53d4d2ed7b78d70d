import JSONText
import RestoreInterface
import SceneModel

extension Command {
  static let show = Command(
    summary: "Shows a scene's tabs and stacks as a tree, with what is missing.",
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
    try session.output.line(
      "scene \(Shown.text(session.scene)) of app \(Shown.text(session.app)), revision \(reply.revision)"
        + (reply.newest == reply.revision ? "" : " (newest: \(reply.newest))")
        + ", saved \(Shown.text(Time.relative(reply.savedAt)))"
    )
    let tree: StateTree
    do {
      tree = StateTree(try JSONDocument(Array(reply.state.bytes), maximumDepth: Daemon.deepestReply), reply.dropped)
    } catch {
      throw ReplyFailure.broken(error.sentence, socket: session.socket)
    }
    for line in tree.lines { try session.output.line(line) }
    if !reply.unverified.isEmpty {
      session.notes.note(
        "not checked, since not declared or in a sync: \(Shown.text(reply.unverified.joined(separator: ", ")))"
      )
    }
    return .done
  }
}
