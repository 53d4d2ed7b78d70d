import Glibc

/// Whether a stream may be coloured, and how.
struct Style: Sendable {
  let isColoured: Bool

  /// Coloured only on a terminal that is not `dumb`, unless `--no-color` or `NO_COLOR` (https://no-color.org).
  init(descriptor: Int32, refused: Bool) {
    isColoured =
      !refused && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb" && isatty(descriptor) == 1
  }

  func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  func red(_ text: String) -> String { isColoured ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
}
