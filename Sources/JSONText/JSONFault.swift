/// What makes a text no JSON, and at which byte.
///
/// The offset counts bytes from the start of the text that was given, and is at most its length.
package struct JSONFault: Error, Hashable, Sendable {
  /// The rule that was broken.
  package enum Reason: Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte that cannot stand here.
    case unexpectedByte(UInt8)
    /// Something follows the value.
    case trailingBytes
    /// A word that is none of `true`, `false`, `null`.
    case invalidLiteral
    /// A number outside the grammar of RFC 8259 (leading zero, bare point, …).
    case invalidNumber
    /// A backslash before a character that is no escape.
    case invalidEscape
    /// A control character that stands raw in a string.
    case controlCharacter(UInt8)
    /// Bytes that are no UTF-8.
    case invalidUTF8
    /// Half a surrogate pair.
    case loneSurrogate
    /// U+0000, which many readers cut a string at.
    case nullCharacter
    /// A key that stands twice in one object, compared decoded: two readers would read two values.
    case duplicateKey
    /// Arrays and objects nested deeper than the limit.
    case tooDeep(maximum: Int)
    /// More bytes than a document can hold.
    case tooLarge
  }

  /// The rule that was broken.
  package var reason: Reason
  /// Where: bytes from the start of the text.
  package var offset: Int

  /// A fault of `reason` at byte `offset`.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The fault in words, without its place.
  package var sentence: String {
    switch reason {
    case .empty: "there is no JSON value"
    case .unexpectedEnd: "the JSON ends before its value is complete"
    case .unexpectedByte(let byte): "unexpected \(Self.name(of: byte))" + encoding(beginning: byte)
    case .trailingBytes: "something follows the JSON value"
    case .invalidLiteral: "unknown word: JSON has true, false and null"
    case .invalidNumber: "not a JSON number"
    case .invalidEscape: "not an escape that JSON knows"
    case .controlCharacter(let byte): "control character \(Self.name(of: byte)) in a string: write it as an escape"
    case .invalidUTF8: "the string is not valid UTF-8"
    case .loneSurrogate: "lone surrogate: half of a UTF-16 pair"
    case .nullCharacter: "U+0000 in a string"
    case .duplicateKey: "duplicate key in one object"
    case .tooDeep(let maximum): "nested deeper than \(maximum) levels"
    case .tooLarge: "the JSON is too large"
    }
  }

  /// What the text is, where its first byte tells.
  private func encoding(beginning byte: UInt8) -> String {
    if offset != 0 { return "" }
    return switch byte {
    case 0xEF: ", as a byte order mark begins: JSON has none"
    case 0xFE, 0xFF: ", as UTF-16 begins: JSON is UTF-8"
    default: ""
    }
  }

  private static func name(of byte: UInt8) -> String {
    if byte > 0x20, byte < 0x7F { return "'\(Character(UnicodeScalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "byte 0x" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
}
