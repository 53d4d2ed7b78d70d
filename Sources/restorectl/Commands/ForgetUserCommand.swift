import RestoreInterface

extension Command {
  static let forgetUser = Command(
    summary: "Erases all that a user owns; for root, of a daemon that serves all users.",
    operands: [.one("UID")],
    example: "restorectl forget-user 1001",
    run: ForgetUserCommand.run
  )
}

private enum ForgetUserCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let uid = try Invocation.number(session.operand(0) ?? "", of: "UID")
    let answer = try session.call(ForgetUser.self, ForgetUser.Parameters(uid: uid))
    try session.report(answer, "forgot \(Count.text(answer.reply.scenes, "scene")) of user \(uid)")
    return .done
  }
}
