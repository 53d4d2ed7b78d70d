import CSQLite

/// A failure that SQLite reported.
///
/// It never leaves this target, and never holds a bound value.
struct SQLiteError: Error, Hashable {
  /// The extended result code. https://sqlite.org/rescode.html
  let code: Int32
  /// SQLite's own words.
  let message: String
  /// The SQL that failed, as it stands in the source; nil where none was involved.
  let sql: String?

  /// The primary result code.
  var primary: Int32 { code & 0xFF }

  init(code: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// Reads the failure of the call that has just returned `code`; no other call on the connection may stand between.
  init(_ code: Int32, on database: OpaquePointer?, sql: StaticString? = nil) {
    let words = database.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
    self.init(code: code, message: words.map { String(cString: $0) } ?? "", sql: sql?.description)
  }
}
