import CSQLite

/// While one lives, statements and checkpoints of a connection are broken off when a `Patience` is over: they fail, and
/// are rolled back as after any failure.
///
/// `sqlite3_interrupt` is not enough. The second half of a VACUUM copies the new database over the old one, page by page
/// through the log, and looks for no interrupt; and whatever was written is synced at once at the end, which no signal
/// ends. So the writes to the database and to the log are looked at as well, and synced piece by piece.
struct BreakingOff: ~Copyable {
  private let database: OpaquePointer
  private let file: WatchedFile?
  private let log: WatchedFile?

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
    file = connection.databaseFile.map { Self.watch($0, context, pieceBytes) }
    log = connection.logFile.map { Self.watch($0, context, pieceBytes) }
  }

  deinit { sqlite3_progress_handler(database, 0, nil, nil) }

  private static func watch(
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ context: UnsafeMutableRawPointer,
    _ pieceBytes: Int
  ) -> WatchedFile {
    let watched = WatchedFile(file) { $0.xWrite = { BreakingOff.write($0, $1, $2, $3) } }
    watched.state.pointee.context = context
    watched.state.pointee.piece = pieceBytes
    return watched
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ bytes: UnsafeRawPointer?,
    _ count: Int32,
    _ offset: sqlite3_int64
  ) -> Int32 {
    let watched = WatchedFile.state(of: file)
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
