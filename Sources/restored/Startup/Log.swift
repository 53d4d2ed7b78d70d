import Glibc

/// Lines on standard error for whoever runs the daemon.
///
/// A state or an id never reaches them.
enum Log {
  /// How much a line matters; the numbers are syslog's.
  enum Level: Int {
    case error = 3
    case warning = 4
    case notice = 5
  }

  /// Writes one line, in one piece.
  static func write(_ level: Level, _ message: String) {
    var line = "restored: \(message)\n"
    line.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
