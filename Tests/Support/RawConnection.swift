import Glibc

/// A connection on which a test sends bytes that no client library would.
public final class RawConnection {
  private var descriptor: Int32
  private var received: [UInt8] = []

  /// Connects, or throws the errno.
  public init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let result = SocketAddress.with(path: path) { connect(descriptor, $0, $1) }
    guard result == 0 else { throw ConnectFault(errno: errno) }
  }

  /// Why it could not connect.
  public struct ConnectFault: Error {
    let errno: Int32
  }

  deinit { close() }

  /// Hangs up.
  public func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Sends all bytes; what a closed peer does not take is lost.
  public func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// Waits for the next whole frame, as text without its NUL; empty where the peer closes first.
  public func frame() -> String {
    var scanned = 0
    while true {
      if let end = received[scanned...].firstIndex(of: 0) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      scanned = received.count
      guard receive() else { return "" }
    }
  }

  /// Reads replies until the peer closes (true), or does nothing for ten seconds (false).
  public func isClosedAfterReplies() -> Bool {
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 10_000) > 0 else { return false }
      if !receive() { return true }
    }
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { received += buffer[..<count] }
    return count > 0
  }
}
