import SceneModel

/// Taking records that an export gave.
extension StoreWriter {
  /// Revisions that an imported scene may have: the longest history and those that are kept beside it.
  ///
  /// No fewer are kept by the app's own `history` before its next save: what was exported comes in whole.
  private static let importedRevisions = StoreLimits.longestHistory + 5

  func importRecords(_ command: WriteCommand, _ source: RecordSource, replace: Bool) throws(SQLiteError) -> Step {
    // What is in memory of the commands before is on disk then, so that it can be forgotten below.
    try ledger.flushUsers()
    let before = transient
    try connection.execute("SAVEPOINT import")
    var changes = ImportedChanges()
    if let refusal = try take(command, source, replace: replace, &changes) {
      // The commands before it in the transaction stay. https://sqlite.org/lang_savepoint.html
      try connection.execute("ROLLBACK TO import")
      try connection.execute("RELEASE import")
      ledger.clear()
      transient = before
      return .refused(refusal)
    }
    try connection.execute("RELEASE import")
    return .done(.imported(records: source.count), changes.inOrder)
  }

  private func take(
    _ command: WriteCommand,
    _ source: RecordSource,
    replace: Bool,
    _ changes: inout ImportedChanges
  ) throws(SQLiteError) -> StoreError? {
    var index = 0
    while index < source.count {
      let refusal: StoreError?
      switch source.record(index) {
      case .failure(let fault): return fault
      case .success(.state(let first)):
        let run = [first] + rest(of: first, from: index + 1, source)
        refusal = try take(run, at: index, command, replace: replace, &changes)
        index += run.count
      case .success(.entities(let app, let kind, let version, let ids)):
        let own = WriteCommand(uid: command.uid, app: app, command.action)
        refusal = try take(ids, of: kind, version, own, &changes)
        index += 1
      case .success(.routes(let app, let table)):
        let own = WriteCommand(uid: command.uid, app: app, command.action)
        switch try setRoutes(own, table) {
        case .refused(let fault): refusal = fault
        case .done(_, let made):
          changes.add(made)
          refusal = nil
        }
        index += 1
      }
      if let refusal { return refusal }
    }
    return nil
  }

  /// The records from `index` on that go on with the scene of `first`.
  private func rest(of first: ImportedState, from index: Int, _ source: RecordSource) -> [ImportedState] {
    var run: [ImportedState] = []
    while index + run.count < source.count {
      guard case .success(.state(let next)) = source.record(index + run.count), !next.isFirst,
        ExactName(next.app) == ExactName(first.app), ExactName(next.scene) == ExactName(first.scene)
      else { break }
      run.append(next)
    }
    return run
  }

  // MARK: Scenes

  /// Takes revisions of one scene, the oldest first.
  private func take(
    _ run: [ImportedState],
    at index: Int,
    _ command: WriteCommand,
    replace: Bool,
    _ changes: inout ImportedChanges
  ) throws(SQLiteError) -> StoreError? {
    let own = WriteCommand(uid: command.uid, app: run[0].app, command.action)
    let app = try ledger.app(own.uid, own.app)
    var head: SceneHead?
    if let app { head = try ledger.head(app, run[0].scene) }
    if let there = head, let app {
      if run[0].isFirst {
        guard replace else { return .sceneIsThere(index, run[0]) }
        try giveWay(there, of: app, own, &changes)
        head = nil
      } else if try isTaken(run, there) {
        return nil
      }
    }
    for state in run {
      let bytes = state.content.bytes.count
      if let head {
        if let refusal = try makeRoom(for: bytes, of: own.uid) { return refusal }
        try append(state, to: head, own, &changes)
      } else {
        switch try makeScene(own, app, state.scene, bytes: bytes) {
        case .failure(let refusal): return refusal
        case .success(let (_, made)):
          head = made
          try append(state, to: made, own, &changes)
        }
      }
    }
    return nil
  }

  /// Whether the scene's newest revisions are these very ones: the call was taken before, and its reply was lost.
  private func isTaken(_ run: [ImportedState], _ head: SceneHead) throws(SQLiteError) -> Bool {
    guard head.slots.count >= run.count else { return false }
    for (state, slot) in zip(run.reversed(), head.slots.reversed()) {
      guard slot.size == state.content.bytes.count, let stored = try stored(head, slot),
        stored.savedAt == state.savedAt ?? stored.savedAt, stored.bytes == state.content.bytes
      else { return false }
    }
    return true
  }

  private func append(
    _ state: ImportedState,
    to head: SceneHead,
    _ own: WriteCommand,
    _ changes: inout ImportedChanges
  ) throws(SQLiteError) {
    let placement = head.placement(history: Self.importedRevisions, autosave: false, now: now, window: 0)
    let number = try write(state.content, at: placement, to: head, of: own, savedAt: state.savedAt)
    if state.isConfirmed { try mark(head, number.revision, confirmed: true, quarantined: false) }
    changes.add([change(own, .scene(head.name), .saved, number)])
    guard let closedAt = state.closedAt else { return }
    let closing = try ledger.user(own.uid).next(now)
    // No older closed scene is deleted for it: an import takes nothing away that it is not told to.
    try turn(head, closed: true, (closing.revision, closedAt))
    changes.add([change(own, .scene(head.name), .closed, closing)])
  }

  /// Takes a scene away that is replaced; its bytes are scrubbed from the files later.
  private func giveWay(
    _ head: SceneHead,
    of app: AppRecord,
    _ own: WriteCommand,
    _ changes: inout ImportedChanges
  ) throws(SQLiteError) {
    let user = try ledger.user(own.uid)
    try remove(head, of: user, app)
    let number = user.next(now)
    user.forgotten = number.revision
    changes.add([change(own, .scene(head.name), .forgotten, number)])
    guard !transient.erasure.isPending else { return transient.erasure.begin() }
    transient.erasure.begin()
    try statements.setErasurePending.bind(true)
    try run(statements.setErasurePending)
  }

  // MARK: Entities

  private func take(
    _ ids: [EntityID],
    of name: String,
    _ version: String?,
    _ own: WriteCommand,
    _ changes: inout ImportedChanges
  ) throws(SQLiteError) -> StoreError? {
    let found = try ledger.app(own.uid, own.app)
    if let refusal = try refusesKind(own, found, name) { return refusal }
    if let refusal = try makeRoom(for: ids, of: own, found, name) { return refusal }
    let user = try ledger.user(own.uid)
    let kind = try makeKind(own, found, name, user)
    let isImports = transient.imports.isAlone(kind)
    let added = try insert(ids, into: kind, user, plainly: true)
    let declares = !kind.declared
    kind.declared = true
    let before = kind.version
    if isImports {
      kind.version = version
      transient.imports.note(kind)
    } else if added > 0, version == nil || version != before {
      // Ids of two models, or of none that is known: only without a mark will the app put that right.
      kind.version = nil
    }
    guard added > 0 || declares || kind.version != before else { return nil }
    changes.add([try entitiesChanged(own, kind, user, declared: declares)])
    return nil
  }
}

extension StoreError {
  fileprivate static func sceneIsThere(_ index: Int, _ state: ImportedState) -> StoreError {
    .invalidRecord(index, "app \(state.app) has a scene \(state.scene) already, and the record begins one")
  }
}
