import SceneModel

/// Saving and rolling back.
extension StoreWriter {
  func save(
    _ command: WriteCommand,
    _ scene: String,
    _ content: StateContent,
    ifRevision: Int?,
    autosave: Bool
  ) throws(SQLiteError) -> Step {
    let app = try ledger.app(command.uid, command.app)
    guard let app, let head = try ledger.head(app, scene), let newest = head.newest else {
      return try saveFirst(command, app, scene, content, ifRevision: ifRevision, autosave: autosave)
    }
    if content.hash == head.newestHash, !newest.quarantined, try isStored(content.bytes, head, newest) {
      // Said again on purpose, an autosave is one no longer: the next one does not take its place.
      if !autosave && newest.placedAt != nil { try settle(head, newest) }
      return .done(.saved(SaveOutcome(revision: newest.revision, savedAt: head.newestSavedAt, changed: false)))
    }
    if let ifRevision, ifRevision != newest.revision {
      return .refused(.conflict(command.app, scene, expected: ifRevision, actual: newest.revision))
    }
    let placement = placement(head, app, autosave: autosave)
    if let refusal = try makeRoom(for: content.bytes.count, at: placement, of: command.uid) {
      return .refused(refusal)
    }
    return try append(content, at: placement, to: head, of: command)
  }

  private func saveFirst(
    _ command: WriteCommand,
    _ app: AppRecord?,
    _ scene: String,
    _ content: StateContent,
    ifRevision: Int?,
    autosave: Bool
  ) throws(SQLiteError) -> Step {
    if let ifRevision, ifRevision != 0 {
      return .refused(.conflict(command.app, scene, expected: ifRevision, actual: 0))
    }
    switch try makeScene(command, app, scene, bytes: content.bytes.count) {
    case .failure(let refusal): return .refused(refusal)
    case .success(let (app, head)):
      return try append(
        content,
        at: placement(head, app, autosave: autosave),
        to: head,
        of: command
      )
    }
  }

  /// Makes a scene that is to have its first revision at once, and its app where there is none.
  ///
  /// - Parameter bytes: of its first state.
  /// - Returns: why there may be no such scene; nothing was made then.
  func makeScene(
    _ command: WriteCommand,
    _ app: AppRecord?,
    _ scene: String,
    bytes: Int
  ) throws(SQLiteError) -> Result<(AppRecord, SceneHead), StoreError> {
    if let app, app.scenes >= options.limits.scenes {
      return .failure(
        .limit(
          "scenes",
          options.limits.scenes,
          app.scenes + 1,
          "scenes of app \(command.app), closed ones too",
          remedy: "forget scenes that are no longer needed"
        )
      )
    }
    if app == nil, let refusal = try refusesApp(command) { return .failure(refusal) }
    if let refusal = try makeRoom(for: bytes, of: command.uid) { return .failure(refusal) }
    let user = try ledger.user(command.uid)
    let app = if let app { app } else { try ledger.addApp(user, command.app) }
    let head = try ledger.addScene(app, scene)
    app.scenes += 1
    try ledger.count(app, of: command.uid)
    return .success((app, head))
  }

  /// Why the user may have no further app; nil: there is room.
  func refusesApp(_ command: WriteCommand) throws(SQLiteError) -> StoreError? {
    let count = try ledger.countApps(command.uid)
    if count < options.limits.apps { return nil }
    return .limit(
      "apps",
      options.limits.apps,
      count + 1,
      "apps of one user",
      remedy: "reset apps that are no longer used"
    )
  }

  private func append(
    _ content: StateContent,
    at placement: SceneHead.Placement,
    to head: SceneHead,
    of command: WriteCommand
  ) throws(SQLiteError) -> Step {
    let number = try write(content, at: placement, to: head, of: command)
    return .done(
      .saved(SaveOutcome(revision: number.revision, savedAt: head.newestSavedAt, changed: true)),
      [change(command, .scene(head.name), .saved, number)]
    )
  }

  /// Where the next revision goes.
  private func placement(_ head: SceneHead, _ app: AppRecord, autosave: Bool) -> SceneHead.Placement {
    head.placement(
      history: min(max(app.history ?? options.history, 1), StoreLimits.longestHistory),
      autosave: autosave,
      now: now,
      window: options.limits.autosaveMilliseconds
    )
  }

  /// Writes a new newest revision into its place in the ring, and opens a closed scene.
  ///
  /// - Parameter savedAt: when it was saved, if not now; never earlier than the scene's revision before it.
  func write(
    _ content: StateContent,
    at placement: SceneHead.Placement,
    to head: SceneHead,
    of command: WriteCommand,
    savedAt: Int? = nil
  ) throws(SQLiteError) -> (revision: Int, time: Int) {
    let user = try ledger.user(command.uid)
    let wasDirty = user.isDirty
    let number = user.next(now)
    user.savedAt = number.time
    let savedAt = max(savedAt ?? number.time, head.newestSavedAt)
    try put(content, (number.revision, savedAt), at: head.row(placement.place), placedAt: placement.placedAt)
    options.hooks.betweenStatements?()
    if let replaced = placement.replaced { try leave(replaced, head, user, replaced: true) }
    for slot in placement.leaving { try leave(slot, head, user, replaced: false) }
    user.use(content.bytes.count)
    head.slots.append(
      SceneHead.Slot(
        place: placement.place,
        revision: number.revision,
        size: content.bytes.count,
        placedAt: placement.placedAt
      )
    )
    head.newestHash = content.hash
    head.newestSavedAt = savedAt
    if head.closed { try open(head, number) }
    // Else the row does not have the number's own time.
    if savedAt == number.time { user.noteSave(of: head, wasDirty: wasDirty) }
    return number
  }

