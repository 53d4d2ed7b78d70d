import CLinux
import Glibc

/// Where events go: the journal, with fields, when standard error is the journal; else lines on standard error.
struct Log {
  private let lowest: LogLevel
  private let journal: JournalSocket?

  /// Events of less importance than this are not written, unless `$RESTORED_LOG_LEVEL` says otherwise.
  private static let defaultLevel = LogLevel.info

  /// Opens the log as the environment says.
  ///
  /// A level that is none is passed over: logging never keeps a daemon down.
  init(environment: (String) -> String?, journalPath: String = JournalSocket.path) {
    lowest = environment("RESTORED_LOG_LEVEL").flatMap { LogLevel($0) } ?? Self.defaultLevel
    journal = JournalSocket(environment: environment, path: journalPath)
  }

  /// Whether events of this level are written at all.
  func writes(_ level: LogLevel) -> Bool { level <= lowest }

  /// Writes an event in one piece; does not wait for whoever reads it longer than the kernel makes it.
  func write(_ event: LogEvent) {
    guard writes(event.kind.level) else { return }
    if let journal, journal.send(event) { return }
    var line = "restored: \(event.message)\n"
    line.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }

  /// Writes an event of this kind.
  func write(_ kind: LogEvent.Kind, _ message: String, _ fields: [(name: StaticString, value: String)] = []) {
    write(LogEvent(kind: kind, message: message, fields: fields))
  }
}
