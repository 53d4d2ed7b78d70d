import SceneModel

/// Replacing all ids of a kind.
extension StoreWriter {
  /// The sync of a kind that has not lapsed.
  func runningSync(_ kind: KindRecord) -> Sync? {
    guard let sync = transient.syncs[kind.key], sync.deadline > options.clock.steady() else { return nil }
    return sync
  }

  func beginSync(_ command: WriteCommand, _ name: String) throws(SQLiteError) -> Step {
    let found = try ledger.app(command.uid, command.app)
    if let refusal = try refusesKind(command, found, name) { return .refused(refusal) }
    let user = try ledger.user(command.uid)
    let kind = try makeKind(command, found, name, user)
    kind.generation += 1
    try ledger.put(kind, change: nil)
    options.hooks.betweenStatements?()
    try statements.removeTombstones.bind(kind.key)
    try run(statements.removeTombstones)
    let sync = Sync(
      uid: command.uid,
      app: command.app,
      kind: name,
      key: kind.key,
      generation: kind.generation,
      deadline: options.clock.steady() + options.limits.syncMilliseconds
    )
    transient.syncs[kind.key] = sync
    return .done(.syncBegan(sync: sync.name), [sync.change(true)])
  }

  func put(
    _ command: WriteCommand,
    _ name: String,
    _ ids: [EntityID],
    inSync sync: String,
    _ version: String?
  ) throws(SQLiteError) -> Step {
    if let refusal = refuses(ids) { return .refused(refusal) }
    guard let (kind, _) = try running(command, sync), ExactName(kind.name) == ExactName(name) else {
      return .refused(.noSync(sync))
    }
    let app = try ledger.app(command.uid, command.app)
    if let refusal = try makeRoom(for: ids, of: command, app, name) { return .refused(refusal) }
    let user = try ledger.user(command.uid)
    let added = try insert(ids, into: kind, user, plainly: false)
    transient.syncs[kind.key]?.deadline = options.clock.steady() + options.limits.syncMilliseconds
    transient.syncs[kind.key]?.added += added
    // Not the kind's yet: if the sync is never ended, the ids are not that model's.
    if let version { transient.syncs[kind.key]?.version = version }
    if added == 0 { return .done(.put(added: 0)) }
    return .done(.put(added: added), [try entitiesChanged(command, kind, user, declared: false)])
  }

  func endSync(_ command: WriteCommand, _ name: String, _ version: String?) throws(SQLiteError) -> Step {
    guard let (kind, sync) = try running(command, name) else { return .refused(.noSync(name)) }
    let user = try ledger.user(command.uid)
    try statements.unmarked.bind(kind.key, kind.generation)
    let swept = try statements.unmarked.first { (count: $0.integer(0), bytes: $0.integer(1)) }
    if let swept, swept.count > 0 {
      try statements.removeUnmarked.bind(kind.key, kind.generation)
      try run(statements.removeUnmarked)
      kind.count -= swept.count
      kind.bytes -= swept.bytes
      user.use(-swept.bytes)
    }
    try statements.removeTombstones.bind(kind.key)
    try run(statements.removeTombstones)
    transient.syncs[kind.key] = nil
    let declares = !kind.declared
    kind.declared = true
    // The ids are this model's now. Without a mark of it there is none: the one before would be wrong.
    kind.version = version ?? sync.version
    let change = try entitiesChanged(command, kind, user, declared: declares)
    let outcome = SyncOutcome(added: sync.added, deleted: swept?.count ?? 0, count: kind.count)
    return .done(.syncEnded(outcome), [change])
  }

  /// The running sync of this name, and its kind, where both are the caller's.
  private func running(_ command: WriteCommand, _ name: String) throws(SQLiteError) -> (KindRecord, Sync)? {
    guard let (key, generation) = Sync.parts(of: name), let sync = transient.syncs[key],
      sync.generation == generation, sync.deadline > options.clock.steady(), sync.uid == command.uid,
      ExactName(sync.app) == ExactName(command.app), let kind = try ledger.kind(key: key)
    else { return nil }
    return (kind, sync)
  }
}
