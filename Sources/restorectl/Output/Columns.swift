import Glibc

/// How wide a stream is.
enum Columns {
  /// The columns of the terminal that a stream is; nil: it is none, and lines may have any length.
  ///
  /// `$COLUMNS` goes first, then what the terminal says (ioctl_tty(2)), and 80 where it says nothing.
  static func of(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    if let text = Environment.value("COLUMNS"), let columns = Int(text), sensible ~= columns { return columns }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usual }
    return Int(size.ws_col)
  }

  private static let usual = 80
  private static let sensible = 1...100_000
}
