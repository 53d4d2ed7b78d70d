#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a regular file, whatever they are, read without SQLite.
///
/// Never opened while a connection of this process must keep its locks on the same file, unless it is kept until that
/// connection is closed: closing any descriptor of a file drops them. https://sqlite.org/howtocorrupt.html (2.2)
final class RawFile {
  /// Bytes that it had when it was opened.
  let size: Int
  private let descriptor: Int32

  /// Nil where there is no regular file of this name, or it cannot be read.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// The bytes from `offset` on; nil where there are not so many, or the disk does not give them.
  func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
    guard offset >= 0, count > 0, offset <= size - count else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        if got <= 0 { return }
        filled += got
      }
    }
    return bytes.count == count ? bytes : nil
  }
}

extension [UInt8] {
  /// The big-endian number at an offset, as SQLite's files have them.
  func big16(_ offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// As `big16`, of four bytes.
  func big32(_ offset: Int) -> Int { big16(offset) << 16 | big16(offset + 2) }

  /// The number at an offset in the order of this machine, as the WAL's index has them.
  func native32(_ offset: Int) -> UInt32 {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}
