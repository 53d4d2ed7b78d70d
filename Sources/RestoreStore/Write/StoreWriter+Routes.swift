import JSONText
import SceneModel

/// Route tables.
extension StoreWriter {
  /// Sets an app's route table.
  ///
  /// A changed one is a new release: the guard of all the app's scenes begins anew. One that takes the place of a damaged
  /// one counts as changed.
  func setRoutes(_ command: WriteCommand, _ table: RouteTable) throws(SQLiteError) -> Step {
    let found = try ledger.app(command.uid, command.app)
    if let found, try isStored(table, found) { return .done(.routesSet(changed: false)) }
    if found == nil, let refusal = try refusesApp(command) { return .refused(refusal) }
    let user = try ledger.user(command.uid)
    let app = if let found { found } else { try ledger.addApp(user, command.app) }
    let number = user.next(now)
    try statements.putRoutes.bind(
      app.key,
      number.revision,
      number.time,
      table.history,
      table.maximumAgeSeconds,
      StoredRoutes.checksum(table.bytes, number.revision)
    )
    try statements.putRoutes.run(lending: table.bytes, at: 7)
    options.hooks.betweenStatements?()
    (app.history, app.maximumAgeSeconds, app.hasRoutes) = (table.history, table.maximumAgeSeconds, true)
    try resetGuards(of: app)
    return .done(.routesSet(changed: true), [change(command, .routes, .routesChanged, number)])
  }

  /// Whether an equal table is stored that is not damaged; it has a checksum then.
  private func isStored(_ table: RouteTable, _ app: AppRecord) throws(SQLiteError) -> Bool {
    guard app.hasRoutes else { return false }
    try statements.routes.bind(app.key)
    guard let stored = try statements.routes.first({ StoredRoutes($0) }), let bytes = stored.bytes,
      isEqual(table, bytes)
    else { return false }
    if !stored.hasChecksum {
      try statements.putRoutesChecksum.bind(app.key, StoredRoutes.checksum(bytes, stored.revision))
      try run(statements.putRoutesChecksum)
    }
    return true
  }

  private func isEqual(_ table: RouteTable, _ stored: [UInt8]) -> Bool {
    if stored == table.bytes { return true }
    guard let document = try? JSONDocument(stored) else { return false }
    return table.document.isEqual(
      table.document.root,
      to: document,
      document.root,
      unorderedPairs: [],
      otherPairs: []
    )
  }

  /// Sets the counts of launches to 0 and frees what is quarantined, without confirming anything.
  private func resetGuards(of app: AppRecord) throws(SQLiteError) {
    try statements.resetLaunches.bind(app.key)
    try run(statements.resetLaunches)
    try statements.removeQuarantines.bind(app.key)
    try run(statements.removeQuarantines)
    try statements.freeConfirmed.bind(app.key)
    try run(statements.freeConfirmed)
    ledger.forgetHeads()
  }

  /// Why a launch is refused for the age of the scene; nil: it is not.
  func refusesAge(_ command: WriteCommand, _ app: AppRecord, _ head: SceneHead) throws(SQLiteError) -> StoreError? {
    guard let seconds = app.maximumAgeSeconds, head.newestSavedAt + seconds * 1_000 < now else { return nil }
    try statements.launchedAt.bind(head.key)
    let launchedAt = try statements.launchedAt.first { $0.optionalInteger(0) } ?? nil
    if let launchedAt, launchedAt + seconds * 1_000 >= now { return nil }
    return .expired(command.app, head.name, savedAt: head.newestSavedAt, seconds: seconds)
  }
}
