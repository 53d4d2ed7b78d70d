import Glibc

/// The lock that makes one daemon the only one of its state folder, and one of its socket.
///
/// Held by flock(2) on a file that carries the holder's pid: the kernel lets go of it when the process ends, however
/// it ends, so it is never stale. The file stays; removing it would let two processes lock two files of one name.
final class InstanceLock {
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Parameters:
  ///   - path: the lock file, made with mode 0600 where it is missing.
  ///   - what: what is locked, for the message: "the state folder /var/lib/restored".
  /// - Throws: `anotherRuns` naming the holder, or `cannotCreate`.
  init(_ path: String, of what: String) throws(DaemonFault) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw DaemonFault(
        exit: .cannotCreate,
        message: "cannot lock \(what): \(path): \(errorText(errno)); make it writable by this user"
      )
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.holder(descriptor)
      close(descriptor)
      throw DaemonFault(
        exit: .anotherRuns,
        message: "another restored\(holder) has \(what); stop it first, or use another with --state-dir and --socket"
      )
    }
    let pid = String(getpid()) + "\n"
    ftruncate(descriptor, 0)
    _ = pid.utf8.withContiguousStorageIfAvailable { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
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

/// The kernel's words for an errno.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
