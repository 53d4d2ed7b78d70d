import CSQLite

/// Opening the database: whose it is, from which release, and the settings that everything relies on.
enum Database {
  /// "REST": what `PRAGMA application_id` says of a database of this program.
  static let applicationID = 0x5245_5354
  /// Bytes of a page: half the usual size halves what a save of 1 KB writes.
  static let pageBytes = 2048

  /// What a database file turned out to be.
  private enum Identity {
    /// One of ours, with this schema; 0: new and empty.
    case ours(schema: Int)
    case ofNewerRelease(schema: Int)
    case ofAnotherProgram
    /// One that says that it is ours and new, and is not empty.
    case misnumbered
  }

  /// Opens the writing connection, and brings a new or older database up to this release's schema.
  ///
  /// Before an older one is changed, a copy of it is kept (`KeptCopy`). A database of another program or of a newer
  /// release, and a file that is none, are left as they were.
  static func openForWriting(_ path: String, _ options: StoreOptions) throws(StoreError) -> Connection {
    let connection = try connect(path, options)
    let found = try ownSchema(connection, path, options)
    if found > 0 && found < options.migrations.count {
      try KeptCopy(path, schema: found, options.hooks).make(from: connection)
    }
    do throws(SQLiteError) {
      try prepareFile(connection, options.durability)
    } catch { throw StoreError(opening: error, path) }
    if found == 0 { try syncBeginning(of: path, options.hooks) }
    do throws(SQLiteError) {
      try migrate(connection, from: found, options)
      // The database is ours from here on: its WAL may be emptied when it is closed.
      try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
    } catch {
      throw StoreError(opening: damage(behind: error, connection) ?? error, path)
    }
    return connection
  }

  /// What is damaged, where a step of the schema failed over it; nil: that is not why.
  ///
  /// Newer releases of SQLite look at each row of a table that was given a column: one that does not fit the table makes
  /// it an error of the SQL. https://sqlite.org/lang_altertable.html#altertabaddcol
  private static func damage(behind error: SQLiteError, _ connection: borrowing Connection) -> SQLiteError? {
    guard error.primary == SQLITE_ERROR, let check = try? Statement("PRAGMA quick_check(1)", on: connection),
      let answer = try? check.first({ $0.text(0) }), answer != "ok"
    else { return nil }
    return SQLiteError(code: SQLITE_CORRUPT, message: answer)
  }

  /// Opens a connection that looks at a database and leaves it as it is, its WAL too.
  static func openForExamination(_ path: String, _ options: StoreOptions) throws(StoreError) -> Connection {
    let connection = try connect(path, options)
    _ = try ownSchema(connection, path, options)
    do throws(SQLiteError) {
      try connection.execute("PRAGMA query_only = ON")
      try connection.execute("PRAGMA cell_size_check = ON")
    } catch {
      throw StoreError(opening: error, path)
    }
    return connection
  }

  /// The schema of a database of ours; 0: new and empty.
  ///
  /// - Throws: `notOurDatabase`, `newerSchema`, `damaged`; nothing was changed then.
  private static func ownSchema(
    _ connection: borrowing Connection,
    _ path: String,
    _ options: StoreOptions
  ) throws(StoreError) -> Int {
    let schema = options.migrations.count
    switch try identify(connection, path, schema) {
    case .ours(let found): return found
    case .misnumbered:
      throw StoreError(
        .damaged,
        "\(path) says that it has no schema, and has tables",
        remedy: "put a backup in its place"
      )
    case .ofAnotherProgram:
      throw StoreError(
        .notOurDatabase,
        "\(path) is a database of another program; it was left as it is",
        remedy: "choose another state folder, or move the file away"
      )
    case .ofNewerRelease(let found):
      let copy = KeptCopy.newest(path, upTo: schema)
      throw StoreError(
        .newerSchema,
        "\(path) has schema \(found), this release knows \(schema); it was left as it is",
        remedy: "start the newer release again"
          + (copy.map { ", or put \($0), kept before the change, in its place, without what was saved since" } ?? "")
      ) {
        $0.actual = found
        $0.maximum = schema
      }
    }
  }

