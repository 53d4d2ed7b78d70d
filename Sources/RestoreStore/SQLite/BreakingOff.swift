import CSQLite

/// While one lives, statements and checkpoints of a connection are broken off when a `Patience` is over: they fail, and
/// are rolled back as after any failure.
///
/// `sqlite3_interrupt` is not enough. The second half of a VACUUM copies the new database over the old one, page by page
/// through the log, and looks for no interrupt; and whatever was written is synced at once at the end, which no signal
/// ends. So the writes to the database and to the log are looked at as well, and synced piece by piece.
struct BreakingOff: ~Copyable {
  private let database: OpaquePointer
  private let files: [UnsafeMutablePointer<csqlite_watched_file>]

  /// Virtual instructions between two looks: well below a millisecond of them.
  private static let instructions: Int32 = 256
  /// - Parameters:
  ///   - connection: it has the database and its log open, and outlives this value, as `patience` does.
  ///   - pieceBytes: after so many bytes a file is synced, so that no sync is long.
  init(_ connection: borrowing Connection, by patience: Patience, pieceBytes: Int = 2 << 20) {
    database = connection.database
    let context = Unmanaged.passUnretained(patience).toOpaque()
    // https://sqlite.org/c3ref/progress_handler.html
    sqlite3_progress_handler(
      database,
      Self.instructions,
      { Unmanaged<Patience>.fromOpaque($0!).takeUnretainedValue().isOver ? 1 : 0 },
      context
    )
    files = [connection.databaseFile, connection.logFile].compactMap { $0 }.map { Self.watch($0, context, pieceBytes) }
  }

  deinit {
    sqlite3_progress_handler(database, 0, nil, nil)
    for watched in files {
      watched.pointee.file.pointee.pMethods = watched.pointee.original
      watched.deallocate()
    }
  }

  /// Puts methods of our own before those of an open file.
  ///
  /// https://sqlite.org/c3ref/io_methods.html
  private static func watch(
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ context: UnsafeMutableRawPointer,
    _ pieceBytes: Int
  ) -> UnsafeMutablePointer<csqlite_watched_file> {
    let watched = UnsafeMutablePointer<csqlite_watched_file>.allocate(capacity: 1)
    watched.initialize(to: csqlite_watched_file())
    watched.pointee.methods = file.pointee.pMethods.pointee
    watched.pointee.methods.xWrite = { BreakingOff.write($0, $1, $2, $3) }
    watched.pointee.original = file.pointee.pMethods
    watched.pointee.context = context
    watched.pointee.file = file
    watched.pointee.piece = pieceBytes
    file.pointee.pMethods = UnsafeRawPointer(watched).assumingMemoryBound(to: sqlite3_io_methods.self)
    return watched
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ bytes: UnsafeRawPointer?,
    _ count: Int32,
    _ offset: sqlite3_int64
  ) -> Int32 {
    // The methods are the first of what is known of the file.
    let watched = UnsafeMutableRawPointer(mutating: file!.pointee.pMethods!)
      .assumingMemoryBound(to: csqlite_watched_file.self)
    let patience = Unmanaged<Patience>.fromOpaque(watched.pointee.context).takeUnretainedValue()
    if patience.isOver { return SQLiteError.failedWrite }
    let original = watched.pointee.original.pointee
    let code = original.xWrite(file, bytes, count, offset)
    watched.pointee.unsynced += Int(count)
    guard code == SQLITE_OK, watched.pointee.unsynced >= watched.pointee.piece else { return code }
    watched.pointee.unsynced = 0
    return original.xSync(file, SQLITE_SYNC_NORMAL)
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
