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
    let checkpoint = log.isDue ? 0 : log.retryAt
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
    _ = files.look()
    for (kind, sync) in transient.syncs where sync.deadline <= time {
      transient.syncs[kind] = nil
      done.changes.append(sync.change(false))
    }
    let checkpointIsDue = log.isDue || log.retryAt.map { $0 <= time } ?? false
    if checkpointIsDue, let fault = checkpoint() { done.faults.append(fault) }
    if transient.erasure.isPending && (hurried || transient.erasure.notBefore <= time) { erase(into: &done) }
    return done
  }

  /// What is not as it should be, as far as the last commit or maintenance met it: one sentence each with what to do;
  /// empty as a rule.
  package var problems: [String] {
    [transient.erasure.prevented, log.fault, files.fault].compactMap { $0?.description }
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
      let failure = StoreError(error, path)
      if failure.code == .damaged { done.faults.append(failure) }
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
    try emptyLog(waiting: Self.truncateMilliseconds)
    try statements.setErasurePending.bind(false)
    try run(statements.setErasurePending)
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
}
