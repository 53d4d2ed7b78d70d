import Glibc

/// What an app that tests start says to them.
package enum TestedApp {
  /// Writes a line to standard output at once, past any buffer: the app may be killed next.
  package static func say(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  /// Tells whoever started the app that it has come as far as it was asked to; `Notifications.isReady` waits for it.
  ///
  /// Does nothing where `$NOTIFY_SOCKET` is not set; sd_notify(3).
  package static func notifyReady() {
    guard let path = getenv("NOTIFY_SOCKET") else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    _ = SocketAddress.with(path: String(cString: path)) { sendto(descriptor, "READY=1", 7, 0, $0, $1) }
  }
}
