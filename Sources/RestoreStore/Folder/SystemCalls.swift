#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a folder could not be taken into use.
enum SystemFault: Error {
  /// A system call failed: what was tried, as it follows "cannot", on which path, and its `errno`.
  case call(attempt: String, path: String, number: Int32)
  /// The folder belongs to another user.
  case foreign(owner: UInt32, String)
  /// The folder is on a file system of this name, on which SQLite's locks and its shared memory do not work.
  case network(fileSystem: String, String)
  /// Another process has the folder; 0: which one is unknown.
  case held(by: Int, String)

  init(attempt: String, path: String, number: Int32) {
    self = .call(attempt: attempt, path: path, number: number)
  }

  /// The fault for whoever opened the store.
  var asStoreError: StoreError {
    switch self {
    case .call(let attempt, let path, let number): Self.failed(attempt, path, number)
    case .held(let process, let path): Self.held(process, path)
    case .foreign(let owner, let path):
      StoreError(
        .folderUnusable,
        "the state folder \(path) belongs to uid \(owner), not to uid \(geteuid()), which runs this",
        remedy: "give it to this user (chown), or choose another state folder"
      )
    case .network(let fileSystem, let path):
      StoreError(
        .unsuitableDisk,
        "the state folder \(path) is on \(fileSystem), where other machines could write beside this one",
        remedy: "choose a state folder on a disk of this machine"
      )
    }
  }

  private static func held(_ process: Int, _ path: String) -> StoreError {
    let who = process > 0 ? "process \(process)" : "another process"
    return StoreError(
      .locked,
      "\(who) has the state folder \(path)",
      remedy: "use the service it runs, or end it, or choose another state folder"
    ) { $0.process = process > 0 ? process : nil }
  }

  private static func failed(_ attempt: String, _ path: String, _ number: Int32) -> StoreError {
    let words = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    let code: StoreError.Code =
      switch number {
      case EROFS: .unsuitableDisk
      case ENOSPC, EDQUOT: .storageFull
      case EIO: .storageFailed
      default: .folderUnusable
      }
    return StoreError(
      code,
      "cannot \(attempt) \(path): \(words)",
      remedy: Self.remedy(number)
    )
  }

  /// Whether no more files may be open.
  static func isForWantOfFiles(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

  private static func remedy(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "give this user the right to write there, or choose another state folder"
    case EROFS: "mount the file system for writing, or choose another state folder"
    case ENOSPC, EDQUOT: "free some space there"
    case _ where isForWantOfFiles(number): "let it open more files (ulimit -n, or LimitNOFILE= of the unit)"
    case ENOTDIR, ELOOP: "choose a state folder whose path leads through folders"
    default: "look into the file system that holds it"
    }
  }
}

/// The few calls that the store makes by itself; the rest SQLite makes.
///
/// Those that change something ask `StoreHooks.folderCall` first, so that a test can have them fail.
enum SystemCalls {
  /// Makes a folder of mode 0700, whatever the umask.
  ///
  /// One that is there already stays as it is. The name is not synced.
  static func makeFolder(_ path: String, _ hooks: StoreHooks) throws(SystemFault) {
    try ask(hooks, .makeFolder, path, "make the folder")
    if mkdir(path, 0o700) != 0 {
      if errno == EEXIST { return }
      throw SystemFault(attempt: "make the folder", path: path, number: errno)
    }
    if chmod(path, 0o700) != 0 { throw SystemFault(attempt: "set the mode of", path: path, number: errno) }
  }

  /// Makes an empty file of mode 0600, whatever the umask, and syncs its name.
  ///
  /// - Returns: false where there is one already, which stays as it is.
  static func makeFile(_ path: String, in folder: String, _ hooks: StoreHooks) throws(SystemFault) -> Bool {
    try ask(hooks, .makeFile, path, "make")
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file < 0 {
      if errno == EEXIST { return false }
      throw SystemFault(attempt: "make", path: path, number: errno)
    }
    defer { close(file) }
    if fchmod(file, 0o600) != 0 { throw SystemFault(attempt: "set the mode of", path: path, number: errno) }
    try syncFolder(folder, hooks)
    return true
  }

