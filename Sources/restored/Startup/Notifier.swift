import Glibc

/// Tells the service manager how the daemon is.
///
/// Source: sd_notify(3).
struct Notifier {
  private let path: String

  /// Nil where nobody listens: `NOTIFY_SOCKET` is unset, empty, or neither a path nor an abstract name.
  init?(environment: (String) -> String?) {
    guard let path = environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
    self.path = path
  }

  /// Sends assignments such as `READY=1`, one a line.
  ///
  /// What cannot be sent is lost: nothing depends on it here.
  func send(_ text: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    var text = text
    text.withUTF8 { payload in
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = sendto(descriptor, payload.baseAddress, payload.count, Int32(MSG_NOSIGNAL), $0, length)
        }
      }
    }
  }
}
