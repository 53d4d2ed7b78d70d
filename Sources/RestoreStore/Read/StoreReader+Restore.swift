import SceneModel

/// Restoring.
extension StoreReader {
  /// A restore that came to an end: the scene, or why there is none.
  private typealias Found = Result<RestoredScene, StoreError>

  /// Gives back a scene's state, with every route that no longer resolves dealt with and reported.
  ///
  /// Changes nothing. A revision whose checksum does not hold is passed over for the one before it,
  /// and the damage is reported in `faults`, unless it was asked for by number.
  ///
  /// - Throws: `sceneNotFound`, `revisionNotFound`, `sceneExpired`; `storageFailed` where no revision can be read;
  ///   what SQLite reports.
  package func restore(_ request: RestoreRequest) throws(StoreError) -> RestoredScene {
    try reading { () throws(SQLiteError) in try find(request) }.get()
  }

  private func find(_ request: RestoreRequest) throws(SQLiteError) -> Found {
    guard let known = try place(request.uid, request.app, request.scene) else { return noScene(request) }
    if request.revision == nil || request.revision == known.newest,
      let state = try readable(known.row, known.newest)
    {
      return try restored(state, known.newest, savedAt: known.savedAt, request, known, faults: [])
    }
    // What was remembered may be behind what this transaction sees: a commit whose changes are not applied yet.
    forget(request.uid, request.app, request.scene)
    guard let place = try place(request.uid, request.app, request.scene) else { return noScene(request) }
    guard let revision = request.revision else { return try findNewest(request, place) }
    guard let old = try revisions(of: place.scene).first(where: { $0.revision == revision }) else {
      return .failure(.noRevision(request.app, request.scene, revision))
    }
    guard let state = try readable(old.row, revision) else {
      return .failure(.unreadable(request.app, request.scene, revision, in: path))
    }
    return try restored(state, revision, savedAt: old.savedAt, request, place, faults: [])
  }

  private func noScene(_ request: RestoreRequest) -> Found {
    .failure(.noScene(request.app, request.scene))
  }

  /// The newest revision that is not damaged, and what is to be said of those that are.
  private func findNewest(_ request: RestoreRequest, _ place: Place) throws(SQLiteError) -> Found {
    var faults: [String] = []
    for candidate in try revisions(of: place.scene) {
      if let state = try readable(candidate.row, candidate.revision) {
        return try restored(
          state,
          candidate.revision,
          savedAt: candidate.savedAt,
          request,
          place,
          faults: faults
        )
      }
      faults.append(StoreError.damage(request.app, request.scene, candidate.revision, in: path))
    }
    return .failure(.unreadable(request.app, request.scene, place.newest, in: path))
  }

  /// A revision whose checksum holds and whose bytes are a state.
  func readable(_ row: Int, _ revision: Int) throws(SQLiteError) -> SceneState? {
    guard let stored = try stored(row, revision) else { return nil }
    return try? SceneState(validating: stored.bytes, maximumRoutes: .max)
  }

  /// A revision whose checksum holds.
  func stored(_ row: Int, _ revision: Int) throws(SQLiteError) -> StoredState? {
    try statements.state.bind(row)
    return try statements.state.first { StoredState($0, revision: revision) } ?? nil
  }

  private func restored(
    _ state: SceneState,
    _ revision: Int,
    savedAt: Int,
    _ request: RestoreRequest,
    _ place: Place,
    faults: [String]
  ) throws(SQLiteError) -> Found {
    let routes = try routes(request.uid, request.app)
    let expiresAt = try expiry(of: place, routes, request)
    if let expiresAt, expiresAt < clock.wall() {
      let seconds = routes.table?.maximumAgeSeconds ?? 0
      return .failure(.expired(request.app, request.scene, savedAt: place.savedAt, seconds: seconds))
    }
    var lookup = try StoredEntities(self, uid: request.uid, app: request.app)
    let restoration = try state.restoration(stale: request.stale, rules: routes.rules, lookup: &lookup)
    return .success(
      RestoredScene(
        state: restoration.state,
        revision: revision,
        newest: place.newest,
        savedAt: savedAt,
        dropped: restoration.dropped,
        emptied: restoration.emptied,
        unverified: restoration.unverified,
        faults: faults + (routes.fault.map { [$0] } ?? []),
        asked: lookup.asked,
        askedUndeclared: lookup.askedUndeclared,
        expiresAt: expiresAt
      )
    )
  }

