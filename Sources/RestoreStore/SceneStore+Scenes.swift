import SceneModel

extension SceneStore {
  /// Saves a scene's state.
  ///
  /// On return the state is on disk, or was there already: a state that is equal to the newest
  /// revision (the same JSON value, members in any order) makes no new one, whatever `ifRevision` says.
  ///
  /// - Parameters:
  ///   - app: 1 to 255 bytes of UTF-8 without control characters; so is `scene`.
  ///   - scene: made where there is none; a closed one is opened.
  ///   - state: one JSON object, at most `StoreOptions.maximumStateBytes`, kept byte for byte.
  ///   - ifRevision: what the caller takes for the newest revision, 0: no such scene; nil: no condition.
  ///   - autosave: the app saves by itself: one a minute of these stays in the history.
  /// - Throws: `invalidState` with the place, `limitExceeded`, `invalidParameter`,
  ///   `revisionConflict`, `storageFull`: nothing was saved, what was there stays. `storageFailed`:
  ///   unknown until the next call that succeeds.
  @discardableResult
  public func save(
    app: String,
    scene: String,
    state: [UInt8],
    ifRevision: Int? = nil,
    autosave: Bool = false
  ) throws(StoreError) -> SaveOutcome {
    try Self.check(scene, "scene")
    let state = try validate(state)
    let outcome = try perform(
      app,
      .save(scene: scene, state: StateContent(state), ifRevision: ifRevision, autosave: autosave)
    )
    guard case .saved(let saved) = outcome else { throw .unexpected }
    return saved
  }

  /// Gives back a scene's state, with every route that no longer resolves dealt with and reported.
  ///
  /// Changes nothing: when an entity comes back, so does the route.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  ///   - revision: an earlier revision; nil: the newest.
  ///   - stale: what to do with stale routes; nil: what the app's route table says, else leave out just those.
  ///   - expired: restores the scene even when it is older than the app's route table allows; with a revision it is
  ///     restored at any age.
  /// - Throws: `sceneNotFound`, `revisionNotFound`, `sceneExpired`, `storageFailed`.
  public func restore(
    app: String,
    scene: String,
    revision: Int? = nil,
    stale: StalePolicy? = nil,
    expired: Bool = false
  ) throws(StoreError) -> RestoredScene {
    let request = RestoreRequest(
      uid: owner,
      app: app,
      scene: scene,
      revision: revision,
      stale: stale,
      expired: expired
    )
    return try read { (reader, _) throws(StoreError) in try reader.restore(request) }
  }

  /// Checks a state as `restore` would, without saving it: what a running app asks when its model changed under it.
  ///
  /// - Parameters:
  ///   - app: the app whose entities it refers to.
  ///   - state: as for `save`.
  ///   - stale: as for `restore`.
  /// - Throws: `invalidState`, `limitExceeded`, `storageFailed`.
  public func check(app: String, state: [UInt8], stale: StalePolicy? = nil) throws(StoreError) -> CheckedState {
    let state = try validate(state)
    return try read { (reader, _) throws(StoreError) in
      try reader.check(uid: owner, app: app, state: state, stale: stale)
    }
  }

  /// Saves an earlier revision again as the newest.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  ///   - revision: one of those that `revisions` lists.
  /// - Returns: the newest revision, which has its state; no new one where the newest has it already.
  /// - Throws: `sceneNotFound`, `revisionNotFound`, and as `save`.
  @discardableResult
  public func rollback(app: String, scene: String, revision: Int) throws(StoreError) -> Int {
    guard case .rolledBack(let revision) = try perform(app, .rollback(scene: scene, revision: revision)) else {
      throw .unexpected
    }
    return revision
  }

  /// Lists a scene's revisions, newest first.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  /// - Throws: `sceneNotFound`, `storageFailed`.
  public func revisions(app: String, scene: String) throws(StoreError) -> [RevisionSummary] {
    try read { (reader, _) throws(StoreError) in try reader.revisions(uid: owner, app: app, scene: scene) }
  }

  /// Lists scenes, last saved first.
  ///
  /// - Parameters:
  ///   - app: nil: those of all apps.
  ///   - closed: the closed ones instead of the open ones.
  /// - Throws: `storageFailed`.
  public func scenes(app: String? = nil, closed: Bool = false) throws(StoreError) -> [SceneSummary] {
    try read { (reader, _) throws(StoreError) in try reader.scenes(uid: owner, app: app, closed: closed) }
  }

  /// Hides a scene: it is kept and can be restored, but is no longer among the open ones.
  ///
  /// Of an app's closed scenes the 32 closed last are kept. Closing a closed one changes nothing.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  /// - Throws: `sceneNotFound`, `storageFull`, `storageFailed`.
  public func close(app: String, scene: String) throws(StoreError) {
    _ = try perform(app, .closeScene(scene: scene))
  }

  /// Opens a closed scene.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: nil: the one closed last.
  /// - Returns: the scene.
  /// - Throws: `sceneNotFound`, `storageFull`, `storageFailed`.
  @discardableResult
  public func reopen(app: String, scene: String? = nil) throws(StoreError) -> String {
    guard case .reopened(let scene) = try perform(app, .reopenScene(scene: scene)) else { throw .unexpected }
    return scene
  }

  /// Erases a scene and its history: on return no byte of it is in the database or its WAL.
  ///
  /// Writes the whole database anew, so it takes time in proportion to that.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  /// - Throws: `sceneNotFound`; `notYetErased`: deleted, but something kept its bytes from being
  ///   scrubbed, which is tried again with later calls; `storageFull`, `storageFailed`.
  public func forget(app: String, scene: String) throws(StoreError) {
    _ = try perform(app, .forgetScene(scene: scene))
  }

  /// Erases every scene of an app, and its kinds and entities unless they are to be kept; as `forget`.
  ///
  /// - Parameters:
  ///   - app: the app; of one there is not, nothing is erased.
  ///   - keepEntities: its kinds and entities stay.
  /// - Returns: how many scenes there were.
  /// - Throws: `notYetErased`, `storageFull`, `storageFailed`.
  @discardableResult
  public func reset(app: String, keepEntities: Bool = false) throws(StoreError) -> Int {
    guard case .forgot(let count) = try perform(app, .resetApp(keepEntities: keepEntities)) else { throw .unexpected }
    return count
  }

  /// Counts what there is.
  ///
  /// - Throws: `storageFailed`.
  public func status() throws(StoreError) -> StoreStatus {
    try read { (reader, writer) throws(StoreError) in
      try reader.status(uid: owner, problems: writer.problems)
    }
  }

  private func validate(_ state: [UInt8]) throws(StoreError) -> SceneState {
    if state.count > options.maximumStateBytes {
      throw .limit(
        "state",
        options.maximumStateBytes,
        state.count,
        "bytes of the state",
        remedy: "keep large values elsewhere and a reference in the state"
      )
    }
    do throws(StateFault) {
      return try SceneState(validating: state)
    } catch {
      switch error {
      case .invalid(let path, let reason):
        throw StoreError(.invalidState, "the state is wrong at \"\(path)\"", remedy: reason) {
          $0.path = path
          $0.reason = reason
        }
      case .limit(let name, let maximum, let actual):
        throw .limit(name, maximum, actual, "\(name) of the state", remedy: "save less")
      }
    }
  }
}

extension StoreError {
  /// An outcome of another command: a mistake in this target.
  static let unexpected = StoreError(.storageFailed, "the store answered another question", remedy: "report this")
}
