import Glibc

/// A file that has its new contents whole, or is as it was.
///
/// The contents go to a temporary file in the same folder, are synced, and take the name by rename(2). What is there
/// and is no regular file (a pipe, a terminal) is written to directly, since there a rename would take its place.
struct AtomicFile: ~Copyable {
  private let shown: String
  private let target: String
  /// Nil: written to directly, or finished.
  private var temporary: String?
  private var descriptor: Int32 = -1

  /// Makes the temporary file, so that what forbids writing shows before anything else is done.
  ///
  /// - Throws: `refused` where the folder may not be written to, else `storage`.
  init(path: String) throws(Failure) {
    shown = Shown.text(path)
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      target = path
      temporary = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.fault(shown, errno) }
      return
    }
    // A symbolic link stays: what it points to is replaced.
    target = exists ? Self.resolved(path) : path
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    let name = folder + ".restorectl-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, exists ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw Self.fault(shown, errno) }
    temporary = name
    if exists { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let temporary { unlink(temporary) }
  }

  /// Adds to the contents.
  ///
  /// Throws `storage`; a regular file is as it was then.
  mutating func append(_ bytes: [UInt8]) throws(Failure) {
    if let fault = Streams.write(bytes, to: descriptor) { throw Self.fault(shown, fault) }
  }

  /// Puts the contents in place; on return they are on disk under the file's name.
  ///
  /// Throws `storage`; a regular file is as it was then.
  mutating func commit() throws(Failure) {
    guard let name = temporary else { return }
    guard fsync(descriptor) == 0, rename(name, target) == 0 else { throw Self.fault(shown, errno) }
    temporary = nil
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

  private static func resolved(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  private static func fault(_ shown: String, _ code: Int32) -> Failure {
    Failure(
      code == EACCES || code == EPERM || code == EROFS ? .refused : .storage,
      "cannot write \(shown): \(Streams.reason(code))",
      remedy: "name a file that can be written"
    )
  }
}
