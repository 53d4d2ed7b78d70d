import CSQLite

/// An open file of SQLite's with methods of ours before its own, which it has again when this ends.
///
/// All end before the file is closed, the last of several on one file first; no two of these replace the same method,
/// whose `state(of:)` is that of the last.
/// https://sqlite.org/c3ref/io_methods.html
struct WatchedFile: ~Copyable {
  /// What a method of ours needs.
  typealias State = UnsafeMutablePointer<csqlite_watched_file>

  let state: State

  /// Puts methods before those of a file.
  ///
  /// - Parameter replace: puts ours in the place of some; each reaches the file's own by `state(of:)`.
  init(_ file: UnsafeMutablePointer<sqlite3_file>, replace: (inout sqlite3_io_methods) -> Void) {
    state = .allocate(capacity: 1)
    state.initialize(to: csqlite_watched_file())
    state.pointee.methods = file.pointee.pMethods.pointee
    replace(&state.pointee.methods)
    state.pointee.original = file.pointee.pMethods
    state.pointee.file = file
    file.pointee.pMethods = UnsafeRawPointer(state).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  deinit {
    state.pointee.file.pointee.pMethods = state.pointee.original
    state.deallocate()
  }

  /// What is known of a file in a method of ours.
  @inline(__always)
  static func state(of file: UnsafeMutablePointer<sqlite3_file>?) -> State {
    // The methods are the first of it.
    UnsafeMutableRawPointer(mutating: file!.pointee.pMethods!).assumingMemoryBound(to: csqlite_watched_file.self)
  }
}

extension Connection {
  /// SQLite's own open file of the database; nil: it has none.
  var databaseFile: UnsafeMutablePointer<sqlite3_file>? { file(SQLITE_FCNTL_FILE_POINTER) }

  /// SQLite's own open file of the log; nil: it has not opened one.
  var logFile: UnsafeMutablePointer<sqlite3_file>? { file(SQLITE_FCNTL_JOURNAL_POINTER) }

  /// An open file of SQLite's.
  ///
  /// https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntljournalpointer
  private func file(_ which: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(database, "main", which, &file)
    guard let file, file.pointee.pMethods != nil else { return nil }
    return file
  }
}
