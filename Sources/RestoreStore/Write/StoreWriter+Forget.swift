/// Forgetting: the deletion. The scrubbing that must follow is `maintain`'s.
extension StoreWriter {
  func forget(_ command: WriteCommand, _ scene: String) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene) else {
      return sceneNotFound(command, scene)
    }
    let user = try ledger.user(command.uid)
    try remove(head, of: user, app)
    try ledger.count(app, of: command.uid)
    return try erasing(command, user, .scene(scene), count: 1)
  }

  func reset(_ command: WriteCommand, keepEntities: Bool) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app) else { return .done(.forgot(count: 0)) }
    let user = try ledger.user(command.uid)
    try statements.scenesOfApp.bind(app.key)
    let scenes = try statements.scenesOfApp.all { $0.text(0) }
    for name in scenes {
      guard let head = try ledger.head(app, name) else { continue }
      try remove(head, of: user, app)
    }
    var kinds: [String] = []
    if !keepEntities {
      try statements.kindsOfApp.bind(app.key)
      kinds = try statements.kindsOfApp.all { $0.text(0) }
      for name in kinds {
        guard let kind = try ledger.kind(app, name) else { continue }
        try remove(kind, of: user, app)
      }
    }
    try ledger.count(app, of: command.uid)
    if scenes.isEmpty && kinds.isEmpty { return .done(.forgot(count: 0)) }
    return try erasing(command, user, .app(keepEntities: keepEntities), count: scenes.count)
  }

  func forget(_ command: WriteCommand, kind name: String) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let kind = try ledger.kind(app, name) else {
      return .done(.forgot(count: 0))
    }
    let user = try ledger.user(command.uid)
    try remove(kind, of: user, app)
    try ledger.count(app, of: command.uid)
    return try erasing(command, user, .kind(name, key: Int64(kind.key)), count: kind.count)
  }

  private func remove(_ kind: KindRecord, of user: UserRecord, _ app: AppRecord) throws(SQLiteError) {
    try statements.removeEntities.bind(kind.key)
    try run(statements.removeEntities)
    try statements.removeTombstones.bind(kind.key)
    try run(statements.removeTombstones)
    try statements.removeKind.bind(kind.key)
    try run(statements.removeKind)
    transient.syncs[kind.key] = nil
    user.use(-kind.bytes)
    app.kinds -= 1
    ledger.drop(kind)
  }

  /// Remembers, on disk too, that bytes are to be scrubbed, and gives the claim on the answer.
  private func erasing(
    _ command: WriteCommand,
    _ user: UserRecord,
    _ subject: StoreChange.Subject,
    count: Int
  ) throws(SQLiteError) -> Step {
    let number = user.next(now)
    user.forgotten = number.revision
    if !transient.erasure.isPending {
      try statements.setErasurePending.bind(true)
      try run(statements.setErasurePending)
    }
    return .done(
      .erasing(transient.erasure.await(count)),
      [change(command, subject, .forgotten, number)]
    )
  }
}
