import Glibc

/// Tells the service manager how the daemon is.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
struct Notifier {
  private let address: DatagramAddress
  /// Milliseconds within which the manager expects to hear from the daemon; nil where it has no watchdog for it.
  let watchdogMilliseconds: Int?

  /// Nil where nobody listens: `NOTIFY_SOCKET` is unset, empty, or neither a path nor an abstract name.
  init?(environment: (String) -> String?) {
    guard let name = environment("NOTIFY_SOCKET"), name.hasPrefix("/") || name.hasPrefix("@"),
      let address = DatagramAddress(name)
    else { return nil }
    self.address = address
    let isMine = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { Int($0) } ?? 0
    watchdogMilliseconds = isMine && microseconds >= 1_000 ? microseconds / 1_000 : nil
  }

  /// Sends assignments such as `READY=1`, one a line.
  ///
  /// What cannot be sent is lost: nothing depends on it here.
  func send(_ text: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard address.connect(descriptor) else { return }
    var text = text
    text.withUTF8 { _ = Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }
}
