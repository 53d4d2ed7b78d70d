/// Closing and reopening scenes.
extension StoreWriter {
  func close(_ command: WriteCommand, _ scene: String) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene) else {
      return sceneNotFound(command, scene)
    }
    if head.closed { return .done(.closed) }
    let user = try ledger.user(command.uid)
    let number = user.next(now)
    try turn(head, closed: true, number)
    var changes = [change(command, .scene(scene), .closed, number)]
    try statements.closedBeyond.bind(app.key, options.limits.closedScenes)
    for name in try statements.closedBeyond.all({ $0.text(0) }) {
      guard let old = try ledger.head(app, name) else { continue }
      try remove(old, of: user, app)
      let number = user.next(now)
      user.forgotten = number.revision
      changes.append(change(command, .scene(name), .forgotten, number))
    }
    if changes.count > 1 { try ledger.count(app, of: command.uid) }
    return .done(.closed, changes)
  }

  func reopen(_ command: WriteCommand, _ scene: String?) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app) else { return sceneNotFound(command, scene ?? "") }
    var name = scene
    if name == nil {
      try statements.lastClosed.bind(app.key)
      name = try statements.lastClosed.first { $0.text(0) }
    }
    guard let name, let head = try ledger.head(app, name) else { return sceneNotFound(command, scene ?? "") }
    if !head.closed { return .done(.reopened(scene: name)) }
    let number = try ledger.user(command.uid).next(now)
    try open(head, number)
    return .done(.reopened(scene: name), [change(command, .scene(name), .reopened, number)])
  }

  /// Marks a scene as open from the change with this number on.
  func open(_ head: SceneHead, _ number: (revision: Int, time: Int)) throws(SQLiteError) {
    try turn(head, closed: false, number)
  }

  /// Marks a scene as closed or open from the change with this number on.
  func turn(_ head: SceneHead, closed: Bool, _ number: (revision: Int, time: Int)) throws(SQLiteError) {
    try statements.switchScene.bind(head.key, closed, number.revision, number.time)
    try run(statements.switchScene)
    head.closed = closed
  }

  /// Takes away a scene and its history.
  ///
  /// The caller writes the app's count.
  func remove(_ head: SceneHead, of user: UserRecord, _ app: AppRecord) throws(SQLiteError) {
    try statements.removeRevisions.bind(head.rows.lowerBound, head.rows.upperBound)
    try run(statements.removeRevisions)
    try statements.removeAllMarks.bind(head.key)
    try run(statements.removeAllMarks)
    try statements.removeScene.bind(head.key)
    try run(statements.removeScene)
    user.use(-head.bytes)
    app.scenes -= 1
    ledger.drop(head)
  }
}