  /// When the scene expires, by the wall clock; nil: it does not, or was asked for all the same.
  private func expiry(of place: Place, _ routes: AppRoutes, _ request: RestoreRequest) throws(SQLiteError) -> Int? {
    guard request.revision == nil, !request.expired, let seconds = routes.table?.maximumAgeSeconds else { return nil }
    let bySave = place.savedAt + seconds * 1_000
    if bySave >= clock.wall() { return bySave }
    try statements.launchedAt.bind(place.scene)
    let launchedAt = try statements.launchedAt.first { $0.optionalInteger(0) } ?? nil
    return max(bySave, launchedAt.map { $0 + seconds * 1_000 } ?? bySave)
  }

  /// Whether the entity table answers now what it answered to a restore.
  ///
  /// That a kind was declared or forgotten since is not looked at: those changes make an answer stale by themselves.
  ///
  /// - Returns: false also where more was asked than is kept.
  /// - Throws: what SQLite reports.
  package func confirms(_ asked: EntityAnswers) throws(StoreError) -> Bool {
    guard let answers = asked.answers else { return false }
    for kind in asked.kinds where syncing.contains(kind.key) != kind.isSyncing { return false }
    return try reading { () throws(SQLiteError) in
      var declared: [Int64: Bool] = [:]
      for answer in answers where try exists(answer.id, in: answer.kind, &declared) != answer.exists { return false }
      return true
    }
  }

  /// Whether an entity is there.
  ///
  /// Of a kind that was forgotten a moment ago nothing is missing: nothing is known any more.
  ///
  /// - Parameter declared: whether kinds are declared in what this transaction sees, which may be ahead of the changes
  ///   that were applied; filled as they are asked for.
  func exists(_ id: EntityID, in kind: Int64, _ declared: inout [Int64: Bool]) throws(SQLiteError) -> Bool {
    try statements.hasEntity.bind(Int(kind), id)
    if try statements.hasEntity.first({ _ in true }) ?? false { return true }
    if let known = declared[kind] { return !known }
    try statements.isDeclared.bind(Int(kind))
    let isDeclared = try statements.isDeclared.first { _ in true } ?? false
    declared[kind] = isDeclared
    return !isDeclared
  }

  /// Restores what a launch was served, from the bytes that its outcome holds.
  ///
  /// Not from the database: a later commit may have taken the revision away already.
  ///
  /// - Throws: `storageFailed` where the bytes are no state; what SQLite reports.
  package func restore(
    _ launch: LaunchOutcome,
    uid: UInt32,
    app: String,
    scene: String,
    stale: StalePolicy?
  ) throws(StoreError) -> CheckedState {
    guard let state = try? SceneState(validating: launch.state, maximumRoutes: .max) else {
      throw .unreadable(app, scene, launch.revision, in: path)
    }
    return try check(uid: uid, app: app, state: state, stale: stale)
  }

  /// Checks a state of the caller's own as a restore would, without saving it.
  ///
  /// - Throws: what SQLite reports.
  package func check(
    uid: UInt32,
    app: String,
    state: SceneState,
    stale: StalePolicy?
  ) throws(StoreError) -> CheckedState {
    try reading { () throws(SQLiteError) in
      let rules = try routes(uid, app).rules
      var lookup = try StoredEntities(self, uid: uid, app: app)
      let restoration = try state.restoration(stale: stale, rules: rules, lookup: &lookup)
      return CheckedState(
        state: restoration.state,
        dropped: restoration.dropped,
        emptied: restoration.emptied,
        unverified: restoration.unverified
      )
    }
  }
}
