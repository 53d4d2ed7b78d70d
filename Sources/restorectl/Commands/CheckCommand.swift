import RestoreInterface

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
    try StateOutput.print(answer, state: answer.reply.state, dropped: answer.reply.dropped, in: &session)
    return session.invocation.has(.exitCode) && !answer.reply.dropped.isEmpty ? .reported : .done
  }
}
