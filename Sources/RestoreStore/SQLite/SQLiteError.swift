import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
  /// The `errno` of the call of the system that failed; 0 where none did.
  let systemError: Int32

  /// `SQLITE_IOERR_FSYNC`, which Swift does not import.
  static let failedSync = SQLITE_IOERR | 4 << 8
  /// `SQLITE_IOERR_WRITE`, likewise.
  static let failedWrite = SQLITE_IOERR | 3 << 8

  /// The primary result code.
  var primary: Int32 { code & 0xFF }

  /// Whether the database is damaged, or none.
  var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

  /// Whether it failed for want of space: on the disk, or of what the user may have of it.
  ///
  /// SQLite has a code for the disk alone, and only where a write failed.
  var isForWantOfSpace: Bool { primary == SQLITE_FULL || [ENOSPC, EDQUOT].contains(systemError) }

  init(code: Int32, message: String, sql: String? = nil, systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.systemError = systemError
  }

  /// Reads the failure of the call that has just returned `code`; no other call on the connection may stand between,
  /// and before it `forgetSystemError` was called.
  init(_ code: Int32, on database: OpaquePointer?, sql: StaticString? = nil) {
    let systemError = errno
    let words = database.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
    // Not sqlite3_system_errno(), which a COMMIT that fails does not set. Whoever calls SQLite clears it first.
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    self.init(
      code: code,
      message: words.map { String(cString: $0) } ?? "",
      sql: sql?.description,
      systemError: isOfSystem ? systemError : 0
    )
  }

  /// Clears `errno`, so that what it holds after the next call of SQLite is that call's.
  static func forgetSystemError() { errno = 0 }
}
