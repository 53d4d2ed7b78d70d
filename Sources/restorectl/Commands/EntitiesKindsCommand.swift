import RestoreInterface

extension Command {
  static let entitiesKinds = Command(
    summary: "Lists the kinds that the app has declared.",
    options: [.app],
    example: "restorectl entities kinds --app notes",
    run: EntitiesKindsCommand.run
  )
}

private enum EntitiesKindsCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(ListKinds.self, ListKinds.Parameters(app: session.app))
    if try session.printsJSON(answer) { return .done }
    guard !answer.reply.kinds.isEmpty else {
      session.notes.note("app \(Shown.quoted(session.app)) has declared no kind at \(Shown.text(session.socket))")
      return .done
    }
    var table = Table([
      .left("KIND", .cuts), .right("COUNT"), .left("VERSION", .cuts, leaves: 1), .left("SYNC"),
    ])
    for kind in answer.reply.kinds {
      table.add([kind.kind, "\(kind.count)", kind.version ?? "-", kind.syncing ? "under way" : ""])
    }
    try session.output.table(table)
    return .done
  }
}
