import CSQLite

/// The write-ahead log: kept small, and told the truth about after a disk that failed.
extension StoreWriter {
  /// What is known of the log.
  struct LogUpkeep {
    /// Whether it grew past its bound since the last checkpoint.
    var isDue = false
    /// When a checkpoint is made that was prevented, or put off for the rest after the last one, on the steady clock; nil:
    /// none was.
    var retryAt: Int?
    /// Until when the last checkpoint is rested from.
    var restUntil = Int.min
    /// Why the last checkpoint failed; nil: it did not.
    var fault: StoreError?
    /// Pages that the last checkpoint left in it; 0: it may be written from its beginning again.
    var heldPages = 0
    /// Whether its name is certainly on the disk: SQLite makes the file anew at each start, and lets a sync of the
    /// folder fail.
    var isNamed = false
    /// Whether a recovery was given up that may have left a successor of this database.
    var mayHaveSuccessor = false
    /// Whether a sync failed since it was last written whole, in this process or in one before it that was killed.
    ///
    /// The kernel tells of a write that failed once, and takes the page for written from then on: the next sync
    /// succeeds, and the bytes are on no disk.
    var isSuspect = true
  }

  /// The shortest time until a checkpoint that was prevented is tried again without being asked, in milliseconds.
  private static let retryMilliseconds = 5_000
  /// Bytes that a checkpoint syncs at once: more than it moves as a rule.
  private static let pieceBytes = 32 << 20

  /// Takes notice of a commit.
  func noteCommit() {
    let pages = connection.pagesInWAL
    guard pages >= options.limits.checkpointPages, !isFailing else { return }
    if pages >= options.limits.fullLogPages || log.restUntil <= options.clock.steady() {
      log.isDue = true
    } else {
      log.retryAt = min(log.retryAt ?? .max, log.restUntil)
    }
  }

  /// Whether checkpoints fail, so that the next one has to wait for its time.
  ///
  /// One that a reader keeps from coming to its end does not: it costs nothing, and may come further at any time.
  var isFailing: Bool { log.fault.map { $0.code != .logHeld } ?? false }

  /// Moves what it can from the log into the database; never waits for readers.
  ///
  /// - Returns: what is to be told: a fault, or that a reader keeps the log from being emptied; each once.
  func checkpoint() -> StoreError? {
    log.isDue = false
    log.retryAt = nil
    options.hooks.inCheckpoint?()
    defer { options.hooks.inCheckpoint?() }
    let before = log.fault
    patience.givesWay = false
    patience.brokenOff = nil
    do throws(SQLiteError) {
      try rewriteSuspectLog()
      let pages = try movePages()
      log.fault = nil
      log.restUntil = options.clock.steady() + options.limits.checkpointRest
      try settle(pages)
    } catch {
      if patience.brokenOff != nil {
        retryLater()
        return nil
      }
      // Busy: another checkpoint is under way; the next commit asks again.
      if error.primary == SQLITE_BUSY { return nil }
      note(error)
      log.fault = StoreError(checkpoint: error, path)
      log.heldPages = connection.pagesInWAL
      retryLater()
    }
    return log.fault?.code == before?.code ? nil : log.fault
  }

  /// Moves what it can; broken off at the end, since a log that a reader kept may have grown to a gigabyte.
  private func movePages() throws(SQLiteError) -> (log: Int, moved: Int) {
    let limit = BreakingOff(connection, by: patience, pieceBytes: Self.pieceBytes)
    let pages = try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    _ = consume limit
    return pages
  }

  /// Takes notice of what a checkpoint came to, and cuts a log that has grown far beyond its bound.
  private func settle(_ pages: (log: Int, moved: Int)) throws(SQLiteError) {
    log.heldPages = pages.moved < pages.log ? pages.log : 0
    let bound = options.limits.longPages
    if log.heldPages >= bound { retryLater() }
    if log.heldPages >= 2 * bound { log.fault = .held(pages.log, path) }
    guard log.heldPages == 0, SystemCalls.size(path + "-wal") > WriteAheadLog.bytes(frames: bound) else { return }
    do throws(SQLiteError) {
      try emptyLog(waiting: 0)
    } catch {
      // A reader stands at its end: it is written from its beginning again once that one has gone on.
      guard error.primary == SQLITE_BUSY else { throw error }
      retryLater()
    }
  }

