/// Writes one JSON text; puts the commas by itself.
///
/// The caller opens, closes and alternates keys and values rightly; the writer escapes whatever strings it is given.
package struct JSONWriter: Sendable {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// An empty text.
  ///
  /// - Parameter capacity: bytes to make room for at once.
  package init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// Begins an object.
  package mutating func beginObject() { open(Byte.braceOpen) }
  /// Ends the innermost object.
  package mutating func endObject() { close(Byte.braceClose) }
  /// Begins an array.
  package mutating func beginArray() { open(Byte.bracketOpen) }
  /// Ends the innermost array.
  package mutating func endArray() { close(Byte.bracketClose) }

  /// Writes a member's key, which holds nothing to escape.
  package mutating func key(_ name: StaticString) {
    separate()
    bytes.append(Byte.quote)
    append(name)
    bytes.append(Byte.quote)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes a member's key, whatever it holds.
  package mutating func key(escaping name: String) {
    string(name)
    bytes.append(Byte.colon)
    needsComma = false
  }

  /// Writes a string.
  package mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { string(utf8: $0) }
  }

  /// Writes the string of these bytes, which are valid UTF-8.
  package mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(Byte.quote)
    var plain = 0
    for i in 0..<value.count where value[i] < 0x20 || value[i] == Byte.quote || value[i] == Byte.backslash {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[plain..<i]))
      escape(value[i])
      plain = i + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: value[plain...]))
    bytes.append(Byte.quote)
    needsComma = true
  }

  /// Writes the string of these bytes, which are valid UTF-8.
  package mutating func string(utf8 value: [UInt8]) {
    value.withUnsafeBufferPointer { string(utf8: $0) }
  }

  /// Writes an integer.
  package mutating func int(_ value: some BinaryInteger) {
    separate()
    if let small = Int(exactly: value) { digits(small) } else { bytes.append(contentsOf: String(value).utf8) }
    needsComma = true
  }

  private mutating func digits(_ value: Int) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = digits.count
      repeat {
        first -= 1
        digits[first] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
    needsComma = true
  }

  /// Writes `null`.
  package mutating func null() { raw("null".utf8) }

  /// Writes one value that is JSON text already, byte for byte.
  package mutating func raw(_ text: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
    needsComma = true
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func separate() {
    if needsComma { bytes.append(Byte.comma) }
  }

  private mutating func open(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    needsComma = false
  }

  private mutating func close(_ byte: UInt8) {
    bytes.append(byte)
    needsComma = true
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(Byte.backslash)
    switch byte {
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case Byte.quote, Byte.backslash: bytes.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
