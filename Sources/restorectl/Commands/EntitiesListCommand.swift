import RestoreInterface

extension Command {
  static let entitiesList = Command(
    summary: "Prints a kind's ids, one a line.",
    options: [.app],
    operands: [.one("KIND")],
    example: "restorectl entities list card",
    run: EntitiesListCommand.run
  )
}

private enum EntitiesListCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    var after: String?
    repeat {
      let answer = try session.call(
        ListEntities.self,
        ListEntities.Parameters(app: session.app, kind: session.operand(0) ?? "", after: after)
      )
      if try !session.printsJSON(answer) {
        for id in answer.reply.ids { try session.output.line(session.output.isTerminal ? Shown.text(id) : id) }
      }
      guard answer.reply.next != after || after == nil else {
        throw ReplyFailure.broken(
          "the page after \(Shown.quoted(after ?? "")) leads to itself",
          socket: session.socket,
          session.invocation.which
        )
      }
      after = answer.reply.next
    } while after != nil
    return .done
  }
}
