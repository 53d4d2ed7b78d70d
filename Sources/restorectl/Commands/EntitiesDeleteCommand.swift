import RestoreInterface

extension Command {
  static let entitiesDelete = Command(
    summary: "Deletes entities, ids as arguments or one a line on standard input.",
    options: [.app, .null],
    operands: [.one("KIND"), .any("ID")],
    example: "restorectl entities delete card c2",
    run: EntitiesDeleteCommand.run
  )
}

private enum EntitiesDeleteCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let app = session.app
    let kind = session.operand(0) ?? ""
    var batches = try session.idsFromArgumentsOrInput()
    var calls = EntityCalls(DeleteEntities.self) {
      DeleteEntities.Parameters(app: app, kind: kind, ids: $0)
    } counted: {
      $0.deleted
    }
    try calls.sendAll(&batches, in: &session)
    try session.report(DeleteEntities.Reply(deleted: calls.total).encoded, "deleted \(calls.total)")
    if calls.total == 0 { session.noteIfUndeclared(kind) }
    return .done
  }
}
