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
  /// - Throws: `sceneNotFound`, `revisionNotFound`; `storageFailed` where no revision can be read;
  ///   what SQLite reports.
  package func restore(_ request: RestoreRequest) throws(StoreError) -> RestoredScene {
    try reading { () throws(SQLiteError) in try find(request) }.get()
  }

  private func find(_ request: RestoreRequest) throws(SQLiteError) -> Found {
    guard let place = try place(request.uid, request.app, request.scene) else {
      return .failure(.noScene(request.app, request.scene))
    }
    if let revision = request.revision, revision != place.newest {
      guard let old = try revisions(of: place.scene).first(where: { $0.revision == revision }) else {
        return .failure(.noRevision(request.app, request.scene, revision))
      }
      let state = try readable(old.row, revision)
      return try restored(state, old.revision, savedAt: old.savedAt, request, place, faults: [])
    }
    if let state = try readable(place.row, place.newest) {
      return try restored(state, place.newest, savedAt: place.savedAt, request, place, faults: [])
    }
    return try findOlder(request, place)
  }

  /// The newest revision is damaged: the newest one that is not, unless that very one was asked for.
  private func findOlder(_ request: RestoreRequest, _ place: Place) throws(SQLiteError) -> Found {
    var faults: [String] = []
    for older in try revisions(of: place.scene) where request.revision == nil {
      if let state = try readable(older.row, older.revision) {
        return try restored(state, older.revision, savedAt: older.savedAt, request, place, faults: faults)
      }
      faults.append(StoreError.damage(request.app, request.scene, older.revision, in: path))
    }
    return .failure(.unreadable(request.app, request.scene, place.newest, in: path))
  }

  /// A revision whose checksum holds and whose bytes are a state.
  private func readable(_ row: Int, _ revision: Int) throws(SQLiteError) -> SceneState? {
    try statements.state.bind(row)
    guard let stored = try statements.state.first({ StoredState($0, revision: revision) }) ?? nil else { return nil }
    return try? SceneState(validating: stored.bytes, maximumRoutes: .max)
  }

  private func restored(
    _ state: SceneState?,
    _ revision: Int,
    savedAt: Int,
    _ request: RestoreRequest,
    _ place: Place,
    faults: [String]
  ) throws(SQLiteError) -> Found {
    guard let state else { return .failure(.unreadable(request.app, request.scene, revision, in: path)) }
    var lookup = try StoredEntities(self, uid: request.uid, app: request.app)
    let restoration = try state.restoration(stale: request.stale, rules: .byConvention, lookup: &lookup)
    return .success(
      RestoredScene(
        state: restoration.state,
        revision: revision,
        newest: place.newest,
        savedAt: savedAt,
        dropped: restoration.dropped,
        emptied: restoration.emptied,
        unverified: restoration.unverified,
        faults: faults,
        kinds: lookup.consulted,
        askedUndeclared: lookup.askedUndeclared
      )
    )
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
      var lookup = try StoredEntities(self, uid: uid, app: app)
      let restoration = try state.restoration(stale: stale, rules: .byConvention, lookup: &lookup)
      return CheckedState(
        state: restoration.state,
        dropped: restoration.dropped,
        emptied: restoration.emptied,
        unverified: restoration.unverified
      )
    }
  }
}
