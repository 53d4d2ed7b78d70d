import CSQLite

/// A database that is open for writing and was found to be usable, if need be after a recovery.
struct OpenDatabase: ~Copyable {
  let statements: WriteStatements
  let connection: Connection
  /// Whether something is to be scrubbed.
  let isErasurePending: Bool
  /// What was set aside on the way; nil: nothing.
  let recovery: RecoveryReport?

  /// Opens the database in `folder`, makes it where there is none, and sets aside what cannot be used.
  ///
  /// - Throws: as `StoreWriter.init`.
  static func open(in folder: DatabaseFolder, _ options: StoreOptions) throws(StoreError) -> OpenDatabase {
    let path = folder.databasePath
    let recovery = Recovery(path: path, options: options, former: folder.former)
    let report = try recovery.prepare()
    let failure: StoreError
    do throws(StoreError) { return try OpenDatabase(path, options, after: report) } catch { failure = error }
    // Once: what a recovery has just made and checked is not recovered again.
    guard report == nil, let cause = cause(failure) else { throw failure }
    return try OpenDatabase(path, options, after: try recovery.repair(cause))
  }

  /// Opens what is there as it is.
  init(_ path: String, _ options: StoreOptions, after recovery: RecoveryReport?) throws(StoreError) {
    let connection = try Database.openForWriting(path, options)
    let statements: WriteStatements
    let isPending: Bool
    do throws(SQLiteError) {
      statements = try WriteStatements(connection)
      // A full disk is no reason to serve nothing, and nothing is to be written over the remains of a lost transaction
      // (`rewriteLog`). What is left goes with the next sync of its kind.
      if SystemCalls.size(path + "-wal") == 0 {
        do throws(SQLiteError) { try connection.execute("DELETE FROM tombstones") } catch {
          if error.isDamage { throw error }
        }
      }
      isPending = try statements.erasurePending.first { $0.bool(0) } ?? false
      // Whoever serves reads all of it before anything else, and could not begin over what is damaged there.
      _ = try connection.integer("SELECT sum(revision + used_bytes) FROM user_counts")
    } catch {
      // A connection that stays untouched: what could not be used is set aside with its log.
      try? connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      throw error.primary == SQLITE_ERROR ? .unknownSchema(error, path) : StoreError(opening: error, path)
    }
    self.statements = statements
    isErasurePending = isPending
    self.connection = connection
    self.recovery = recovery
  }

  /// What is wrong, as it follows the path, where a recovery is the answer to it.
  private static func cause(_ error: StoreError) -> String? {
    switch error.code {
    case .damaged: "is damaged"
    case .notOurDatabase: "is a database of another program"
    default: nil
    }
  }
}

extension StoreError {
  /// SQL that this program always had does not fit the tables.
  fileprivate static func unknownSchema(_ error: SQLiteError, _ path: String) -> StoreError {
    StoreError(
      .damaged,
      "\(path) has not the tables that its schema's number stands for (\(error.message))",
      remedy: "put a backup in its place"
    )
  }
}
