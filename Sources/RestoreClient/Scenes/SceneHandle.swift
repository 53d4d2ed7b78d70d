import RestoreInterface

/// One scene of an app.
public struct SceneHandle: Sendable {
  /// The client that it belongs to.
  public let client: SceneClient
  /// The scene's id.
  public let id: String

  var caller: Caller { client.caller }
  var address: SceneAddress { SceneAddress(app: client.app, scene: id) }

  /// Gives back what was saved, without the routes that no longer resolve.
  ///
  /// - Parameters:
  ///   - launch: whether the app is about to show it: this arms the guard, so follow it with `confirm()` once the app
  ///     has shown it and lived. The fourth launch without a confirm is served an older state.
  ///   - stale: what to do with stale routes; nil: what the route table says, else drop them.
  ///   - expired: restores also what is older than the route table allows.
  /// - Returns: nil where nothing was ever saved: the first start is no error.
  /// - Throws: `sceneExpired`, `undecodable`, and as every call.
  public func restore<State: Decodable & Sendable>(
    _: State.Type = State.self,
    launch: Bool = false,
    stale: StalePolicy? = nil,
    expired: Bool = false
  ) async throws(RestoreError) -> Restored<State>? {
    do throws(RestoreError) {
      guard launch else { return try await restore(State.self, revision: nil, stale: stale, expired: expired) }
      let parameters = Launch.Parameters(app: client.app, scene: id, stale: stale, expired: expired)
      let reply = try await caller.call(Launch.self, parameters)
      client.known[id] = reply.newest
      return Restored(try StateCoding.decode(State.self, reply.state, revision: reply.revision), reply)
    } catch {
      guard case .sceneNotFound = error else { throw error }
      client.known[id] = 0
      return nil
    }
  }

  /// Gives back one revision of the scene's history, at any age, quarantined or not.
  ///
  /// - Throws: `revisionNotFound`, `sceneNotFound`, `undecodable`, and as every call.
  public func restore<State: Decodable & Sendable>(
    _: State.Type = State.self,
    revision: Int,
    stale: StalePolicy? = nil
  ) async throws(RestoreError) -> Restored<State> {
    try await restore(State.self, revision: revision, stale: stale, expired: true)
  }

  private func restore<State: Decodable & Sendable>(
    _: State.Type,
    revision: Int?,
    stale: StalePolicy?,
    expired: Bool
  ) async throws(RestoreError) -> Restored<State> {
    let parameters = Restore.Parameters(
      app: client.app,
      scene: id,
      revision: revision,
      stale: stale,
      expired: expired ? true : nil
    )
    let reply = try await caller.call(Restore.self, parameters)
    client.known[id] = reply.newest
    return Restored(try StateCoding.decode(State.self, reply.state, revision: reply.revision), reply)
  }

  /// Says that the app showed what it was launched with, and lived.
  ///
  /// - Parameter revision: the revision that was shown; nil: what the last launch was served.
  /// - Throws: `sceneNotFound`, `revisionNotFound`, and as every call.
  public func confirm(_ revision: Int? = nil) async throws(RestoreError) {
    _ = try await caller.call(Confirm.self, .init(app: client.app, scene: id, revision: revision))
  }

  /// A person closed the window: the scene is kept, and no longer among the open ones.
  ///
  /// What is queued for it is dropped, and a save under way ends first. A scene that was never saved is no error.
  ///
  /// - Throws: as every call; what is queued stays queued then, for the scene is still open.
  public func close() async throws(RestoreError) {
    try await client.lanes.run(id) { () async throws(RestoreError) in
      do throws(RestoreError) { _ = try await caller.call(CloseScene.self, address) } catch {
        guard case .sceneNotFound = error else { throw error }
      }
      // No save of the scene can be under way: one that came now would open it again.
      _ = client.queue.take(self)
      client.queue.note(nil, self)
    }
  }

  /// Opens the scene again where it was closed.
  ///
  /// - Throws: `sceneNotFound`, and as every call.
  public func reopen() async throws(RestoreError) {
    try await client.lanes.run(id) { () async throws(RestoreError) in
      _ = try await caller.call(ReopenScene.self, .init(app: client.app, scene: id))
    }
  }

  /// Erases the scene and its history: on return no byte of it is left in the daemon's files.
  ///
  /// What is queued for it is dropped. A scene that is not there is no error.
  ///
  /// - Throws: as every call.
  public func forget() async throws(RestoreError) {
    try await ending { () async throws(RestoreError) in
      _ = try await caller.call(ForgetScene.self, address)
    }
  }

  /// Does what ends a scene, where there is one, and drops what is queued for it.
  private func ending(_ body: () async throws(RestoreError) -> Void) async throws(RestoreError) {
    try await client.queue.dropping(self) { () async throws(RestoreError) in
      try await client.lanes.run(id) { () async throws(RestoreError) in
        do throws(RestoreError) { try await body() } catch {
          guard case .sceneNotFound = error else { throw error }
        }
      }
    }
  }

  // MARK: History

  /// Lists what the scene's history holds, newest first.
  ///
  /// - Throws: `sceneNotFound`, and as every call.
  public func history() async throws(RestoreError) -> [RevisionInfo] {
    try await caller.call(ListRevisions.self, address).revisions.map(RevisionInfo.init)
  }

  /// Saves an earlier revision again as the newest; what is queued is saved before.
  ///
  /// - Returns: the newest revision, which has its state.
  /// - Throws: `revisionNotFound`, `sceneNotFound`, and as every call.
  @discardableResult
  public func rollback(to revision: Int) async throws(RestoreError) -> Int {
    try await client.lanes.run(id) { () async throws(RestoreError) in
      try await client.queue.saveNow(self)
      let asked = Rollback.Parameters(app: client.app, scene: id, revision: revision)
      return try await caller.call(Rollback.self, asked).revision
    }
  }
}
