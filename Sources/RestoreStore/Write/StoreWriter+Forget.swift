/// Forgetting: the deletion. The scrubbing that must follow is `maintain`'s.
extension StoreWriter {
  func forget(_ command: WriteCommand, _ scene: String) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene) else {
      return sceneNotFound(command, scene)
    }
    let user = try ledger.user(command.uid)
    try remove(head, of: user, app)
    try ledger.count(app, of: command.uid)
    return try erasing(command, user, [.scene(scene)], count: 1)
  }

  func reset(_ command: WriteCommand, keepEntities: Bool) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app) else { return .done(.forgot(count: 0)) }
    let user = try ledger.user(command.uid)
    let scenes = try removeScenes(of: app, user)
    let kinds = keepEntities ? [] : try removeKinds(of: app, user)
    try ledger.count(app, of: command.uid)
    if scenes.isEmpty && kinds.isEmpty { return .done(.forgot(count: 0)) }
    return try erasing(command, user, scenes + kinds, count: scenes.count)
  }

  /// Erases all of a user's apps, their route tables too.
  ///
  /// The user's count stays, so that no number is given twice.
  func forgetUser(_ command: WriteCommand) throws(SQLiteError) -> Step {
    let user = try ledger.user(command.uid)
    try statements.appsOfUser.bind(Int(command.uid))
    let names = try statements.appsOfUser.all { $0.text(0) }
    if names.isEmpty { return .done(.forgot(count: 0)) }
    var count = 0
    var changes: [StoreChange] = []
    for name in names {
      guard let app = try ledger.app(command.uid, name) else { continue }
      let scenes = try removeScenes(of: app, user)
      let kinds = try removeKinds(of: app, user)
      let hadRoutes = app.hasRoutes
      app.hasRoutes = false
      try ledger.count(app, of: command.uid)
      count += scenes.count
      let own = WriteCommand(uid: command.uid, app: name, command.action)
      for subject in scenes + kinds { changes.append(change(own, subject, .forgotten, user.next(now))) }
      if hadRoutes { changes.append(change(own, .routes, .routesChanged, user.next(now))) }
    }
    return try erasing(user, changes, count: count)
  }

  private func removeScenes(of app: AppRecord, _ user: UserRecord) throws(SQLiteError) -> [StoreChange.Subject] {
    try statements.scenesOfApp.bind(app.key)
    let names = try statements.scenesOfApp.all { $0.text(0) }
    for name in names {
      guard let head = try ledger.head(app, name) else { continue }
      try remove(head, of: user, app)
    }
    return names.map { .scene($0) }
  }

  private func removeKinds(of app: AppRecord, _ user: UserRecord) throws(SQLiteError) -> [StoreChange.Subject] {
    try statements.kindsOfApp.bind(app.key)
    var subjects: [StoreChange.Subject] = []
    for name in try statements.kindsOfApp.all({ $0.text(0) }) {
      guard let kind = try ledger.kind(app, name) else { continue }
      try remove(kind, of: user, app)
      subjects.append(.kind(name, key: Int64(kind.key)))
    }
    return subjects
  }

  func forget(_ command: WriteCommand, kind name: String) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let kind = try ledger.kind(app, name) else {
      return .done(.forgot(count: 0))
    }
    let user = try ledger.user(command.uid)
    try remove(kind, of: user, app)
    try ledger.count(app, of: command.uid)
    return try erasing(command, user, [.kind(name, key: Int64(kind.key))], count: kind.count)
  }

  func remove(_ kind: KindRecord, of user: UserRecord, _ app: AppRecord) throws(SQLiteError) {
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
    _ subjects: [StoreChange.Subject],
    count: Int
  ) throws(SQLiteError) -> Step {
    var changes: [StoreChange] = []
    for subject in subjects { changes.append(change(command, subject, .forgotten, user.next(now))) }
    return try erasing(user, changes, count: count)
  }

  private func erasing(_ user: UserRecord, _ changes: [StoreChange], count: Int) throws(SQLiteError) -> Step {
    user.forgotten = user.revision
    if !transient.erasure.isPending {
      try statements.setErasurePending.bind(true)
      try run(statements.setErasurePending)
    }
    return .done(.erasing(transient.erasure.await(count)), changes)
  }
}