  /// Opens a connection that reads, on a database that a writer of this release has open.
  static func openForReading(_ path: String, _ options: StoreOptions) throws(StoreError) -> Connection {
    let connection = try connect(path, options)
    do throws(SQLiteError) {
      // Whichever connection is closed last empties the WAL.
      try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
      try connection.execute("PRAGMA query_only = ON")
      try connection.execute("PRAGMA cell_size_check = ON")
    } catch {
      throw StoreError(opening: error, path)
    }
    return connection
  }

  private static func connect(_ path: String, _ options: StoreOptions) throws(StoreError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(path: path)
      sqlite3_busy_timeout(connection.database, Int32(options.limits.busyMilliseconds))
      return connection
    } catch {
      throw StoreError(opening: error, path)
    }
  }

  /// Finds out whose database it is.
  ///
  /// Only reads.
  private static func identify(
    _ connection: borrowing Connection,
    _ path: String,
    _ schema: Int
  ) throws(StoreError) -> Identity {
    do throws(SQLiteError) {
      let application = try connection.integer("PRAGMA application_id")
      let found = try connection.integer("PRAGMA user_version")
      let isEmpty = try connection.integer("PRAGMA schema_version") == 0
      if application == 0 && found == 0 && isEmpty { return .ours(schema: 0) }
      if application != applicationID { return .ofAnotherProgram }
      if found <= 0 { return .misnumbered }
      return found > schema ? .ofNewerRelease(schema: found) : .ours(schema: found)
    } catch {
      throw StoreError(opening: error, path)
    }
  }

  /// Makes it last that the rollback journal of a new database is gone, before anything is in its write-ahead log.
  ///
  /// Back after a loss of power, the journal would be rolled back: to a file that is empty, whose log SQLite deletes.
  /// With `synchronous=NORMAL` the first sync of the folder may be far off. https://sqlite.org/lockingv3.html#hot_journals
  private static func syncBeginning(of path: String, _ hooks: StoreHooks) throws(StoreError) {
    do throws(SystemFault) { try SystemCalls.syncFolder(SystemCalls.parent(of: path), hooks) } catch {
      throw error.asStoreError
    }
  }

  private static func prepareFile(
    _ connection: borrowing Connection,
    _ durability: StoreOptions.Durability
  ) throws(SQLiteError) {
    // Only has an effect on an empty file, and before WAL.
    try connection.execute(script: Array("PRAGMA page_size = \(pageBytes)".utf8))
    try connection.switchToWAL()
    switch durability {
    case .full: try connection.execute("PRAGMA synchronous = FULL")
    case .normal: try connection.execute("PRAGMA synchronous = NORMAL")
    }
    try connection.execute("PRAGMA secure_delete = ON")
    try connection.execute("PRAGMA cell_size_check = ON")
  }

  /// Applies the migrations that are missing, all in one transaction: a database between two releases' schemas would be of
  /// neither, and the copy of the one before would be taken for that of an older one.
  private static func migrate(
    _ connection: borrowing Connection,
    from version: Int,
    _ options: StoreOptions
  ) throws(SQLiteError) {
    if version >= options.migrations.count { return }
    // Whatever was lost is cut off before anything is written over it.
    try connection.rewriteLog(by: Patience(lockMilliseconds: options.limits.busyMilliseconds), isLast: true)
    let transaction = try Transaction(.writing, on: connection)
    for step in version..<options.migrations.count {
      try connection.execute(script: options.migrations[step])
      try connection.execute(script: Array("PRAGMA user_version = \(step + 1)".utf8))
      if step == 0 { try connection.execute(script: Array("PRAGMA application_id = \(applicationID)".utf8)) }
      options.hooks.inMigration?()
    }
    try transaction.commit()
  }
}

extension Connection {
  /// Turns on the write-ahead log, which stays with the file. https://sqlite.org/wal.html
  fileprivate func switchToWAL() throws(SQLiteError) {
    let statement = try Statement("PRAGMA journal_mode = WAL", on: self)
    let mode = try statement.step() ? statement.text(0) : ""
    if mode != "wal" {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file system does not allow a write-ahead log")
    }
  }
}
