import Glibc

/// The lock that makes one daemon the only one of its state folder, and one of its socket.
///
/// Held by flock(2) on a file that carries the holder's pid: the kernel lets go of it when the process ends, however
/// it ends, so it is never stale. The file stays, unless whoever made it did not start after all (`discard`): so who has
/// locked a file looks whether it still is the one of that name.
final class InstanceLock {
  private let descriptor: Int32
  private let path: String
  private let isNew: Bool

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - path: the lock file, made with mode 0600 where it is missing.
  ///   - what: what is locked, for the message: "the state folder /var/lib/restored".
  ///   - opened: called each time the file has been opened and is not locked yet; for tests.
  /// - Throws: `anotherRuns` naming the holder, or `cannotCreate`.
  init(_ path: String, of what: String, opened: () -> Void = {}) throws(DaemonFault) {
    self.path = path
    (descriptor, isNew) = try Self.take(path, of: what, opened)
    let pid = String(getpid()) + "\n"
    ftruncate(descriptor, 0)
    _ = pid.utf8.withContiguousStorageIfAvailable { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Removes the file if it was made for this lock, which guards nothing from here on.
  func discard() {
    if isNew { unlink(path) }
  }

  /// Opens and locks the file of that name.
  private static func take(
    _ path: String,
    of what: String,
    _ opened: () -> Void
  ) throws(DaemonFault) -> (descriptor: Int32, isNew: Bool) {
    while true {
      let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
      var isNew = true
      var descriptor = open(path, flags | O_CREAT | O_EXCL, 0o600)
      if descriptor < 0, errno == EEXIST {
        isNew = false
        descriptor = open(path, flags)
        if descriptor < 0, errno == ENOENT { continue }
      }
      guard descriptor >= 0 else {
        throw DaemonFault(
          exit: .cannotCreate,
          message: "cannot lock \(what): \(path): \(failure(errno, remedy: "make it writable by this user"))"
        )
      }
      opened()
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let holder = holder(descriptor)
        close(descriptor)
        throw DaemonFault(
          exit: .anotherRuns,
          message: "another restored\(holder) has \(what); stop it first, or use another with --state-dir and --socket"
        )
      }
      if isNamed(path, descriptor) { return (descriptor, isNew) }
      close(descriptor)
    }
  }

  /// Whether the open file is the one that has this name.
  private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev
      && opened.st_ino == named.st_ino
  }

  // Unlocked by name: a child forked meanwhile has the open file too until its exec.
  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func holder(_ descriptor: Int32) -> String {
    let text = String(unsafeUninitializedCapacity: 16) { max(0, pread(descriptor, $0.baseAddress, $0.count, 0)) }
    return Int(text.split(separator: "\n").first ?? "").map { " (pid \($0))" } ?? ""
  }
}
