import RestoreInterface
import SceneModel

extension Command {
  static let check = Command(
    summary: "Checks a state, from FILE or standard input, as restore would, and saves nothing.",
    options: [.app, .stale, .exitCode],
    operands: [.optional("FILE")],
    example: "restorectl check --exit-code state.json",
    run: CheckCommand.run
  )
}

private enum CheckCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let stale = try session.invocation.stale
    let state = try StateInput.read(session.operand(0), of: session)
    let answer = try session.call(
      Check.self,
      Check.Parameters(app: session.app, state: JSONObjectText(state.bytes), stale: stale)
    )
    let reply = answer.reply
    if session.notes.columns == nil || session.wantsJSON {
      try StateOutput.print(answer, state: reply.state, dropped: reply.dropped, in: &session)
    } else {
      try session.output.json(reply.state.bytes)
      try session.output.flush()
      try explain(state.bytes, reply, in: &session)
    }
    return session.invocation.has(.exitCode) && !reply.dropped.isEmpty ? .reported : .done
  }

  /// Draws the state as it was sent, with marks, on a standard error that is a terminal.
  private static func explain(
    _ bytes: [UInt8],
    _ reply: Check.Reply,
    in session: inout Session
  ) throws(Failure) {
    // The daemon took it for one, so it is: were it of a newer form, the report alone would have to do.
    guard !session.notes.isQuiet, let state = try? SceneState(validating: bytes, maximumRoutes: .max) else {
      return StateOutput.note(reply.dropped, in: session)
    }
    let review = try StateReview.of(state, dropped: reply.dropped, unverified: reply.unverified, in: &session)
    let keeps = try session.invocation.stale == .keep
    let tree = StateTree(review, word: keeps ? "stale" : "dropped", declaring: session.invocation.which)
    session.notes.text(tree.text(session.notes.style, columns: session.notes.columns))
  }
}
