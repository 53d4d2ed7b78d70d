#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a folder could not be taken into use.
enum SystemFault: Error {
  /// A system call failed: what was tried, as it follows "cannot", on which path, and its `errno`.
  case call(attempt: String, path: String, number: Int32)
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
    return StoreError(.folderUnusable, "cannot \(attempt) \(path): \(words)", remedy: Self.remedy(number))
  }

  private static func remedy(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "give this user the right to write there, or choose another state folder"
    case EROFS: "mount the file system for writing, or choose another state folder"
    case ENOSPC, EDQUOT: "free some space there"
    case ENOTDIR, ELOOP: "choose a state folder whose path leads through folders"
    default: "look into the file system that holds it"
    }
  }
}

/// The few calls that the store makes by itself; the rest SQLite makes.
enum SystemCalls {
  /// Syncs a folder, so that the names in it survive a loss of power.
  ///
  /// fsync(2): the sync of a file does not sync the folder that names it.
  static func syncFolder(_ path: String) throws(SystemFault) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder < 0 { throw SystemFault(attempt: "open the folder", path: path, number: errno) }
    defer { close(folder) }
    // Some file systems know no sync of a folder (EINVAL): there is nothing to do then.
    if fsync(folder) != 0 && errno != EINVAL {
      throw SystemFault(attempt: "sync the folder", path: path, number: errno)
    }
  }

  /// Follows every symbolic link on the way to `path`.
  static func resolve(_ path: String) throws(SystemFault) -> String {
    guard let resolved = realpath(path, nil) else {
      throw SystemFault(attempt: "find the folder", path: path, number: errno)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Bytes of a file; 0 where there is none.
  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
