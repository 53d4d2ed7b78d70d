import RestoreInterface

extension SceneHandle {
  /// Saves a state: it is on disk when this returns.
  ///
  /// Saves of one scene happen one after the other, in the order of the calls. A state that is equal to the newest
  /// revision makes no new one. Where the daemon was started anew meanwhile the save is made once all the same.
  ///
  /// - Parameters:
  ///   - state: encoded by `JSONEncoder`, off the caller's actor; at most 1 MiB, and of the form in `docs/STATE.md`.
  ///   - ifRevision: saves only over that newest revision, `Restored.newest`; 0: only where there is no such scene;
  ///     nil: over any.
  ///   - autosave: whether the app saves by itself: one a minute of these stays in the history.
  /// - Returns: the scene's newest revision, which has this state.
  /// - Throws: `revisionConflict`, `invalidState`, `limitExceeded`, `quotaExceeded`, `storageFull`: nothing was saved.
  ///   `storageFailed`, `timedOut`, `unavailable`, `cancelled`: unknown; an equal save again does no harm.
  @discardableResult
  public func save(
    _ state: some Encodable & Sendable,
    ifRevision: Int? = nil,
    autosave: Bool = false
  ) async throws(RestoreError) -> Int {
    let text = try StateCoding.encode(state)
    return try await client.lanes.run(id) { () async throws(RestoreError) in
      try await SaveExchange(self, text, ifRevision: ifRevision, autosave: autosave).run()
    }
  }
}
