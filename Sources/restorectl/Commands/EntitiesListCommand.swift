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
    let kind = session.operand(0) ?? ""
    var after: String?
    var isEmpty = true
    repeat {
      let answer = try session.call(
        ListEntities.self,
        ListEntities.Parameters(app: session.app, kind: kind, after: after)
      )
      if try !session.printsJSON(answer) {
        for id in answer.reply.ids { try session.output.line(session.output.isTerminal ? Shown.text(id) : id) }
      }
      isEmpty = isEmpty && answer.reply.ids.isEmpty
      guard answer.reply.next != after || after == nil else {
        throw ReplyFailure.broken(
          "the page after \(Shown.quoted(after ?? "")) leads to itself",
          socket: session.socket,
          session.invocation.which
        )
      }
      after = answer.reply.next
    } while after != nil
    if isEmpty { session.noteIfUndeclared(kind) }
    return .done
  }
}
