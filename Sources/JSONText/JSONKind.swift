/// The seven kinds of JSON value; `true` and `false` are told apart by kind.
public enum JSONKind: UInt8, Sendable {
  case null, `false`, `true`, number, string, array, object

  /// The kind of the value that begins with `byte`, or nil where no value can begin with it.
  package init?(firstByte byte: UInt8) {
    switch byte {
    case Byte.braceOpen: self = .object
    case Byte.bracketOpen: self = .array
    case Byte.quote: self = .string
    case UInt8(ascii: "t"): self = .true
    case UInt8(ascii: "f"): self = .false
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    default: return nil
    }
  }

  /// The kind's name with its article, for messages: "an object".
  package var phrase: String {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The bytes that JSON's grammar names.
enum Byte {
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let braceOpen = UInt8(ascii: "{")
  static let braceClose = UInt8(ascii: "}")
  static let bracketOpen = UInt8(ascii: "[")
  static let bracketClose = UInt8(ascii: "]")

  /// Whether `byte` is one of the four white-space bytes of RFC 8259.
  @inline(__always)
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    // One comparison for the bytes of texts that have none, which most programs write.
    byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
  }

  /// Whether `byte` is a decimal digit.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The value of a hexadecimal digit, or nil.
  @inline(__always)
  static func hexValue(_ byte: UInt8) -> UInt32? {
    if isDigit(byte) { return UInt32(byte &- 0x30) }
    let lower = byte | 0x20
    return lower &- 0x61 < 6 ? UInt32(lower &- 0x61 &+ 10) : nil
  }
}
