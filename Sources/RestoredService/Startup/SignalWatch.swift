import CLinux
import Glibc
import Varlink

/// Turns SIGTERM and SIGINT into a call on the loop.
final class SignalWatch: EventHandler {
  private let descriptor: Int32
  private let onSignal: () -> Void

  /// Blocks the signals in this thread and in those started later, and waits for them on `loop`.
  init(_ loop: EventLoop, _ onSignal: @escaping () -> Void) throws(SystemFault) {
    self.onSignal = onSignal
    descriptor = clinux_signalfd([SIGTERM, SIGINT], 2)
    guard descriptor >= 0 else { throw SystemFault("signalfd") }
    try loop.add(descriptor, .readable, self)
  }

  deinit { close(descriptor) }

  func ready(_ events: EventSet) {
    while clinux_signalfd_next(descriptor) > 0 { onSignal() }
  }
}
