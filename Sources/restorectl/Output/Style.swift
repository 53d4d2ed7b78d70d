import Glibc

/// What a piece of text is to a reader.
enum Tone: Sendable {
  case plain
  /// Names what follows.
  case title
  /// Wrong, or gone.
  case bad
  /// Not known to be right.
  case doubtful
}

/// Whether a stream may be coloured, and how.
struct Style: Sendable {
  let isColoured: Bool

  /// Coloured only on a terminal that is not `dumb`, unless `--no-color` or `NO_COLOR` (https://no-color.org).
  init(descriptor: Int32, refused: Bool) {
    isColoured =
      !refused && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb" && isatty(descriptor) == 1
  }

  init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The text in its tone, where there is colour; the words alone must say as much.
  func set(_ text: String, _ tone: Tone) -> String {
    guard isColoured, !text.isEmpty else { return text }
    // Select Graphic Rendition, see console_codes(4).
    let code =
      switch tone {
      case .plain: ""
      case .title: "1"
      case .bad: "31"
      case .doubtful: "33"
      }
    return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
