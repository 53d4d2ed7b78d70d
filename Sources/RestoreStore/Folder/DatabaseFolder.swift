#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder of one store: made where it is missing, and for one process at a time.
struct DatabaseFolder: ~Copyable {
  /// The database's name in the folder.
  static let databaseName = "restored.sqlite3"
  /// The name of the file whose lock says that a process has the folder.
  ///
  /// It holds that process's id.
  static let lockName = "restored.lock"

  /// The database's path, with no symbolic link on it.
  let databasePath: String
  private let lock: Int32

  /// Makes the folder (0700), each missing one above it, and the database file (0600), and takes the lock.
  ///
  /// The modes do not depend on the umask. The names on the way to a new database are synced.
  init(_ path: String, _ hooks: StoreHooks = StoreHooks()) throws(StoreError) {
    let made = try Self.prepare(path, hooks)
    databasePath = made.database
    lock = made.lock
  }

  // The lock goes with its descriptor. The file stays: removing it would let two processes lock two files.
  deinit { close(lock) }

  /// The database's path in a folder that a writer has open.
  static func databasePath(in path: String) throws(StoreError) -> String {
    do throws(SystemFault) {
      return try SystemCalls.resolve(path) + "/" + databaseName
    } catch {
      throw error.asStoreError
    }
  }

  private static func prepare(
    _ path: String,
    _ hooks: StoreHooks
  ) throws(StoreError) -> (database: String, lock: Int32) {
    do throws(SystemFault) {
      let made = try makeFolders(path, hooks)
      let folder = try SystemCalls.resolve(path)
      try FileSystem.check(folder)
      let lock = try openLock(folder + "/" + lockName)
      if let holder = take(lock) {
        close(lock)
        throw SystemFault.held(by: holder, path)
      }
      do throws(SystemFault) {
        if access(folder + "/" + databaseName, F_OK) != 0 { try syncNames(of: folder, made: made, hooks) }
        try makeFile(folder + "/" + databaseName, in: folder, hooks)
      } catch {
        close(lock)
        throw error
      }
      return (folder + "/" + databaseName, lock)
    } catch {
      throw error.asStoreError
    }
  }

  /// Makes the folder and those above it, where they are missing.
  ///
  /// - Returns: how many were made.
  private static func makeFolders(_ path: String, _ hooks: StoreHooks) throws(SystemFault) -> Int {
    var made: [String] = []
    var missing = path
    while missing.count > 1 && access(missing, F_OK) != 0 {
      made.append(missing)
      missing = parent(of: missing)
    }
    for folder in made.reversed() { try SystemCalls.makeFolder(folder, hooks) }
    return made.count
  }

  /// Syncs the names on the way to a folder that holds no database yet.
  ///
  /// Of those above it that were there, too: a start that was cut short may have made them without coming to this.
  ///
  /// - Parameter made: how many of the folders, the lowest first, were made just now.
  private static func syncNames(of folder: String, made: Int, _ hooks: StoreHooks) throws(SystemFault) {
    var (folder, unsynced) = (folder, made)
    while folder != "/" {
      folder = parent(of: folder)
      do throws(SystemFault) {
        try SystemCalls.syncFolder(folder, hooks)
      } catch {
        // Whoever may not read a folder did not make the ones in it that were there.
        if unsynced <= 0, case .call(_, _, EACCES) = error { return }
        throw error
      }
      unsynced -= 1
    }
  }

  private static func parent(of path: String) -> String {
    var rest = path[...]
    while rest.count > 1 && rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  /// Makes an empty database file, or takes rights from others to the one that is there.
  private static func makeFile(_ path: String, in folder: String, _ hooks: StoreHooks) throws(SystemFault) {
    if try SystemCalls.makeFile(path, in: folder, hooks) { return }
    // An existing file is not opened here: closing any descriptor of it would drop the locks that
    // SQLite holds in this process. https://sqlite.org/howtocorrupt.html (2.2)
    var status = stat()
    if lstat(path, &status) != 0 { throw SystemFault(attempt: "look at", path: path, number: errno) }
    if status.st_mode & 0o177 != 0 && status.st_mode & S_IFMT == S_IFREG && chmod(path, 0o600) != 0 {
      throw SystemFault(attempt: "set the mode of", path: path, number: errno)
    }
  }

  private static func openLock(_ path: String) throws(SystemFault) -> Int32 {
    let lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if lock < 0 { throw SystemFault(attempt: "open", path: path, number: errno) }
    return lock
  }

  /// Locks the folder for this process, and writes its id into the lock file.
  ///
  /// flock(2) belongs to the open file, so a second store in this same process is refused too.
  ///
  /// - Returns: nil where the lock was taken; else the process that has it, 0 where that is unknown.
  private static func take(_ lock: Int32) -> Int? {
    if flock(lock, LOCK_EX | LOCK_NB) != 0 { return readProcess(lock) ?? 0 }
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(lock, 0)
    _ = text.withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
    return nil
  }

  private static func readProcess(_ lock: Int32) -> Int? {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = buffer.withUnsafeMutableBytes { pread(lock, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return nil }
    return Int(String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
