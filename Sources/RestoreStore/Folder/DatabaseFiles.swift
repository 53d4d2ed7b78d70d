#if os(Linux)
  import CLinux
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether the database and its log, which SQLite holds open, are still the files of those names.
///
/// A file that is removed or replaced goes on taking writes for whoever has it open, and all of them are lost with the
/// process: a save must not be acknowledged then. A log that is cut cannot be told from one that a checkpoint of
/// somebody's `sqlite3` has emptied. https://sqlite.org/howtocorrupt.html (4.4)
final class DatabaseFiles {
  private struct Identity: Equatable {
    private var device: UInt64 = 0
    private var inode: UInt64 = 0

    init?(_ path: String) {
      // Looked at before each commit: who asks for the log's times makes the commit's sync write them.
      #if os(Linux)
        guard clinux_file_identity(path, &device, &inode) == 0 else { return nil }
      #else
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode) = (UInt64(bitPattern: Int64(status.st_dev)), status.st_ino)
      #endif
    }
  }

  private let path: String
  private let logPath: String
  private let database: Identity?
  private var log: Identity?
  /// What `look` last found wrong; nil: both files were where they had been.
  private(set) var fault: StoreError?

  /// Remembers the database at `path`, which has just been opened.
  init(_ path: String) {
    self.path = path
    logPath = path + "-wal"
    database = Identity(path)
  }

  /// Remembers the log, which the first commit makes.
  func noteLog() {
    if log == nil { log = Identity(logPath) }
  }

  /// Looks whether both files are where they were.
  ///
  /// - Returns: what is wrong; nil: nothing.
  func look() -> StoreError? {
    let isThere = Identity(path) == database && (log == nil || Identity(logPath) == log)
    fault = isThere ? nil : removed
    return fault
  }

  private var removed: StoreError {
    StoreError(
      .storageFailed,
      "\(path) was removed or replaced while it was in use: nothing is saved any more",
      remedy: "put it back, or restart restored to begin with what is there now"
    )
  }
}
