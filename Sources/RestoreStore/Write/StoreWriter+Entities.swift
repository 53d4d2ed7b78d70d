import SceneModel

/// Adding and deleting entities outside a sync's own calls.
extension StoreWriter {
  func put(
    _ command: WriteCommand,
    _ name: String,
    _ ids: [EntityID],
    _ version: String?
  ) throws(SQLiteError) -> Step {
    if let refusal = refuses(ids) { return .refused(refusal) }
    let found = try ledger.app(command.uid, command.app)
    if let refusal = try refusesKind(command, found, name) { return .refused(refusal) }
    if let refusal = try makeRoom(for: ids, of: command, found, name) { return .refused(refusal) }
    let user = try ledger.user(command.uid)
    let kind = try makeKind(command, found, name, user)
    let added = try insert(ids, into: kind, user, plainly: true)
    let declares = !kind.declared
    let newVersion = version.map { $0 != kind.version } ?? false
    guard added > 0 || declares || newVersion else { return .done(.put(added: 0)) }
    kind.declared = true
    if let version { kind.version = version }
    let change = try entitiesChanged(command, kind, user, declared: declares, touching: ids)
    return .done(.put(added: added), [change])
  }

  func delete(
    _ command: WriteCommand,
    _ name: String,
    _ ids: [EntityID],
    _ version: String?
  ) throws(SQLiteError) -> Step {
    if let refusal = refuses(ids) { return .refused(refusal) }
    guard let app = try ledger.app(command.uid, command.app), let kind = try ledger.kind(app, name) else {
      return .done(.deleted(0))
    }
    let user = try ledger.user(command.uid)
    let isSyncing = runningSync(kind) != nil
    var deleted = 0
    for id in ids {
      try statements.removeEntity.bind(kind.key, id)
      try run(statements.removeEntity)
      if statements.removeEntity.changes > 0 {
        deleted += 1
        count(id, in: kind, user, -1)
      }
      // Also of one that is not there: the sync may have read it before it was deleted, and put it after.
      if isSyncing {
        try statements.addTombstone.bind(kind.key, id)
        try run(statements.addTombstone)
        transient.syncs[kind.key]?.tombstoneBytes += id.storedBytes
      }
    }
    let lapse = try lapseIfCrowded(kind)
    let newVersion = kind.declared && (version.map { $0 != kind.version } ?? false)
    guard deleted > 0 || newVersion else { return .done(.deleted(0), lapse) }
    if newVersion { kind.version = version }
    let change = try entitiesChanged(command, kind, user, declared: false, touching: ids)
    return .done(.deleted(deleted), lapse + [change])
  }

  /// Ends a sync during which more was deleted than is kept in mind.
  private func lapseIfCrowded(_ kind: KindRecord) throws(SQLiteError) -> [StoreChange] {
    guard let sync = transient.syncs[kind.key], sync.tombstoneBytes > Sync.tombstoneMaximum else { return [] }
    transient.syncs[kind.key] = nil
    try statements.removeTombstones.bind(kind.key)
    try run(statements.removeTombstones)
    return [sync.change(false)]
  }

  // MARK: What puts share

  /// Inserts ids that are not there, and marks all as put since the running sync began, if one is.
  ///
  /// - Parameter plainly: outside a sync's own calls, so that an id deleted since it began comes back.
  /// - Returns: how many were not there.
  func insert(
    _ ids: [EntityID],
    into kind: KindRecord,
    _ user: UserRecord,
    plainly: Bool
  ) throws(SQLiteError) -> Int {
    let sync = runningSync(kind)
    let isSyncing = sync != nil
    // Most syncs run while nothing is deleted: a look-up for each of a million ids would be for nothing.
    let hasTombstones = sync.map { $0.tombstoneBytes > 0 } ?? false
    var added = 0
    for id in ids {
      if hasTombstones, try staysDeleted(id, kind, plainly: plainly) { continue }
      try statements.addEntity.bind(kind.key, id, kind.generation)
      try run(statements.addEntity)
      if statements.addEntity.changes > 0 {
        added += 1
        count(id, in: kind, user, 1)
      } else if isSyncing {
        try statements.markEntity.bind(kind.key, id, kind.generation)
        try run(statements.markEntity)
      }
    }
    return added
  }

