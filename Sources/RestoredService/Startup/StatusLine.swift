import RestoreStore
import Varlink

/// Keeps the line that `systemctl status` shows: scenes, connections, health.
///
/// Written at most once a second and only when it differs, so that neither a busy daemon nor an idle one spends on it.
final class StatusLine {
  private let notifier: Notifier
  private let loop: EventLoop
  private let describe: () -> String
  private var sent = ""
  private var isScheduled = false
  private var connections = 0

  private static let pauseMilliseconds = 1_000

  /// Nil where nobody reads it.
  ///
  /// - Parameter describe: the line as it would be now.
  init?(_ notifier: Notifier?, loop: EventLoop, describe: @escaping () -> String) {
    guard let notifier else { return nil }
    self.notifier = notifier
    self.loop = loop
    self.describe = describe
  }

  /// There are so many connections now.
  func touch(_ count: Int) {
    if count != connections { touch() }
    connections = count
  }

  /// Something that it tells of may have changed.
  func touch() {
    guard !isScheduled else { return }
    isScheduled = true
    _ = loop.schedule(afterMilliseconds: Self.pauseMilliseconds) { [self] in
      isScheduled = false
      let line = describe()
      if line != sent { notifier.send("STATUS=\(line)") }
      sent = line
    }
  }
}
