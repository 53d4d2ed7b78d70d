import CSQLite

/// An open transaction.
///
/// It is committed by consuming it; however else it ends, it is rolled back.
struct Transaction: ~Copyable {
  private let database: OpaquePointer
  private let commitStatement: OpaquePointer?
  private let rollbackStatement: OpaquePointer?

  /// What a transaction is begun for.
  enum Purpose {
    /// To read one moment of the database, chosen by the first read.
    case reading
    /// To write: takes the write lock at once, waiting for another holder as long as the busy timeout says.
    case writing
  }

  init(_ purpose: Purpose, on connection: borrowing Connection) throws(SQLiteError) {
    switch purpose {
    case .reading: try Connection.run(connection.begin, "BEGIN", on: connection.database)
    case .writing: try Connection.run(connection.beginImmediate, "BEGIN IMMEDIATE", on: connection.database)
    }
    database = connection.database
    commitStatement = connection.commit
    rollbackStatement = connection.rollback
  }

  /// Makes what was written last.
  ///
  /// After an error nothing of it is stored.
  consuming func commit() throws(SQLiteError) {
    try Connection.run(commitStatement, "COMMIT", on: database)
  }

  deinit {
    // After a commit there is nothing left to roll back, and some errors (FULL, IOERR, NOMEM, BUSY)
    // roll back by themselves. Whatever a rollback reports, the error that led here is the one to
    // tell. https://sqlite.org/lang_transaction.html
    if sqlite3_get_autocommit(database) == 0 {
      try? Connection.run(rollbackStatement, "ROLLBACK", on: database)
    }
  }
}
