import JSONText
import RestoreInterface
import SceneModel

extension Command {
  static let save = Command(
    summary: "Saves a scene's state, from FILE or standard input, and prints its revision.",
    options: [.scene, .app, .ifRevision, .autosave, .allowEmpty],
    operands: [.optional("FILE")],
    example: #"echo '{"stacks":{"boards":["home"]}}' | restorectl save --scene main"#,
    run: SaveCommand.run
  )
}

private enum SaveCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let ifRevision = try session.invocation.number(.ifRevision)
    let state = try StateInput.read(session.operand(0), of: session)
    if !session.invocation.has(.allowEmpty) { try refuseEmpty(state, session.invocation.which) }
    let answer = try session.call(
      Save.self,
      Save.Parameters(
        app: session.app,
        scene: session.scene,
        state: JSONObjectText(state.bytes),
        ifRevision: ifRevision,
        autosave: session.invocation.has(.autosave) ? true : nil
      )
    )
    try session.report(answer, "revision \(answer.reply.revision)")
    return .done
  }

  /// A producer that failed must not empty a session.
  private static func refuseEmpty(_ state: StateInput, _ which: Which) throws(Failure) {
    // What is no state at all is for the daemon to refuse, with its own reasons.
    guard let checked = try? SceneState(validating: state.bytes), checked.namesNothing else { return }
    throw Failure(
      .input,
      "\(state.name): the state names no tab, route, modal or value; nothing was saved",
      remedy: "if that is meant, add --allow-empty; to erase the scene: restorectl forget\(which.scene)"
    )
  }
}
