import CSQLite

/// The write-ahead log from below: its file, and its index where SQLite has mapped it.
///
/// https://sqlite.org/walformat.html
extension Connection {
  /// Bytes that are read and written at once.
  private static var pieceBytes: Int { 1 << 16 }

  /// Brings to the disk what is there only in the kernel's eyes since a sync failed.
  ///
  /// The bytes of the log are written once more where they are, what stands behind its last commit is cut off, and both are
  /// synced: so no commit that was lost is taken for one that stands behind damage when power goes again. And all of the log
  /// is noted as not yet moved, so that the next checkpoint moves and syncs what one before it moved for nothing.
  ///
  /// The write lock is held meanwhile, so that nobody appends to the log or begins it anew.
  ///
  /// - Parameter isLast: whether nothing comes after it: then no demand for an end breaks it off. What was rewritten till
  ///   then does no harm.
  /// - Throws: `SQLITE_INTERRUPT` where it was broken off.
  func rewriteLog(by patience: Patience, isLast: Bool) throws(SQLiteError) {
    guard let file = logFile, let methods = file.pointee.pMethods?.pointee else { return }
    var size: sqlite3_int64 = 0
    SQLiteError.forgetSystemError()
    try check(methods.xFileSize(file, &size))
    if size == 0 { return }
    let transaction = try Transaction(.writing, on: self)
    try forgetMoves(patience)
    try check(methods.xFileSize(file, &size))
    // What stands behind is of a transaction that was lost, that failed, or that was broken off.
    if let end = mappedIndex?.logBytes, end < size {
      size = end
      try check(methods.xTruncate(file, size))
    }
    var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
    var offset: sqlite3_int64 = 0
    while offset < size {
      if !isLast && patience.isOver { throw SQLiteError(SQLITE_INTERRUPT, on: nil) }
      let count = Int32(min(sqlite3_int64(buffer.count), size - offset))
      try check(methods.xRead(file, &buffer, count, offset))
      try check(methods.xWrite(file, buffer, count, offset))
      offset += sqlite3_int64(count)
    }
    try check(methods.xSync(file, SQLITE_SYNC_NORMAL))
    _ = consume transaction
  }

  /// Has the next checkpoint move all of the log into the database.
  ///
  /// SQLite syncs the database when a checkpoint has come to the log's end, and begins after what the last one moved. Where
  /// one came half way, and the sync of the next one failed, what the first had moved is perhaps on no disk, and would
  /// never be moved again. To be called under the write lock.
  private func forgetMoves(_ patience: Patience) throws(SQLiteError) {
    guard let index = mappedIndex, index.movedPages > 0 else { return }
    try index.lockCheckpoints(patience.waits)
    index.movedPages = 0
    index.unlockCheckpoints()
  }

  /// Pages in the log as far as its index knows them committed; nil: there is no index.
  ///
  /// Sure only while the write lock is held.
  var committedPages: Int? { mappedIndex?.pages }

  private var mappedIndex: MappedIndex? { databaseFile.flatMap { MappedIndex($0) } }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw SQLiteError(code, on: nil) }
  }
}

/// The log's index, where SQLite has mapped it.
///
/// https://sqlite.org/walformat.html (2.1, 2.3)
private struct MappedIndex {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let memory: UnsafeMutableRawPointer

  /// Bytes of the part that holds the header.
  private static let partBytes: Int32 = 32 << 10
  /// Where the header has what is read here, and the number of pages that were moved.
  private static let initialized = 12
  private static let pageSize = 14
  private static let lastFrame = 16
  private static let moved = 96
  /// Which of the locks is that of checkpoints.
  private static let checkpoints: Int32 = 1

  /// Nil where there is none.
  init?(_ file: UnsafeMutablePointer<sqlite3_file>) {
    guard let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2 else { return nil }
    var memory: UnsafeMutableRawPointer?
    guard methods.pointee.xShmMap(file, 0, Self.partBytes, 0, &memory) == SQLITE_OK, let memory,
      memory.load(fromByteOffset: Self.initialized, as: UInt8.self) == 1
    else { return nil }
    self.file = file
    self.memory = memory
  }

  /// Pages of the log that are committed.
  var pages: Int { Int(memory.load(fromByteOffset: Self.lastFrame, as: UInt32.self)) }

  /// Bytes that they take up.
  ///
  /// By the size of a page that the index tells: another program may have made the database anew with another one.
  var logBytes: sqlite3_int64 {
    let stored = Int(memory.load(fromByteOffset: Self.pageSize, as: UInt16.self))
    let page = stored & 0xFE00 | (stored & 1) << 16
    return sqlite3_int64(WriteAheadLog.bytes(frames: pages, pageSize: page))
  }

  /// Pages of the log that a checkpoint has moved; to be set under the locks of writing and of checkpoints.
  var movedPages: Int {
    get { Int(memory.load(fromByteOffset: Self.moved, as: UInt32.self)) }
    nonmutating set { memory.storeBytes(of: UInt32(newValue), toByteOffset: Self.moved, as: UInt32.self) }
  }

  /// Keeps checkpoints of other processes away.
  ///
  /// - Parameter waits: waits for one that is under way, after so many looks; false: no longer.
  func lockCheckpoints(_ waits: (Int32) -> Bool) throws(SQLiteError) {
    var looks: Int32 = 0
    while true {
      let code = lock(SQLITE_SHM_LOCK)
      if code == SQLITE_OK { return }
      guard code == SQLITE_BUSY, waits(looks) else { throw SQLiteError(code, on: nil) }
      looks += 1
    }
  }

  func unlockCheckpoints() { _ = lock(SQLITE_SHM_UNLOCK) }

  private func lock(_ what: Int32) -> Int32 {
    file.pointee.pMethods.pointee.xShmLock(file, Self.checkpoints, 1, what | SQLITE_SHM_EXCLUSIVE)
  }
}