  private func put(
    _ content: StateContent,
    _ number: (revision: Int, time: Int),
    at row: Int,
    placedAt: Int?
  ) throws(SQLiteError) {
    // One by one: this is the statement of each save.
    try statements.putRevision.bind(row, at: 1)
    try statements.putRevision.bind(number.revision, at: 2)
    try statements.putRevision.bind(number.time, at: 3)
    try statements.putRevision.bind(placedAt, at: 4)
    try statements.putRevision.bind(Int(truncatingIfNeeded: content.hash), at: 5)
    let checksum = StoredState.checksum(content.bytes, number.revision)
    try statements.putRevision.bind(Int(truncatingIfNeeded: checksum), at: 6)
    try statements.putRevision.bind(content.routes, at: 7)
    try statements.putRevision.run(lending: content.selectedTab, content.bytes, from: 8)
  }

  /// Takes away a revision that is kept no longer; `replaced`: its row has the new one already.
  func leave(
    _ slot: SceneHead.Slot,
    _ head: SceneHead,
    _ user: UserRecord,
    replaced: Bool
  ) throws(SQLiteError) {
    if !replaced {
      try statements.removeRevision.bind(head.row(slot.place))
      try run(statements.removeRevision)
    }
    if slot.confirmed || slot.quarantined {
      try statements.removeMarks.bind(head.key, slot.revision)
      try run(statements.removeMarks)
    }
    head.remove(slot.revision)
    user.use(-slot.size)
  }

  private func settle(_ head: SceneHead, _ newest: SceneHead.Slot) throws(SQLiteError) {
    try statements.settleRevision.bind(head.row(newest.place))
    try run(statements.settleRevision)
    head.slots[head.slots.count - 1].placedAt = nil
  }

  /// Whether the newest revision is this very value.
  ///
  /// Equal hashes alone prove nothing; a damaged revision is equal to none.
  private func isStored(
    _ bytes: [UInt8],
    _ head: SceneHead,
    _ newest: SceneHead.Slot
  ) throws(SQLiteError) -> Bool {
    guard let stored = try stored(head, newest) else { return false }
    if stored.bytes == bytes { return true }
    guard let state = try? SceneState(validating: bytes, maximumRoutes: .max),
      let other = try? SceneState(validating: stored.bytes, maximumRoutes: .max)
    else { return false }
    return state.isSameValue(as: other)
  }

  /// Reads a revision; nil where it is damaged.
  func stored(_ head: SceneHead, _ slot: SceneHead.Slot) throws(SQLiteError) -> StoredState? {
    try statements.state.bind(head.row(slot.place))
    return try statements.state.first { StoredState($0, revision: slot.revision) } ?? nil
  }

  func rollback(_ command: WriteCommand, _ scene: String, _ revision: Int) throws(SQLiteError) -> Step {
    guard let app = try ledger.app(command.uid, command.app), let head = try ledger.head(app, scene),
      let newest = head.newest
    else { return sceneNotFound(command, scene) }
    guard let slot = head.slot(of: revision) else { return .refused(.noRevision(command.app, scene, revision)) }
    guard let old = try stored(head, slot) else {
      return .refused(.unreadable(command.app, scene, revision, in: path))
    }
    var isEqual = slot.revision == newest.revision
    if !isEqual && !newest.quarantined && old.hash == head.newestHash {
      isEqual = try isStored(old.bytes, head, newest)
    }
    let content = StateContent(bytes: old.bytes, hash: old.hash, routes: old.routes, selectedTab: old.selectedTab)
    if !isEqual, let refusal = try makeRoom(for: content.bytes.count, of: command.uid) { return .refused(refusal) }
    try mark(head, revision, confirmed: slot.confirmed, quarantined: false)
    if head.launches != 0 {
      head.launches = 0
      try putGuard(head, launchedAt: nil)
    }
    if isEqual { return .done(.rolledBack(revision: newest.revision)) }
    // Only now: freeing the revision may have changed which others must stay.
    let number = try write(content, at: placement(head, app, autosave: false), to: head, of: command)
    return .done(
      .rolledBack(revision: number.revision),
      [change(command, .scene(scene), .saved, number)]
    )
  }
}

extension StoreError {
  fileprivate static func conflict(_ app: String, _ scene: String, expected: Int, actual: Int) -> StoreError {
    let found = actual == 0 ? "there is no such scene" : "the newest revision is \(actual)"
    return StoreError(
      .revisionConflict,
      "scene \(scene) of app \(app) is not at revision \(expected): \(found)",
      remedy: "restore the scene, and save again with its newest revision"
    ) {
      $0.app = app
      $0.scene = scene
      $0.expected = expected
      $0.actual = actual
    }
  }
}
