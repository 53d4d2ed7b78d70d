import RestoreInterface

extension Command {
  static let link = Command(
    summary: "Prints the state that a link leads to, checked as restore checks. Saves nothing.",
    options: [.app],
    operands: [.one("URL")],
    example: "restorectl link myapp://board/7",
    run: LinkCommand.run
  )
}

private enum LinkCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(
      ResolveLink.self,
      ResolveLink.Parameters(app: session.app, url: session.operand(0) ?? "")
    )
    try StateOutput.print(answer, state: answer.reply.state, dropped: answer.reply.dropped, in: &session)
    return .done
  }
}
