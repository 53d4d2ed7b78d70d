import CSQLite

/// SQLite's own reader of JSON (sqlite.org/json1.html), for comparison.
final class SQLiteJSON {
  struct Failure: Error {
    var message: String
  }

  private var database: OpaquePointer?
  private var statement: OpaquePointer?

  init() throws {
    guard sqlite3_open(":memory:", &database) == SQLITE_OK,
      sqlite3_prepare_v2(database, "SELECT json_valid(CAST(? AS TEXT))", -1, &statement, nil) == SQLITE_OK
    else { throw Failure(message: String(cString: sqlite3_errmsg(database))) }
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close(database)
  }

  /// What `json_valid` says of `text`.
  func accepts(_ text: [UInt8]) throws -> Bool {
    defer { sqlite3_reset(statement) }
    let bound = text.withUnsafeBytes { sqlite3_bind_blob(statement, 1, $0.baseAddress, CInt($0.count), transient) }
    guard bound == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW else {
      throw Failure(message: String(cString: sqlite3_errmsg(database)))
    }
    return sqlite3_column_int(statement, 0) == 1
  }

  /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite makes its own copy.
  private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
