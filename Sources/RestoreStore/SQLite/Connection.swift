import CSQLite

/// One connection, and its only owner.
///
/// Confined to one thread: it is opened with NOMUTEX.
struct Connection: ~Copyable {
  /// The handle; it lives as long as this value.
  let database: OpaquePointer
  /// Where SQLite's WAL hook leaves what it is told.
  private let walReport: UnsafeMutablePointer<WALReport>

  private struct WALReport {
    /// Pages in the WAL after the last commit.
    var pages: Int32 = 0
    var commits: UInt64 = 0
  }

  /// BEGIN, BEGIN IMMEDIATE, COMMIT and ROLLBACK, which every transaction needs.
  let begin: OpaquePointer?
  let beginImmediate: OpaquePointer?
  let commit: OpaquePointer?
  let rollback: OpaquePointer?

  /// Opens a file that exists, and makes the connection strict.
  ///
  /// Reads and writes nothing of the file yet. Until `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE` is turned
  /// off, closing leaves the WAL as it was found, so that a database which is refused stays untouched.
  init(path: String) throws(SQLiteError) {
    let database = try Self.open(path)
    self.database = database
    begin = Self.prepare("BEGIN", on: database)
    beginImmediate = Self.prepare("BEGIN IMMEDIATE", on: database)
    commit = Self.prepare("COMMIT", on: database)
    rollback = Self.prepare("ROLLBACK", on: database)
    walReport = .allocate(capacity: 1)
    walReport.initialize(to: WALReport())
    // A hook of our own replaces the automatic checkpoint, which is such a hook itself.
    // https://sqlite.org/c3ref/wal_hook.html
    _ = sqlite3_wal_hook(
      database,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: WALReport.self).pointee.pages = pages
        context?.assumingMemoryBound(to: WALReport.self).pointee.commits += 1
        return SQLITE_OK
      },
      walReport
    )
  }

  deinit {
    for statement in [begin, beginImmediate, commit, rollback] { sqlite3_finalize(statement) }
    // v2: closes for good once the last statement is finalized, whichever of them goes first.
    sqlite3_close_v2(database)
    walReport.deallocate()
  }

  private static func open(_ path: String) throws(SQLiteError) -> OpaquePointer {
    var handle: OpaquePointer?
    // NOMUTEX, since one thread owns the connection; NOFOLLOW, so that no symbolic link is followed
    // that someone put in place of the file. https://sqlite.org/c3ref/open.html
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
      | SQLITE_OPEN_NOFOLLOW
    SQLiteError.forgetSystemError()
    var code = sqlite3_open_v2(path, &handle, flags, nil)
    let settings: [(option: Int32, on: Bool)] = [
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true), (SQLITE_DBCONFIG_DEFENSIVE, true),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false), (SQLITE_DBCONFIG_DQS_DDL, false), (SQLITE_DBCONFIG_DQS_DML, false),
      (SQLITE_DBCONFIG_ENABLE_FKEY, true),
    ]
    for setting in settings where code == SQLITE_OK {
      code = csqlite_db_config(handle, setting.option, setting.on ? 1 : 0)
    }
    if code == SQLITE_OK, let handle { return handle }
    let error = SQLiteError(code, on: handle)
    // A handle that failed to open is to be closed all the same.
    sqlite3_close_v2(handle)
    throw error
  }

  /// Prepares SQL that cannot fail but for want of memory, in which case running it says so.
  private static func prepare(_ sql: StaticString, on database: OpaquePointer) -> OpaquePointer? {
    var handle: OpaquePointer?
    sqlite3_prepare_v3(
      database,
      UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
      Int32(sql.utf8CodeUnitCount),
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &handle,
      nil
    )
    return handle
  }

  /// Runs one of the four.
  static func run(_ statement: OpaquePointer?, _ sql: StaticString, on database: OpaquePointer) throws(SQLiteError) {
    guard let statement else { throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory", sql: sql.description) }
    SQLiteError.forgetSystemError()
    let code = sqlite3_step(statement)
    let error = code == SQLITE_DONE ? nil : SQLiteError(code, on: database, sql: sql)
    sqlite3_reset(statement)
    if let error { throw error }
  }

  /// Pages in the WAL after this connection's last commit.
  var pagesInWAL: Int { Int(walReport.pointee.pages) }

  /// Forgets the count of pages, after a checkpoint that emptied the WAL.
  func walWasEmptied() { walReport.pointee.pages = 0 }

  /// Commits of this connection that wrote something.
  ///
  /// A transaction in which nothing changed is not told to the WAL hook.
  var commitsToWAL: UInt64 { walReport.pointee.commits }

  /// A number that moves with every commit, this connection's own too, of which the connection knows.
  ///
  /// It is brought up to date when a transaction begins.
  /// https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion
  var dataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(database, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Sets one of the boolean settings of a connection.
  ///
  /// https://sqlite.org/c3ref/c_dbconfig_defensive.html
  func configure(_ option: Int32, _ on: Bool) throws(SQLiteError) {
    let code = csqlite_db_config(database, option, on ? 1 : 0)
    if code != SQLITE_OK { throw SQLiteError(code, on: database) }
  }

  /// Runs SQL that has no parameters, to its end.
  ///
  /// Rows are thrown away.
  func execute(_ sql: StaticString) throws(SQLiteError) {
    SQLiteError.forgetSystemError()
    let code = sql.withUTF8Buffer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { sqlite3_exec(database, $0.baseAddress, nil, nil, nil) }
    }
    if code != SQLITE_OK { throw SQLiteError(code, on: database, sql: sql) }
  }

  /// Runs a migration's text.
  func execute(script: [UInt8]) throws(SQLiteError) {
    let text = script.map { CChar(bitPattern: $0) } + [0]
    SQLiteError.forgetSystemError()
    let code = sqlite3_exec(database, text, nil, nil, nil)
    if code != SQLITE_OK { throw SQLiteError(code, on: database) }
  }

  /// Runs SQL whose one row has one integer, such as a `PRAGMA`.
  func integer(_ sql: StaticString) throws(SQLiteError) -> Int {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Moves pages from the WAL into the database.
  ///
  /// - Parameter mode: `SQLITE_CHECKPOINT_PASSIVE` never waits; `SQLITE_CHECKPOINT_TRUNCATE` waits for
  ///   readers as long as the busy timeout says, and fails with `SQLITE_BUSY` when they stay.
  ///   https://sqlite.org/c3ref/wal_checkpoint_v2.html
  /// - Returns: the pages that were in the WAL, and how many of them are in the database by now; fewer where a
  ///   reader still needs what the database has in their place.
  @discardableResult
  func checkpoint(_ mode: Int32) throws(SQLiteError) -> (log: Int, moved: Int) {
    var log: Int32 = 0
    var moved: Int32 = 0
    SQLiteError.forgetSystemError()
    let code = sqlite3_wal_checkpoint_v2(database, nil, mode, &log, &moved)
    if code != SQLITE_OK { throw SQLiteError(code, on: database) }
    return (Int(log), Int(moved))
  }
}
