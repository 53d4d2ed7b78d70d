import Glibc

/// Makes folders that survive a power cut.
enum Folder {
  /// The folder that a path is in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes `path` and what is missing above it, each with `mode` whatever the umask, and has each entry on disk.
  ///
  /// - Parameter purpose: what it is for, for the message.
  /// - Returns: those that it made, the outermost first.
  /// - Throws: `cannotCreate`; nothing that it made is left then.
  @discardableResult
  static func make(_ path: String, mode: mode_t, for purpose: String) throws(DaemonFault) -> [String] {
    var missing: [String] = []
    var status = stat()
    var folder = path
    while stat(folder, &status) != 0 {
      missing.append(folder)
      guard parent(of: folder) != folder else { break }
      folder = parent(of: folder)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(folder, ENOTDIR, purpose) }
    var made: [String] = []
    for folder in missing.reversed() {
      if mkdir(folder, mode) == 0 {
        made.append(folder)
      } else if errno != EEXIST {
        let code = errno
        remove(made)
        // Somebody has removed what was there a moment ago.
        if code == ENOENT, isMissing(parent(of: folder)) { return try make(path, mode: mode, for: purpose) }
        throw failure(folder, code, purpose)
      }
      chmod(folder, mode)
      let above = open(parent(of: folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard above >= 0 else { continue }
      fsync(above)
      close(above)
    }
    return made
  }

  /// What to say of a folder to which others may write, who could take away or replace what is saved; nil: nobody may.
  static func rights(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o022 != 0 else { return nil }
    let mode = String(status.st_mode & 0o7777, radix: 8)
    return
      "others may write to the state folder \(path) (mode \(mode)), and so take away what is saved: chmod go-w \(path)"
  }

  /// Whether nothing has that name.
  static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }

  /// Removes folders that `make` made, as far as nobody has put anything into them.
  static func remove(_ made: [String]) {
    for folder in made.reversed() { rmdir(folder) }
  }

  private static func failure(_ path: String, _ code: Int32, _ purpose: String) -> DaemonFault {
    DaemonFault(
      exit: .cannotCreate,
      message: "cannot make the folder \(path) for \(purpose): \(errorText(code)); make it, or choose another place"
    )
  }
}
