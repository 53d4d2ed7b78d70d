import RestoreInterface

extension Command {
  static let entitiesForget = Command(
    summary: "Erases a kind and its ids: it is no longer declared.",
    options: [.app],
    operands: [.one("KIND")],
    example: "restorectl entities forget card",
    run: EntitiesForgetCommand.run
  )
}

private enum EntitiesForgetCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(
      ForgetKind.self,
      ForgetKind.Parameters(app: session.app, kind: session.operand(0) ?? "")
    )
    try session.report(answer, "deleted \(answer.reply.deleted)")
    return .done
  }
}
