import Glibc

/// Where a program sends its notifications, sd_notify(3).
public final class Notifications {
  /// What `$NOTIFY_SOCKET` is to be.
  public let path: String
  private let descriptor: Int32

  /// Listens at a path of its own in `folder`.
  public init(in folder: TemporaryFolder) {
    path = folder.file("notify-\(UInt32.random(in: 0 ... .max))")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let bound = SocketAddress.with(path: path) { bind(descriptor, $0, $1) }
    guard bound == 0 else { fatalError("cannot listen for notifications at \(path)") }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// Blocks until `child` says that it is ready (true), or has ended (false).
  public func isReady(_ child: ChildProcess) -> Bool {
    while child.isReadable(descriptor) {
      if next().contains("READY=1") { return true }
    }
    return false
  }

  /// What was sent and not yet read; nil where there is nothing.
  public func nextIfAny() -> String? {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0 ? next() : nil
  }

  private func next() -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
