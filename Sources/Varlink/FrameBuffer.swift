import Glibc

/// Collects what a stream socket brings, and yields it message by message: each ends with a NUL byte, see
/// https://varlink.org/Method-Call.
///
/// Once all of it is taken it holds no memory.
struct FrameBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// No NUL is before this index: a message that comes in byte by byte is looked through once.
  private var scanned = 0

  /// Bytes not yet taken.
  var count: Int { bytes.count - start }

  /// Bytes of memory held.
  var capacity: Int { bytes.capacity }

  /// Adds what was read.
  mutating func append(_ piece: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes = Array(piece)
      start = 0
      scanned = 0
    } else {
      compact()
      bytes.append(contentsOf: piece)
    }
  }

  /// The next whole message without its NUL, or nil while there is none.
  ///
  /// It stays valid when the buffer moves on.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = endOfMessage() else { return nil }
    let frame = bytes[start..<end]
    start = end + 1
    scanned = start
    if start == bytes.count { self = FrameBuffer() }
    return frame
  }

  /// Whether `next` would yield a message.
  mutating func hasMessage() -> Bool { endOfMessage() != nil }

  /// Whether there is one whole message, and nothing behind it.
  mutating func isOneMessage() -> Bool { endOfMessage() == bytes.count - 1 }

  /// The beginning of a message that is not whole yet.
  var partial: ArraySlice<UInt8> { bytes[start...] }

  private mutating func endOfMessage() -> Int? {
    guard scanned < bytes.count else { return nil }
    let found = bytes.withUnsafeBytes { all -> Int? in
      guard let base = all.baseAddress, let nul = memchr(base + scanned, 0, all.count - scanned) else { return nil }
      return UnsafeRawPointer(nul) - base
    }
    // The NUL itself stays to be found again until the message is taken.
    scanned = found ?? bytes.count
    return found
  }

  /// Moves the rest to the front, once what was taken outweighs it.
  private mutating func compact() {
    guard start > count else { return }
    bytes.removeSubrange(..<start)
    scanned -= start
    start = 0
  }
}
