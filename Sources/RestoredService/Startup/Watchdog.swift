import RestoreStore
import Varlink

/// Tells the service manager that the daemon lives, only after both of its threads and the database have answered.
///
/// A loop that turns is not enough: a writer that hangs in the disk would save nothing, and nobody would notice.
final class Watchdog {
  private let notifier: Notifier
  private let loop: EventLoop
  private let queue: CommitQueue
  private let reads: () -> Bool
  private let interval: Int

  /// Nil where no watchdog waits for this daemon.
  ///
  /// - Parameter reads: asks the database something; false where it gives no answer.
  init?(_ notifier: Notifier?, loop: EventLoop, queue: CommitQueue, reads: @escaping () -> Bool) {
    guard let notifier, let limit = notifier.watchdogMilliseconds else { return nil }
    self.notifier = notifier
    self.loop = loop
    self.queue = queue
    self.reads = reads
    // Half of what is allowed, as sd_watchdog_enabled(3) advises.
    interval = max(1, limit / 2)
  }

  /// Asks for the first time, and then at each interval for as long as there are answers.
  func start() {
    queue.whenAnswered { [self] in
      if reads() { notifier.send("WATCHDOG=1") }
      _ = loop.schedule(afterMilliseconds: interval) { [self] in start() }
    }
  }
}
