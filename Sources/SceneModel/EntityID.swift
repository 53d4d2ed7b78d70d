/// The id of an entity, in the form in which ids are compared: two UUIDs whatever their case, all
/// else byte for byte.
package enum EntityID: Hashable, Sendable {
  /// A UUID written 8-4-4-4-12: its first and its last 8 bytes, the first written one highest.
  case uuid(UInt64, UInt64)
  /// Any other id: the bytes of its UTF-8, escapes decoded, nothing normalized.
  case text([UInt8])

  /// Bytes in the longest id.
  package static let maximumBytes = 4096
  private static let uuidBytes = 36

  /// Makes an id of its decoded bytes: of a string those without quotes and escapes, of a number its spelling.
  ///
  /// Nil where no entity can have such an id: it is empty, or longer than `maximumBytes`. A control
  /// character is the business of whoever adds ids: here it only makes an id that no one has.
  package init?(decoded: UnsafeBufferPointer<UInt8>) {
    if decoded.isEmpty || decoded.count > Self.maximumBytes { return nil }
    if decoded.count == Self.uuidBytes, let (high, low) = Self.uuid(decoded) {
      self = .uuid(high, low)
    } else {
      self = .text(Array(decoded))
    }
  }

  /// Makes an id of a text; all else as for its bytes.
  package init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ EntityID(decoded: $0) }) else { return nil }
    self = id
  }

  /// The id as replies spell it: a UUID in lower case.
  package var description: String {
    switch self {
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .uuid(let high, let low): Self.spelling(high, low)
    }
  }

  private static func uuid(_ text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    var halves: (UInt64, UInt64) = (0, 0)
    for (place, byte) in text.enumerated() {
      switch place {
      case 8, 13, 18, 23:
        if byte != UInt8(ascii: "-") { return nil }
      default:
        guard let digit = hexValue(byte) else { return nil }
        // The 16 digits of the first half end with place 17.
        if place < 18 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
      }
    }
    return halves
  }

  private static func hexValue(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private static func spelling(_ high: UInt64, _ low: UInt64) -> String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: uuidBytes) { buffer in
      var place = 0
      for nibble in 0..<32 {
        if place == 8 || place == 13 || place == 18 || place == 23 {
          buffer[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = nibble < 16 ? high : low
        buffer[place] = digits.utf8Start[Int(half >> UInt64(60 - (nibble % 16) * 4) & 0xF)]
        place += 1
      }
      return uuidBytes
    }
  }
}
