import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one place where SQLite's failures become the store's.
extension StoreError {
  /// A failure of a call on an open database.
  ///
  /// `path` is the database's.
  init(_ error: SQLiteError, _ path: String) {
    switch error.primary {
    case _ where error.isForWantOfSpace:
      self = .full("the disk that holds \(path) is full, or what this user may have of it")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .locked,
        "nothing was saved: another process has \(path) locked",
        remedy: "end the process that has it open (fuser \(path)) and repeat the call"
      )
    case SQLITE_INTERRUPT:
      self.init(.storageFailed, "nothing was saved: the daemon was told to stop", remedy: "repeat the call")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .damaged,
        "\(path) is damaged: \(error.told)",
        remedy: "what can be read of it is being recovered: repeat the call in a moment, and look at the status"
      )
    default:
      self.init(
        .storageFailed,
        "\(path) failed: \(error.told)",
        remedy: "look into the disk and the file system that hold it, then repeat the call"
      )
    }
  }

  /// A failure to open the database at `path`.
  init(opening error: SQLiteError, _ path: String) {
    switch error.primary {
    case _ where error.isForWantOfSpace: self.init(error, path)
    case SQLITE_NOTADB, SQLITE_CORRUPT:
      self.init(
        .damaged,
        "\(path) is no database, or is damaged (\(error.told)); it was left as it is",
        remedy: "start the daemon to have what can be read recovered, or put a backup in its place"
      )
    case SQLITE_CANTOPEN where SystemFault.isForWantOfFiles(error.systemError):
      self = SystemFault.call(attempt: "open", path: path, number: error.systemError).asStoreError
    case SQLITE_CANTOPEN where error.systemError != EIO, SQLITE_PERM, SQLITE_READONLY:
      self.init(
        .folderUnusable,
        "cannot open \(path) for writing: \(error.told)",
        remedy: "give this user the right to write the file and its folder, or choose another state folder"
      )
    default:
      self.init(error, path)
    }
  }
}

extension StoreError {
  /// Nothing was saved for want of space.
  ///
  /// - Parameters:
  ///   - why: what is full.
  ///   - remedy: how to make room.
  static func full(
    _ why: String,
    remedy: String = "free some space there and repeat the call; what was saved before can be read"
  ) -> StoreError {
    StoreError(.storageFull, "nothing was saved: \(why)", remedy: remedy)
  }
}

extension SQLiteError {
  /// SQLite's words with its code, which the manual explains.
  fileprivate var told: String { "\(message) (SQLite code \(code))" }
}