  /// Whether the id was deleted since the sync began, and is not put plainly, which ends that.
  private func staysDeleted(_ id: EntityID, _ kind: KindRecord, plainly: Bool) throws(SQLiteError) -> Bool {
    if plainly {
      try statements.removeTombstone.bind(kind.key, id)
      try run(statements.removeTombstone)
      return false
    }
    try statements.isTombstone.bind(kind.key, id)
    return try statements.isTombstone.first { _ in true } ?? false
  }

  private func count(_ id: EntityID, in kind: KindRecord, _ user: UserRecord, _ sign: Int) {
    kind.count += sign
    kind.bytes += sign * id.storedBytes
    user.use(sign * id.storedBytes)
  }

  /// Ids that a change tells of at most: beyond it there is no telling what it touched.
  private static let toldMaximum = 64

  /// Writes a kind that changed in a way that others see, under the next number.
  ///
  /// - Parameter ids: those that were added or deleted; nil: nobody knows.
  func entitiesChanged(
    _ command: WriteCommand,
    _ kind: KindRecord,
    _ user: UserRecord,
    declared: Bool,
    touching ids: [EntityID]? = nil
  ) throws(SQLiteError) -> StoreChange {
    let number = user.next(now)
    try ledger.put(kind, change: number)
    options.hooks.betweenStatements?()
    let isSyncing = runningSync(kind) != nil
    let type = StoreChange.Kind.entitiesChanged(declared: declared, syncing: isSyncing)
    var change = change(command, .kind(kind.name, key: Int64(kind.key)), type, number)
    if let ids, ids.count <= Self.toldMaximum, !isSyncing { change.touched = ids }
    return change
  }

  func refuses(_ ids: [EntityID]) -> StoreError? {
    if ids.count <= options.limits.ids { return nil }
    return .limit("ids", options.limits.ids, ids.count, "ids in one call", remedy: "put them in several calls")
  }

  /// Why the app may have no kind of this name; nil: it has it, or there is room.
  func refusesKind(_ command: WriteCommand, _ app: AppRecord?, _ name: String) throws(SQLiteError) -> StoreError? {
    guard let app else { return try refusesApp(command) }
    if app.kinds < options.limits.kinds { return nil }
    if try ledger.kind(app, name) != nil { return nil }
    try removeLapsedKinds(of: app, command)
    if app.kinds < options.limits.kinds { return nil }
    return .limit(
      "kinds",
      options.limits.kinds,
      app.kinds + 1,
      "kinds of app \(command.app)",
      remedy: "forget kinds that are no longer needed"
    )
  }

  /// Takes away the kinds that a sync made which then lapsed: nobody sees them in a list, and they have no ids.
  private func removeLapsedKinds(of app: AppRecord, _ command: WriteCommand) throws(SQLiteError) {
    try statements.kindsOfApp.bind(app.key)
    for name in try statements.kindsOfApp.all({ $0.text(0) }) {
      guard let kind = try ledger.kind(app, name), !kind.declared, kind.count == 0, runningSync(kind) == nil
      else { continue }
      try remove(kind, of: try ledger.user(command.uid), app)
    }
    // The app stays, even with nothing in it: a kind is about to be made.
    try statements.countInApp.bind(app.key, app.scenes, app.kinds)
    try run(statements.countInApp)
  }

  /// The kind, made where there is none; it is not declared by that.
  func makeKind(
    _ command: WriteCommand,
    _ found: AppRecord?,
    _ name: String,
    _ user: UserRecord
  ) throws(SQLiteError) -> KindRecord {
    let app = if let found { found } else { try ledger.addApp(user, command.app) }
    if let kind = try ledger.kind(app, name) { return kind }
    let kind = try ledger.addKind(app, name)
    app.kinds += 1
    try ledger.count(app, of: command.uid)
    options.hooks.betweenStatements?()
    return kind
  }
}
