import Glibc
import Varlink

/// A folder for a database that nobody else sees, in memory where the system has such a place.
///
/// Removed by `remove`, or at an orderly end of the process.
final class MemoryFolder: Sendable {
  /// Its path.
  let path: String

  /// The folders to be removed at the end.
  private static let living = Locked<Set<String>?>(nil)

  /// Makes one; nil, with `errno` set, where none can be made.
  init?() {
    var template = Array((Self.parent + "/restore-in-memory-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    Self.living.withLock { living in
      if living == nil { atexit { MemoryFolder.removeAll() } }
      living = (living ?? []).union([path])
    }
  }

  /// Removes it, with all that is in it.
  func remove() {
    Self.remove(path)
    _ = Self.living.withLock { $0?.remove(path) }
  }

  /// What a session's end or a restart empties, in memory as a rule.
  private static var parent: String {
    for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
      guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/"), access(value, W_OK) == 0
      else { continue }
      return value
    }
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
  }

  private static func removeAll() {
    for path in living.withLock({ $0 ?? [] }) { remove(path) }
  }

  /// Removes the folder and the files in it; there are no folders in it.
  private static func remove(_ path: String) {
    guard let folder = opendir(path) else { return }
    defer {
      closedir(folder)
      rmdir(path)
    }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { unlink(path + "/" + name) }
    }
  }
}
