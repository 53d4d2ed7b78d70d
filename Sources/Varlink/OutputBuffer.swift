import CLinux
import Glibc

/// What a connection has still to send.
///
/// The first message is kept as it came, without a copy; those that queue up behind it are joined, so that a batch of
/// replies is one system call. Holds no memory once all is sent.
struct OutputBuffer {
  private var head: [UInt8] = []
  private var sent = 0
  private var tail: [UInt8] = []

  /// How sending went.
  enum Progress {
    /// All is with the kernel.
    case done
    /// The peer has to read first.
    case blocked
    /// The peer is gone, or the socket broken: errno.
    case failed(Int32)
  }

  /// Bytes not yet sent.
  var count: Int { head.count - sent + tail.count }

  /// Bytes of memory held.
  var capacity: Int { head.capacity + tail.capacity }

  mutating func append(_ frame: consuming [UInt8]) {
    if head.isEmpty { head = frame } else { tail += frame }
  }

  /// Throws away what is not sent.
  mutating func removeAll() { self = OutputBuffer() }

  /// Sends as much as the kernel takes.
  mutating func send(to descriptor: Int32) -> Progress {
    while !head.isEmpty {
      let size = head.withUnsafeBytes { first in
        tail.withUnsafeBytes { second in
          clinux_send(
            descriptor,
            first.baseAddress.map { $0 + sent },
            first.count - sent,
            second.baseAddress,
            second.count
          )
        }
      }
      if size < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN ? .blocked : .failed(errno)
      }
      advance(by: size)
    }
    return .done
  }

  private mutating func advance(by size: Int) {
    sent += size
    guard sent >= head.count else { return }
    sent -= head.count
    head = tail
    tail = []
    // A tail that went out whole leaves nothing.
    if sent == head.count { self = OutputBuffer() }
  }
}
