/// Where a skim stands, in offsets; the bytes are given to each call, since only then they have an address.
struct JSONSkimLevel {
  /// The offset of what is looked at next.
  var position: Int
  private var isFirst = true
  private let closing: UInt8
  /// Whether the text goes on behind it.
  private let isNested: Bool

  /// Begins at the text's first byte that is no white space, or at `nestedAt`.
  init(_ text: JSONScanner, _ kind: JSONKind, nestedAt: Int? = nil) throws(JSONFault) {
    closing = kind == .object ? Byte.braceClose : Byte.bracketClose
    isNested = nestedAt != nil
    position = nestedAt ?? text.skipWhiteSpace(0)
    guard position < text.count else { throw JSONFault(.empty, at: position) }
    try expect(kind == .object ? Byte.braceOpen : Byte.bracketOpen, text)
  }

  @inline(__always)
  mutating func nextMember(_ text: JSONScanner) throws(JSONFault) -> (key: Range<Int>, value: Range<Int>)? {
    guard let key = try nextKey(text) else { return nil }
    return (key, try value(text))
  }

  /// The next member's key; the position is then its value's.
  @inline(__always)
  mutating func nextKey(_ text: JSONScanner) throws(JSONFault) -> Range<Int>? {
    guard try advance(text) else { return nil }
    guard text.base[position] == Byte.quote else { throw JSONFault(.unexpectedByte(text.base[position]), at: position) }
    let key = position..<(try JSONBalance.endOfString(text, position))
    position = text.skipWhiteSpace(key.upperBound)
    try expect(Byte.colon, text)
    position = text.skipWhiteSpace(position)
    return key
  }

  @inline(__always)
  mutating func nextElement(_ text: JSONScanner) throws(JSONFault) -> Range<Int>? {
    try advance(text) ? try value(text) : nil
  }

  /// Moves to the next part's first byte; false at the end.
  @inline(__always)
  private mutating func advance(_ text: JSONScanner) throws(JSONFault) -> Bool {
    position = text.skipWhiteSpace(position)
    guard position < text.count else { throw JSONFault(.unexpectedEnd, at: position) }
    if text.base[position] == closing {
      if isNested {
        position &+= 1
        return false
      }
      let end = text.skipWhiteSpace(position &+ 1)
      guard end == text.count else { throw JSONFault(.trailingBytes, at: end) }
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    try expect(Byte.comma, text)
    position = text.skipWhiteSpace(position)
    guard position < text.count else { throw JSONFault(.unexpectedEnd, at: position) }
    return true
  }

  /// Passes over a byte that must be there.
  @inline(__always)
  private mutating func expect(_ byte: UInt8, _ text: JSONScanner) throws(JSONFault) {
    guard position < text.count else { throw JSONFault(.unexpectedEnd, at: position) }
    guard text.base[position] == byte else { throw JSONFault(.unexpectedByte(text.base[position]), at: position) }
    position &+= 1
  }

  /// The value at the position, which then stands after it.
  @inline(__always)
  mutating func value(_ text: JSONScanner) throws(JSONFault) -> Range<Int> {
    guard position < text.count else { throw JSONFault(.unexpectedEnd, at: position) }
    let start = position
    switch text.base[start] {
    case Byte.quote: position = try JSONBalance.endOfString(text, start)
    case Byte.braceOpen, Byte.bracketOpen: position = try JSONBalance.endOfContainer(text, start)
    default:
      while position < text.count, !Self.endsScalar(text.base[position]) { position &+= 1 }
      guard position > start else { throw JSONFault(.unexpectedByte(text.base[start]), at: start) }
    }
    return start..<position
  }

  /// Reads strictly the object that stands next; nil, and the position as it was, where there is no sound one.
  @inline(__always)
  mutating func read(_ text: JSONScanner) -> JSONReading? {
    guard position < text.count, text.base[position] == Byte.braceOpen else { return nil }
    let rest = UnsafeBufferPointer(start: text.base + position, count: text.count &- position)
    guard let nodes = JSONWalk.leadingValue(of: rest) else { return nil }
    position &+= Int(nodes[0].end)
    return JSONReading(nodes: nodes)
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.comma, Byte.braceClose, Byte.bracketClose, Byte.colon, Byte.quote, Byte.braceOpen, Byte.bracketOpen:
      true
    default: Byte.isWhiteSpace(byte)
    }
  }
}
