/// Turns strings that were checked already into the bytes that they stand for.
@usableFromInline
enum JSONDecode {
  /// Calls `body` with a string node's decoded bytes; copies only where something is escaped.
  @inlinable @inline(__always)
  static func withDecoded<R, E: Error>(
    _ node: JSONNode,
    _ scanner: JSONScanner,
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let inner = UnsafeBufferPointer(
      start: scanner.base + Int(node.start) + 1,
      count: Int(node.end) - Int(node.start) - 2
    )
    guard node.escaped else { return try body(inner) }
    let copy = unescaped(inner)
    return try withBuffer(of: copy, body)
  }

  /// `Array.withUnsafeBufferPointer` under a typed error.
  @inlinable
  static func withBuffer<R, E: Error>(
    of bytes: [UInt8],
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in try body(buffer) }
  }

  /// The bytes that the inside of a valid string stands for.
  @usableFromInline
  static func unescaped(_ inner: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(inner.count)
    let scanner = JSONScanner(inner)
    var i = 0
    while i < inner.count {
      guard inner[i] == Byte.backslash else {
        out.append(inner[i])
        i += 1
        continue
      }
      switch inner[i + 1] {
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "n"): out.append(0x0A)
      case UInt8(ascii: "r"): out.append(0x0D)
      case UInt8(ascii: "t"): out.append(0x09)
      case UInt8(ascii: "u"):
        i = appendUnicode(i, scanner, to: &out)
        continue
      default: out.append(inner[i + 1])
      }
      i += 2
    }
    return out
  }

  private static func appendUnicode(_ start: Int, _ scanner: JSONScanner, to out: inout [UInt8]) -> Int {
    // Checked by the walk before: neither call can fail on a string of the tape.
    guard let unit = try? scanner.codeUnit(start) else { return scanner.count }
    guard unit & 0xFC00 == 0xD800, let low = try? scanner.codeUnit(start + 6) else {
      append(unit, to: &out)
      return start + 6
    }
    append(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, to: &out)
    return start + 12
  }

  private static func append(_ scalar: UInt32, to out: inout [UInt8]) {
    guard let scalar = UnicodeScalar(scalar) else { return }
    for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { out.append(unit) }
  }
}
