/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// Columns of the whole text; it holds no control character.
  static func of(_ text: String) -> Int {
    // One byte a character, no table look-up: nearly all names.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Columns of what is seen as one character: 0, 1 or 2.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    // A text symbol followed by U+FE0F asks to be drawn as an emoji, a pair joined by U+200D as one.
    if first.properties.isEmoji, character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    if isWide(first) { return 2 }
    return isZero(first) ? 0 : 1
  }

  /// As much of the text's beginning as fits into that many columns.
  static func prefix(_ text: String, columns: Int) -> String {
    var (end, used) = (text.startIndex, 0)
    for index in text.indices {
      used += of(text[index])
      if used > columns { break }
      end = text.index(after: index)
    }
    return String(text[..<end])
  }

  /// The text, or where it is wider, what fits of it and an ellipsis.
  static func cut(_ text: String, columns: Int) -> String {
    // No character takes more columns than it has bytes.
    if text.utf8.count <= columns || of(text) <= columns { return text }
    return prefix(text, columns: columns - 1) + "…"
  }

  private static func isZero(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    case .format: scalar.value != 0xAD
    default: false
    }
  }

  /// East Asian Width W and F (https://www.unicode.org/reports/tr11/), by the blocks that hold them.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
    case 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF: true
    case 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6: true
    case 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD: true
    default: false
    }
  }
}
