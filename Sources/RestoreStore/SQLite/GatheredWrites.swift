import CSQLite

/// While one lives, what a COMMIT appends to the log is written at once, and not the header and the page of each frame
/// by themselves, which is two system calls for each page.
///
/// For a connection that syncs at each COMMIT: SQLite syncs the log after its last write to it, and before anything counts
/// as committed. What is held back is written then, so that a write that fails fails the COMMIT as ever; and before
/// the log is read, cut or asked for its size. https://sqlite.org/pragma.html#pragma_synchronous
///
/// Where a write may harm what stands beside it on the disk, SQLite fills the sector after its last sync: see `isSafe`.
struct GatheredWrites: ~Copyable {
  /// The memory for what is held back, which serves one commit after the other.
  ///
  /// Less than 128 KiB: SQLite's own files take no more in one write.
  final class Room {
    fileprivate let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    deinit { bytes.deallocate() }
  }

  private let log: WatchedFile?
  /// What `log` has, which would be consumed by asking it.
  private let state: WatchedFile.State?

  /// - Parameters:
  ///   - connection: it outlives this value.
  ///   - room: no other commit's, until this value has ended.
  init(_ connection: borrowing Connection, in room: Room) {
    guard let file = connection.logFile else {
      log = nil
      state = nil
      return
    }
    let watched = Self.watch(file, room)
    state = watched.state
    log = consume watched
  }

  /// Whether SQLite's last write of a COMMIT is before its sync.
  ///
  /// https://sqlite.org/psow.html
  static func isSafe(on connection: borrowing Connection) -> Bool {
    guard let file = connection.databaseFile, let methods = file.pointee.pMethods else { return false }
    return methods.pointee.xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0
  }

  /// Ends it after a COMMIT that succeeded; after any other what is held back goes with the value.
  ///
  /// - Throws: what writing reports, where there was no sync and something is left.
  consuming func finish() throws(SQLiteError) {
    let code = state.map { Self.flush($0) } ?? SQLITE_OK
    // The pointer alone does not keep what it points to.
    extendLifetime(self)
    if code != SQLITE_OK { throw SQLiteError(code, on: nil) }
  }

  private static func watch(_ file: UnsafeMutablePointer<sqlite3_file>, _ room: Room) -> WatchedFile {
    let watched = WatchedFile(file) { methods in
      methods.xWrite = { GatheredWrites.write($0, $1, $2, $3) }
      methods.xRead = { file, bytes, count, offset in
        GatheredWrites.flushed(file) { $0.xRead(file, bytes, count, offset) }
      }
      methods.xSync = { file, flags in GatheredWrites.flushed(file) { $0.xSync(file, flags) } }
      methods.xTruncate = { file, size in GatheredWrites.flushed(file) { $0.xTruncate(file, size) } }
      methods.xFileSize = { file, size in GatheredWrites.flushed(file) { $0.xFileSize(file, size) } }
    }
    watched.state.pointee.held = room.bytes.baseAddress
    watched.state.pointee.room = room.bytes.count
    return watched
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ bytes: UnsafeRawPointer?,
    _ count: Int32,
    _ offset: sqlite3_int64
  ) -> Int32 {
    let state = WatchedFile.state(of: file)
    let count = Int(count)
    let follows = offset == state.pointee.held_at + sqlite3_int64(state.pointee.held_bytes)
    if !follows || state.pointee.held_bytes + count > state.pointee.room {
      let code = flush(state)
      if code != SQLITE_OK { return code }
      state.pointee.held_at = offset
    }
    guard let bytes, count <= state.pointee.room else {
      return state.pointee.original.pointee.xWrite(file, bytes, Int32(count), offset)
    }
    (state.pointee.held + state.pointee.held_bytes).copyMemory(from: bytes, byteCount: count)
    state.pointee.held_bytes += count
    return SQLITE_OK
  }

  /// Calls a method of the file's own once all is written.
  private static func flushed(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (borrowing sqlite3_io_methods) -> Int32
  ) -> Int32 {
    let state = WatchedFile.state(of: file)
    let code = flush(state)
    return code == SQLITE_OK ? body(state.pointee.original.pointee) : code
  }

  /// Writes what is held back; what cannot be written is not held any longer.
  private static func flush(_ state: WatchedFile.State) -> Int32 {
    let count = state.pointee.held_bytes
    if count == 0 { return SQLITE_OK }
    state.pointee.held_bytes = 0
    return state.pointee.original.pointee.xWrite(
      state.pointee.file,
      state.pointee.held,
      Int32(count),
      state.pointee.held_at
    )
  }
}
