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
  static func make(_ path: String, mode: mode_t, for purpose: String) throws(DaemonFault) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(path, ENOTDIR, purpose) }
      return
    }
    let above = parent(of: path)
    if above != path { try make(above, mode: mode, for: purpose) }
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw failure(path, errno, purpose) }
    chmod(path, mode)
    let parent = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    fsync(parent)
    close(parent)
  }

  private static func failure(_ path: String, _ code: Int32, _ purpose: String) -> DaemonFault {
    DaemonFault(
      exit: .cannotCreate,
      message: "cannot make the folder \(path) for \(purpose): \(errorText(code)); make it, or choose another place"
    )
  }
}
