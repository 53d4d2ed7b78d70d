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
  /// Bytes of a page of the database and its header in the log.
  private static let frameBytes = Database.pageBytes + 24

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
    guard log.heldPages == 0, SystemCalls.size(path + "-wal") > bound * Self.frameBytes else { return }
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
    try connection.rewriteLog(until: { !isLast && patience.isOver })
    log.isSuspect = false
  }

  /// Why nothing may be written behind what the log holds; nil: all that it holds is on the disk.
  func refusesLog() -> StoreError? {
    do throws(SQLiteError) {
      try rewriteSuspectLog()
      return nil
    } catch {
      return StoreError(error, path)
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

extension Connection {
  /// Bytes that are read and written at once.
  private static var pieceBytes: Int { 1 << 16 }

  /// Writes the bytes of the log once more, where they are, cuts off what stands behind its last commit, and syncs: whatever
  /// was clean only in the kernel's eyes comes to the disk by that, and no commit that was lost is taken for one that
  /// stands behind damage when power goes again.
  ///
  /// The write lock is held meanwhile, so that nobody appends to the log or begins it anew.
  /// https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntljournalpointer
  ///
  /// - Parameter isOver: asked at each piece whether to fail with `SQLITE_INTERRUPT`; what was rewritten does no harm.
  func rewriteLog(until isOver: () -> Bool) throws(SQLiteError) {
    guard let file = logFile, let methods = file.pointee.pMethods?.pointee else { return }
    var size: sqlite3_int64 = 0
    SQLiteError.forgetSystemError()
    try check(methods.xFileSize(file, &size))
    if size == 0 { return }
    let transaction = try Transaction(.writing, on: self)
    try check(methods.xFileSize(file, &size))
    // What stands behind is of a transaction that was lost, that failed, or that was broken off.
    if let pages = committedPages, Self.logBytes(pages: pages) < size {
      size = Self.logBytes(pages: pages)
      try check(methods.xTruncate(file, size))
    }
    var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
    var offset: sqlite3_int64 = 0
    while offset < size {
      if isOver() { throw SQLiteError(SQLITE_INTERRUPT, on: nil) }
      let count = Int32(min(sqlite3_int64(buffer.count), size - offset))
      try check(methods.xRead(file, &buffer, count, offset))
      try check(methods.xWrite(file, buffer, count, offset))
      offset += sqlite3_int64(count)
    }
    try check(methods.xSync(file, SQLITE_SYNC_NORMAL))
    _ = consume transaction
  }

  /// Bytes of a log with so many pages. https://sqlite.org/walformat.html
  private static func logBytes(pages: Int) -> sqlite3_int64 {
    sqlite3_int64(pages == 0 ? 0 : 32 + pages * (Database.pageBytes + 24))
  }

  /// Pages in the log as far as its index knows them committed; nil: there is no index.
  ///
  /// Sure only while the write lock is held. The index is read where SQLite has mapped it: `mxFrame` of
  /// https://sqlite.org/walformat.html#the_wal_index_header
  var committedPages: Int? {
    guard let file = databaseFile, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2 else {
      return nil
    }
    var index: UnsafeMutableRawPointer?
    guard methods.xShmMap(file, 0, 32 << 10, 0, &index) == SQLITE_OK, let index else { return nil }
    return Int(UnsafeRawPointer(index).load(fromByteOffset: 16, as: UInt32.self))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw SQLiteError(code, on: nil) }
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
      "another process reads \(path) and keeps its log, which has \(pages * (Database.pageBytes + 24) >> 20) MiB by now, "
        + "from being emptied",
      remedy: "end the process that reads it (fuser \(path)); the log goes back to its size by itself then"
    )
  }
}
