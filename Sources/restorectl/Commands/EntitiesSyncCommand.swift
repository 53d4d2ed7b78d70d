import RestoreInterface

extension Command {
  static let entitiesSync = Command(
    summary: "Replaces all ids of a kind by those in FILE or on standard input, one a line.",
    options: [.app, .modelVersion, .allowEmpty, .null],
    operands: [.one("KIND"), .optional("FILE")],
    example: "sqlite3 app.db 'SELECT id FROM card' | restorectl entities sync card --version 42",
    run: EntitiesSyncCommand.run
  )
}

private enum EntitiesSyncCommand {
  /// Well under the 10 minutes without a call after which a sync lapses.
  private static let keepAlive: Int32 = 60_000

  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let app = session.app
    let kind = session.operand(0) ?? ""
    var batches = IDBatches(try Input(path: session.operand(1)), of: session)
    // The sync begins once there are ids, so that a producer that fails at once leaves everything as it was.
    var next = try batches.next()
    if case .end = next, !session.invocation.has(.allowEmpty) {
      throw Failure(
        .input,
        "there is no id to sync kind \(Shown.quoted(kind)) with; nothing was changed",
        remedy: "if the kind is to be empty, add --allow-empty"
      )
    }
    let sync = try session.call(BeginSync.self, BeginSync.Parameters(app: app, kind: kind)).reply.sync
    var calls = EntityCalls(PutEntities.self) {
      PutEntities.Parameters(app: app, kind: kind, ids: $0, sync: sync)
    } counted: {
      $0.added
    }
    try put(&next, &batches, &calls, &session)
    let answer = try session.call(
      EndSync.self,
      EndSync.Parameters(app: app, sync: sync, version: session.invocation.value(.modelVersion))
    )
    let reply = answer.reply
    try session.report(answer, "added \(reply.added), deleted \(reply.deleted), now \(reply.count)")
    return .done
  }

  private static func put(
    _ next: inout IDBatches.Next,
    _ batches: inout IDBatches,
    _ calls: inout EntityCalls<PutEntities>,
    _ session: inout Session
  ) throws(Failure) {
    do {
      while true {
        switch next {
        case .batch(let batch): try calls.send(batch, in: &session)
        case .idle(let batch):
          // Also with no ids: a producer that is slow must not let the sync lapse.
          try calls.send(batch, in: &session)
          try calls.finish(in: &session)
        case .end: return try calls.finish(in: &session)
        }
        next = try batches.next(idle: keepAlive)
      }
    } catch {
      throw Failure(
        error.exit,
        "\(error.what); the sync was given up, nothing was taken away",
        remedy: error.remedy,
        json: error.json
      )
    }
  }
}
