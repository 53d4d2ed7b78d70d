import CSQLite

/// Scrubbing from the files what was deleted.
extension StoreWriter {
  /// The shortest time until a scrubbing that was prevented is tried again, in milliseconds.
  private static let retryMilliseconds = 5_000
  /// The longest wait for readers that keep the WAL from being emptied, in milliseconds.
  private static let truncateMilliseconds = 500
  /// How long a scrubbing that nobody waits for makes room for commands, in milliseconds: then it goes through.
  private static let giveWayMilliseconds = 60_000
  /// The shortest rest of one that made room, in milliseconds.
  private static let restMilliseconds = 100

  /// Whether anyone waits for a scrubbing.
  package var isErasureAwaited: Bool { transient.erasure.isAwaited }

  func erase(into done: inout Maintenance) {
    let start = options.clock.steady()
    let waiting = transient.erasure.takeWaiting()
    let until = transient.erasure.givesWayUntil ?? start + Self.giveWayMilliseconds
    patience.givesWay = waiting.isEmpty && start < until
    patience.brokenOff = nil
    defer { patience.givesWay = false }
    do throws(SQLiteError) {
      try scrub()
      if transient.erasure.isLate { done.lateErasure = options.clock.steady() - start }
      transient.erasure.isPending = false
      transient.erasure.isLate = false
      transient.erasure.prevented = nil
      transient.erasure.givesWayUntil = nil
      transient.erasure.notBefore = options.clock.steady() + rest(since: start)
      done.erased += waiting.map { ($0.ticket, .success(.forgot(count: $0.count))) }
    } catch {
      note(error)
      if waiting.isEmpty { transient.erasure.givesWayUntil = until }
      if patience.brokenOff == .commands { return makeRoom(since: start) }
      let prevented = patience.brokenOff == .end ? StoreError.stopped(path) : .notYetErased(error, path)
      prevent(prevented, since: start)
      done.faults.append(prevented)
      let failure = StoreError(error, path)
      if failure.code == .damaged { done.faults.append(failure) }
      done.erased += waiting.map { ($0.ticket, .failure(prevented)) }
    }
  }

  /// Has a scrubbing that was broken off for commands begin anew after them.
  private func makeRoom(since start: Int) {
    let now = options.clock.steady()
    transient.erasure.notBefore = now + max(now - start, Self.restMilliseconds)
  }

  private func prevent(_ error: StoreError, since start: Int) {
    transient.erasure.prevented = error
    transient.erasure.isLate = true
    transient.erasure.notBefore = options.clock.steady() + max(rest(since: start), Self.retryMilliseconds)
  }

  /// The rest after a scrubbing, so that forgetting cannot keep others from being served.
  private func rest(since start: Int) -> Int { (options.clock.steady() - start) * options.limits.eraseRest }

  /// Writes the database anew without what was deleted, and empties the WAL.
  ///
  /// `secure_delete` and a truncating checkpoint alone leave stale copies in the gaps of pages. What it is broken off
  /// at is rolled back; on disk it stays noted until all of it is done.
  private func scrub() throws(SQLiteError) {
    try writeAnew()
    try statements.setErasurePending.bind(false)
    try run(statements.setErasurePending)
  }

  private func writeAnew() throws(SQLiteError) {
    aroundErasure(true)
    patience.isErasing = true
    defer {
      patience.isErasing = false
      aroundErasure(false)
    }
    let limit = BreakingOff(connection, by: patience)
    if !transient.erasure.isRewritten { try connection.execute("VACUUM") }
    transient.erasure.isRewritten = true
    options.hooks.inErasure?()
    // Commands wait meanwhile, so readers of other processes are not waited for as long as otherwise.
    try emptyLog(waiting: Self.truncateMilliseconds)
    _ = consume limit
  }
}

extension StoreError {
  fileprivate static func notYetErased(_ error: SQLiteError, _ path: String) -> StoreError {
    let why =
      switch error.primary {
      case SQLITE_BUSY, SQLITE_LOCKED: "another process is reading it; end that one (fuser \(path))"
      case _ where error.isForWantOfSpace: "the disk is full; free as much space as the database takes up"
      default: "\(error.message) (SQLite code \(error.code)); look into the disk"
      }
    return StoreError(
      .notYetErased,
      "deleted, not yet scrubbed from \(path): \(why)",
      remedy: "it is tried again by itself until it is done"
    )
  }

  fileprivate static func stopped(_ path: String) -> StoreError {
    StoreError(
      .notYetErased,
      "deleted, not yet scrubbed from \(path): the daemon was told to stop meanwhile",
      remedy: "the next start of the daemon does it by itself"
    )
  }
}
