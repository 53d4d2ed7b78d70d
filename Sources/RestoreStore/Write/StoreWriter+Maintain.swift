import CSQLite

/// What is to be done without being asked: checkpoints, scrubbing, syncs that lapse.
extension StoreWriter {
  /// The shortest time until a scrubbing that was prevented is tried again, in milliseconds.
  private static let retryMilliseconds = 5_000
  /// The longest wait for readers that keep the WAL from being emptied, in milliseconds.
  private static let truncateMilliseconds = 500

  /// When `maintain` is due, on the steady clock of `StoreOptions.clock`, in milliseconds; nil: nothing is.
  ///
  /// A time that has passed means: at once, but after the results of the last `perform` were passed on.
  package var maintenanceDue: Int? {
    let lapse = transient.syncs.values.map(\.deadline).min()
    let erasure = transient.erasure.isPending ? transient.erasure.notBefore : nil
    let checkpoint = checkpointIsDue ? 0 : nil
    return [lapse, erasure, checkpoint].compactMap { $0 }.min()
  }

  /// Does what is due.
  ///
  /// Blocks on the disk: a scrubbing writes the whole database anew, which is why the next one
  /// starts no sooner than ten times what the last one took.
  ///
  /// - Parameter hurried: scrubs now, however soon after the last one.
  /// - Returns: the outcomes of the erasures that were waited for, and what others must hear of.
  package func maintain(hurried: Bool = false) -> Maintenance {
    var done = Maintenance()
    let time = options.clock.steady()
    for (kind, sync) in transient.syncs where sync.deadline <= time {
      transient.syncs[kind] = nil
      done.changes.append(sync.change(false))
    }
    if checkpointIsDue, let fault = checkpoint() { done.faults.append(fault) }
    if transient.erasure.isPending && (hurried || transient.erasure.notBefore <= time) { erase(into: &done) }
    return done
  }

  /// What is not as it should be, one sentence each with what to do; empty as a rule.
  package var problems: [String] {
    [transient.erasure.prevented, files.fault].compactMap { $0?.description }
  }

  /// Moves what it can from the WAL into the database; never waits for readers.
  func checkpoint() -> StoreError? {
    checkpointIsDue = false
    options.hooks.inCheckpoint?()
    defer { options.hooks.inCheckpoint?() }
    do throws(SQLiteError) {
      try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
      return nil
    } catch {
      // Busy: a reader or another checkpoint is in the way; the next commit asks again.
      return error.primary == SQLITE_BUSY ? nil : StoreError(error, path)
    }
  }

  private func erase(into done: inout Maintenance) {
    let start = options.clock.steady()
    let waiting = transient.erasure.takeWaiting()
    do throws(SQLiteError) {
      try scrub()
      transient.erasure.isPending = false
      transient.erasure.prevented = nil
      done.erased += waiting.map { ($0.ticket, .success(.forgot(count: $0.count))) }
    } catch {
      let prevented = StoreError.notYetErased(error, path)
      transient.erasure.prevented = prevented
      done.faults.append(prevented)
      done.erased += waiting.map { ($0.ticket, .failure(prevented)) }
    }
    let end = options.clock.steady()
    let rest = (end - start) * options.limits.eraseRest
    transient.erasure.notBefore =
      end + (transient.erasure.prevented == nil ? rest : max(rest, Self.retryMilliseconds))
  }

  /// Writes the database anew without what was deleted, and empties the WAL.
  ///
  /// `secure_delete` and a truncating checkpoint alone leave stale copies in the gaps of pages.
  private func scrub() throws(SQLiteError) {
    if !transient.erasure.isRewritten { try connection.execute("VACUUM") }
    transient.erasure.isRewritten = true
    options.hooks.inErasure?()
    // Commands wait meanwhile, so readers of other processes are not waited for as long as otherwise.
    sqlite3_busy_timeout(
      connection.database,
      Int32(min(Self.truncateMilliseconds, options.limits.busyMilliseconds))
    )
    defer { sqlite3_busy_timeout(connection.database, Int32(options.limits.busyMilliseconds)) }
    try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    connection.walWasEmptied()
    try statements.setErasurePending.bind(false)
    try run(statements.setErasurePending)
  }
}

extension StoreError {
  fileprivate static func notYetErased(_ error: SQLiteError, _ path: String) -> StoreError {
    let why =
      switch error.primary {
      case SQLITE_BUSY, SQLITE_LOCKED: "another process is reading it; end that one (fuser \(path))"
      case SQLITE_FULL: "the disk is full; free as much space as the database takes up"
      default: "\(error.message) (SQLite code \(error.code)); look into the disk"
      }
    return StoreError(
      .notYetErased,
      "deleted, not yet scrubbed from \(path): \(why)",
      remedy: "it is tried again by itself until it is done"
    )
  }
}
