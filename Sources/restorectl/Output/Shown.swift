/// Makes text safe to print: control characters, and those that turn the direction of writing, are spelled out.
enum Shown {
  /// The text with each such character as `\u` and four digits.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) { shown += escape(scalar) } else { shown.unicodeScalars.append(scalar) }
    }
    return shown
  }

  /// The text in quotation marks, with `"` and `\` in it escaped as in JSON.
  static func quoted(_ text: String) -> String {
    var shown = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        shown += "\\"
        shown.unicodeScalars.append(scalar)
      case _ where isUnsafe(scalar): shown += escape(scalar)
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown + "\""
  }

  /// The text as one word of a shell's command line, but for characters that cannot be shown.
  static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x80 ? !isUnsafe(scalar) && !scalar.properties.isWhitespace : wordCharacters.contains(scalar)
      }
    if isPlain { return text }
    // Scalar by scalar: to a shell a quotation mark is one, whatever mark stands above it.
    var quoted = "'"
    for scalar in Shown.text(text).unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }

  private static let wordCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@_".unicodeScalars
  )

  /// JSON for a terminal: the same value, and no character in it that acts on the terminal.
  ///
  /// Line feeds and tabs between values stay, since they are the writer's layout. Bytes that are no UTF-8 do not occur
  /// in a checked document; if they do, they show as U+FFFD.
  static func json(_ bytes: some Collection<UInt8>) -> String {
    var shown = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if isUnsafe(scalar), scalar != "\n", scalar != "\t" {
        shown += escape(scalar)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// U+0000 to U+001F and U+007F to U+009F act on a terminal; line and paragraph separators and the marks of
  /// direction (https://www.unicode.org/reports/tr9/, section 2) make text look like other text.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
