#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder of one store: made where it is missing, and for one process at a time.
///
/// The lock goes with the last who holds this.
final class DatabaseFolder {
  /// The database's name in the folder.
  static let databaseName = "restored.sqlite3"
  /// The name of the file whose lock says that a process has the folder.
  ///
  /// It holds that process's id.
  static let lockName = "restored.lock"

  /// The database's path, with no symbolic link on it.
  let databasePath: String
  /// What the one who held the lock before has left.
  let former: Former
  /// The lock file, and the folder itself: where somebody removes the one, the other still keeps others away.
  private let locks: [Int32]

  /// Makes the folder (0700) and each missing one above it, and takes the lock.
  ///
  /// The modes do not depend on the umask. The names on the way to a new database are synced; one that is there is made
  /// the owner's alone.
  init(_ path: String, _ hooks: StoreHooks = StoreHooks()) throws(StoreError) {
    let made = try Self.prepare(path, hooks)
    databasePath = made.database
    former = made.former
    locks = made.locks
  }

  // Unlocked by name: a child that this process has forked and that has not come to its exec yet has the lock's open file
  // too, and would keep it. The file stays: removing it would let two processes lock two files.
  deinit { Self.release(locks) }

  private static func release(_ locks: [Int32]) {
    for lock in locks {
      flock(lock, LOCK_UN)
      close(lock)
    }
  }

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
  ) throws(StoreError) -> (database: String, former: Former, locks: [Int32]) {
    do throws(SystemFault) {
      let made = try makeFolders(path, hooks)
      let folder = try SystemCalls.resolve(path)
      try FileSystem.check(folder)
      let lock = try openLock(folder + "/" + lockName)
      let former = Former(read(lock))
      if let holder = take(lock, former) {
        close(lock)
        throw SystemFault.held(by: holder, path)
      }
      var locks = [lock]
      do throws(SystemFault) {
        locks += try lockFolder(folder)
        if access(folder + "/" + databaseName, F_OK) != 0 { try syncNames(of: folder, made: made, hooks) }
        try tighten(folder + "/" + databaseName)
      } catch {
        release(locks)
        throw error
      }
      return (folder + "/" + databaseName, former, locks)
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
      missing = SystemCalls.parent(of: missing)
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
      folder = SystemCalls.parent(of: folder)
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

  /// Takes rights from others to the database that is there.
  ///
  /// It is not opened here: closing any descriptor of it would drop the locks that SQLite holds in this process.
  /// https://sqlite.org/howtocorrupt.html (2.2)
  private static func tighten(_ path: String) throws(SystemFault) {
    var status = stat()
    if lstat(path, &status) != 0 {
      if errno == ENOENT { return }
      throw SystemFault(attempt: "look at", path: path, number: errno)
    }
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
  private static func take(_ lock: Int32, _ former: Former) -> Int? {
    if flock(lock, LOCK_EX | LOCK_NB) != 0 { return readProcess(lock) ?? 0 }
    write(former, to: lock)
    return nil
  }

  /// Locks the folder itself, where its file system can do that.
  private static func lockFolder(_ folder: String) throws(SystemFault) -> [Int32] {
    let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if handle < 0 { throw SystemFault(attempt: "open the folder", path: folder, number: errno) }
    if flock(handle, LOCK_EX | LOCK_NB) == 0 { return [handle] }
    let number = errno
    close(handle)
    if number == EWOULDBLOCK { throw .held(by: 0, folder) }
    return []
  }

  /// Remembers for the next start that there is a database, how it is written, and since when.
  func noteDatabase(_ durability: StoreOptions.Durability) { Self.write(Former(durability), to: locks[0]) }

  private static func write(_ former: Former, to lock: Int32) {
    let bytes = Array("\(getpid())\n\(former.lines)".utf8)
    // Over what is there, which takes no space: on a full disk a file that was emptied first would stay empty.
    let count = bytes.withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
    if count == bytes.count { _ = ftruncate(lock, off_t(count)) }
  }

  private static func readProcess(_ lock: Int32) -> Int? {
    read(lock).split(separator: "\n").first.flatMap { Int($0) }
  }

  private static func read(_ lock: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = buffer.withUnsafeMutableBytes { pread(lock, $0.baseAddress, $0.count, 0) }
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }
}

/// What the lock file says, behind its holder's id, of when the lock was last held, and of the database that was there then.
struct Former {
  /// Whether there was one: an empty file is one that was lost then, and not one that is just being made.
  let hadDatabase: Bool
  /// Whether each commit was synced before the next: what is missing in the middle of the log is damage then.
  let isSynced: Bool
  /// Whether the machine has been running since, so that every file is what was last written to it.
  let isOfThisBoot: Bool

  private static let databaseWord = "database"
  private static let bootWord = "boot"

  /// Of a database that is open now.
  init(_ durability: StoreOptions.Durability) {
    (hadDatabase, isSynced, isOfThisBoot) = (true, durability == .full, true)
  }

  /// Of the lock file's text.
  fileprivate init(_ text: String) {
    var words: [Substring: Substring] = [:]
    for line in text.split(separator: "\n").dropFirst() {
      let parts = line.split(separator: " ")
      if let word = parts.first { words[word] = parts.last }
    }
    hadDatabase = words[Self.databaseWord[...]] != nil
    isSynced = words[Self.databaseWord[...]].map { $0 == StoreOptions.Durability.full.rawValue } ?? false
    isOfThisBoot = words[Self.bootWord[...]].map { String($0) == SystemCalls.boot } ?? false
  }

  /// What the lock file in a folder says, whoever holds it.
  init(in folder: String) { self.init(SystemCalls.contents(folder + "/" + DatabaseFolder.lockName)) }

  fileprivate var lines: String {
    let durability = isSynced ? StoreOptions.Durability.full : .normal
    let database = hadDatabase ? "\(Self.databaseWord) \(durability.rawValue)\n" : ""
    guard isOfThisBoot, let boot = SystemCalls.boot else { return database }
    return database + "\(Self.bootWord) \(boot)\n"
  }
}
