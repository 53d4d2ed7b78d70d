import CLinux
import Glibc

/// Unix stream sockets by path, unix(7).
package enum UnixSocket {
  /// How many peers may wait to be accepted.
  package static let backlog: Int32 = 4_096

  /// Makes a listening, non-blocking socket at `path`, where nothing may be yet.
  ///
  /// - Parameter mode: the file's permissions, set before anyone can connect.
  /// - Throws: what failed: `EADDRINUSE` where something is at the path, `ENAMETOOLONG` beyond 107 bytes. Nothing
  ///   is left at the path then.
  package static func listen(path: String, mode: mode_t) throws(SystemFault) -> Descriptor {
    let number = clinux_unix_socket(1)
    guard number >= 0 else { throw SystemFault("socket") }
    let socket = Descriptor(owning: number)
    try withAddress(path) { address, size throws(SystemFault) in
      guard bind(number, address, size) == 0 else { throw SystemFault("bind", path) }
    }
    // Between bind and listen nobody gets in, whatever the umask made of the mode.
    guard chmod(path, mode) == 0, Glibc.listen(number, backlog) == 0 else {
      let fault = SystemFault("listen", path)
      unlink(path)
      throw fault
    }
    return socket
  }

  /// Connects to the socket at `path`, and makes the connection non-blocking.
  ///
  /// Blocks while the listener's backlog is full, for up to `timeoutMilliseconds`: `EAGAIN` then.
  package static func connect(path: String, timeoutMilliseconds: Int?) throws(SystemFault) -> Descriptor {
    let number = clinux_unix_socket(0)
    guard number >= 0 else { throw SystemFault("socket") }
    let socket = Descriptor(owning: number)
    if let timeoutMilliseconds {
      // connect(2) on a Unix socket waits as long as a send would, and 0 would be for ever.
      let bounded = max(1, timeoutMilliseconds)
      var wait = timeval(tv_sec: bounded / 1_000, tv_usec: bounded % 1_000 * 1_000)
      setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }
    try withAddress(path) { address, size throws(SystemFault) in
      while Glibc.connect(number, address, size) != 0 {
        guard errno == EINTR else { throw SystemFault("connect", path) }
      }
    }
    guard clinux_set_nonblocking(number) == 0 else { throw SystemFault("fcntl", path) }
    return socket
  }

  private static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemFault) -> Void
  ) throws(SystemFault) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The last byte of the field stays 0.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
      throw SystemFault("connect", path, code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result: Result<Void, SystemFault> = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        do throws(SystemFault) {
          return .success(try body(generic, socklen_t(MemoryLayout<sockaddr_un>.size)))
        } catch { return .failure(error) }
      }
    }
    try result.get()
  }
}
