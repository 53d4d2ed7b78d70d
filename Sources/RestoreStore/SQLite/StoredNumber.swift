import CSQLite

/// Numbers and times as this program stores them.
///
/// A bit that changed on the disk can make any number of them. What follows from one that is too large would overflow, and
/// end the process at each start anew; so it is damage, as a page is that cannot be read.
enum StoredNumber {
  /// More than any number, time in milliseconds, or count of bytes there can be, with room to add and to multiply.
  private static let bound = 1 << 50

  static func isValid(_ number: Int) -> Bool { number >= 0 && number < bound }

  static var fault: SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: "a stored number is out of all bounds")
  }
}