  private func retryLater() { log.retryAt = options.clock.steady() + Self.retryMilliseconds }

  /// Moves everything from the log into the database, and cuts it to nothing.
  ///
  /// - Parameter milliseconds: how long readers are waited for; then it fails with `SQLITE_BUSY`.
  func emptyLog(waiting milliseconds: Int) throws(SQLiteError) {
    patience.lockMilliseconds = min(milliseconds, options.limits.busyMilliseconds)
    defer { patience.lockMilliseconds = options.limits.busyMilliseconds }
    try rewriteSuspectLog()
    do throws(SQLiteError) {
      _ = try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    } catch {
      note(error)
      throw error
    }
    connection.walWasEmptied()
    log.heldPages = 0
  }

  /// Why nothing more may be written: the log has come to its last bound; nil: it has not.
  func refusesGrowth() -> StoreError? {
    if log.heldPages == 0 || connection.pagesInWAL < options.limits.logPages { return nil }
    _ = checkpoint()
    guard log.heldPages >= options.limits.logPages, let why = log.fault else { return nil }
    return .full(why.message, remedy: why.remedy ?? "")
  }

  // MARK: After a sync that failed

  /// Takes notice of a failure after which what the kernel says is synced may not be.
  func note(_ error: SQLiteError) {
    if error.code == SQLiteError.failedSync { log.isSuspect = true }
  }

  /// Writes the log's bytes once more where a sync of it may have failed, before anything comes to rely on them.
  ///
  /// - Parameter isLast: whether nothing comes after it: then no demand for an end breaks it off.
  func rewriteSuspectLog(isLast: Bool = false) throws(SQLiteError) {
    guard log.isSuspect else { return }
    try connection.rewriteLog(by: patience, isLast: isLast)
    log.isSuspect = false
  }

  /// Why nothing may be written behind what the log holds; nil: all that it holds is on the disk, and its name too.
  func refusesLog() -> StoreError? {
    do throws(SQLiteError) {
      try rewriteSuspectLog()
    } catch {
      return StoreError(error, path)
    }
    if log.isNamed && !log.mayHaveSuccessor { return nil }
    do throws(SystemFault) {
      if log.mayHaveSuccessor { try SetAside.dropUnfinished(path, options.hooks) }
      log.mayHaveSuccessor = false
      try SystemCalls.syncFolder(SystemCalls.parent(of: path), options.hooks)
      log.isNamed = true
      return nil
    } catch {
      return error.asStoreError
    }
  }

  /// Has the database closed with its log left behind, where what it holds may be on no disk, and where it is so long
  /// that whoever waits for the end would notice: an erasure was broken off, or a reader kept it.
  ///
  /// Closing would move it into the database; so the next start looks to it. Else the database's one file is all of it
  /// on return.
  func closeLog() {
    let isLong = (connection.committedPages ?? 0) > options.limits.longPages
    do throws(SQLiteError) {
      if !isLong { return try rewriteSuspectLog(isLast: true) }
    } catch {}
    try? connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
  }

  /// Sees to it that a transaction whose COMMIT failed does not come back.
  ///
  /// Where its sync failed, all of it stands in the log, behind the end that is known: the next commit writes over it,
  /// but a process that is killed before would find it, whole, and take it for committed. So one page is committed
  /// in its place. Where the disk fails that too, its caller has been told the truth: it is unknown.
  func seal() {
    do throws(SQLiteError) {
      let transaction = try Transaction(.writing, on: connection)
      // Writes the first page even where the number is the same.
      try connection.execute("PRAGMA application_id = 0x52455354")
      try transaction.commit()
    } catch {
      note(error)
    }
  }
}

extension StoreError {
  fileprivate init(checkpoint error: SQLiteError, _ path: String) {
    let found = StoreError(error, path)
    self.init(
      found.code,
      "what is saved stays in the log of \(path), which cannot be moved into it: \(found.message)",
      remedy: found.remedy
    )
  }

  fileprivate static func held(_ pages: Int, _ path: String) -> StoreError {
    StoreError(
      .logHeld,
      "another process reads \(path) and keeps its log, which has \(WriteAheadLog.bytes(frames: pages) >> 20) MiB by now, "
        + "from being emptied",
      remedy: "end the process that reads it (fuser \(path)); the log goes back to its size by itself then"
    )
  }
}
