import RestoreInterface

extension SceneHandle {
  /// Saves a state: it is on disk when this returns.
  ///
  /// Saves of one scene happen one after the other, in the order of the calls; what was queued before is overtaken. A
  /// state that is equal to the newest revision makes no new one. Where the daemon was started anew meanwhile the save
  /// is made once all the same.
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
    let overtaken = client.queue.take(self)
    do throws(RestoreError) {
      let text = try StateCoding.encode(state)
      let revision = try await client.lanes.run(id) { () async throws(RestoreError) in
        var exchange = SaveExchange(self, text, ifRevision: ifRevision, autosave: autosave)
        return try await exchange.run()
      }
      client.queue.note(nil, self)
      return revision
    } catch {
      if let overtaken { client.queue.putBack(overtaken, of: self) }
      throw error
    }
  }

  /// Takes a state to be saved soon, and returns at once.
  ///
  /// Of a scene's queued states the newest is saved, `delay` after the first one came, in the background; a burst is
  /// one save. While the daemon cannot be reached, or its disk is full, the newest waits and is tried again. What waits
  /// is saved when the process exits, at `flush()`, and is overtaken by `save`; it is dropped when the scene is closed
  /// or forgotten, or the app is reset.
  ///
  /// Costs the caller a few microseconds at most: the state is copied as a value, and encoded elsewhere.
  ///
  /// - Parameters:
  ///   - state: as for `save`.
  ///   - autosave: as for `save`.
  ///   - delay: how long it may wait for newer ones, at most.
  public func enqueue(
    _ state: some Encodable & Sendable,
    autosave: Bool = true,
    after delay: Duration = .milliseconds(100)
  ) {
    client.queue.add(QueuedSave(state: state, autosave: autosave), of: self, after: delay)
  }

  /// Saves what is queued for the scene now: what was queued before the call is on disk when this returns.
  ///
  /// - Throws: why it could not be saved, also where that was found before; what can be saved later is still queued.
  public func flush() async throws(RestoreError) {
    try await client.queue.save(self)
    if let failure = client.queue.failure(of: self) { throw failure }
  }
}

extension SceneClient {
  /// Saves what is queued for all scenes, in the order in which they were queued.
  ///
  /// - Throws: the first failure, once all were tried; what can be saved later is still queued.
  public func flush() async throws(RestoreError) { try await queue.flush() }
}