  private static func ask(
    _ hooks: StoreHooks,
    _ call: StoreHooks.FolderCall,
    _ path: String,
    _ attempt: String
  ) throws(SystemFault) {
    guard let number = hooks.folderCall?(call, path), number != 0 else { return }
    throw SystemFault(attempt: attempt, path: path, number: number)
  }

  /// Syncs a folder, so that the names in it survive a loss of power.
  ///
  /// fsync(2): the sync of a file does not sync the folder that names it.
  static func syncFolder(_ path: String, _ hooks: StoreHooks = StoreHooks()) throws(SystemFault) {
    try ask(hooks, .syncFolder, path, "sync the folder")
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder < 0 { throw SystemFault(attempt: "open the folder", path: path, number: errno) }
    defer { close(folder) }
    // Some file systems know no sync of a folder (EINVAL): there is nothing to do then.
    if fsync(folder) != 0 && errno != EINVAL {
      throw SystemFault(attempt: "sync the folder", path: path, number: errno)
    }
  }

  /// What the kernel calls the time since the machine started; nil: it does not tell.
  ///
  /// proc_sys_kernel(5)
  static let boot: String? = {
    let id = contents("/proc/sys/kernel/random/boot_id").split(whereSeparator: \.isWhitespace)
    return id.first.map(String.init)
  }()

  /// Follows every symbolic link on the way to `path`.
  static func resolve(_ path: String) throws(SystemFault) -> String {
    guard let resolved = realpath(path, nil) else {
      throw SystemFault(attempt: "find the folder", path: path, number: errno)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The text of a small file; empty where it cannot be read.
  static func contents(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  /// Bytes of a file; 0 where there is none.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Syncs a file that nobody of this process has open with SQLite: closing it drops the locks held on it.
  static func syncFile(_ path: String, _ hooks: StoreHooks = StoreHooks()) throws(SystemFault) {
    try ask(hooks, .syncFile, path, "sync")
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    if file < 0 { throw SystemFault(attempt: "open", path: path, number: errno) }
    defer { close(file) }
    if fsync(file) != 0 { throw SystemFault(attempt: "sync", path: path, number: errno) }
  }

  /// Renames within a folder; what has the new name already is replaced.
  static func move(_ path: String, to other: String, _ hooks: StoreHooks = StoreHooks()) throws(SystemFault) {
    try ask(hooks, .rename, path, "rename to \(other)")
    if rename(path, other) != 0 { throw SystemFault(attempt: "rename to \(other)", path: path, number: errno) }
  }

  /// Takes a file's name away, if there is one.
  static func remove(_ path: String, _ hooks: StoreHooks = StoreHooks()) throws(SystemFault) {
    try ask(hooks, .remove, path, "remove")
    if unlink(path) != 0 && errno != ENOENT { throw SystemFault(attempt: "remove", path: path, number: errno) }
  }

  /// Writes a new small file of mode 0600, and syncs it.
  static func write(_ text: String, to path: String, _ hooks: StoreHooks = StoreHooks()) throws(SystemFault) {
    try ask(hooks, .write, path, "write")
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file < 0 { throw SystemFault(attempt: "make", path: path, number: errno) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { Self.writeAll(file, $0) }
    if count < bytes.count || fsync(file) != 0 {
      throw SystemFault(attempt: "write", path: path, number: errno)
    }
  }

  private static func writeAll(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    var done = 0
    while done < bytes.count {
      #if canImport(Glibc)
        let count = Glibc.write(file, bytes.baseAddress! + done, bytes.count - done)
      #else
        let count = Darwin.write(file, bytes.baseAddress! + done, bytes.count - done)
      #endif
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return done }
      done += count
    }
    return done
  }

  /// The names in a folder; empty where it cannot be read.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What stands at a path, a symbolic link for itself.
  enum Entry {
    case none
    case file(bytes: Int)
    case link
    case folder
    case other
  }

  /// Looks at a path.
  static func entry(_ path: String) throws(SystemFault) -> Entry {
    var status = stat()
    if lstat(path, &status) != 0 {
      if errno == ENOENT { return .none }
      throw SystemFault(attempt: "look at", path: path, number: errno)
    }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file(bytes: Int(status.st_size))
    case S_IFLNK: .link
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// The folder that a path is in.
  static func parent(of path: String) -> String {
    var rest = path[...]
    while rest.count > 1 && rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }
}
