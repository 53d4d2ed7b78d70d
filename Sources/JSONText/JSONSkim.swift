/// Splits one level of a JSON text without judging what is inside.
///
/// For envelopes: a fault inside a member is then that member's fault, found and named by whoever reads it, and a
/// message of millions of values costs no memory. What it checks is its own level's punctuation, that strings end,
/// and that brackets balance; the parts it gives are yet to be checked.
package struct JSONSkim: ~Copyable {
  private let text: ArraySlice<UInt8>
  private var level: JSONSkimLevel

  /// Begins to split `text`, which must be one object or array with white space at most around it.
  ///
  /// - Throws: a fault at its first byte where it is another kind of value.
  package init(_ text: ArraySlice<UInt8>, _ kind: JSONKind) throws(JSONFault) {
    self.text = text
    level = try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in try JSONSkimLevel(JSONScanner(bytes), kind)
    }
  }

  /// The kind that a value's first byte tells, or nil where it begins no value.
  package static func kind(of value: ArraySlice<UInt8>) -> JSONKind? { value.first.flatMap(JSONKind.init(firstByte:)) }

  /// The next member: its key with its quotes and its value, both as they stand; nil after the last, once the
  /// text's end was found sound.
  package mutating func nextMember() throws(JSONFault) -> (key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard let (key, value) = try nextMemberRanges() else { return nil }
    return (text[key], text[value])
  }

  /// The same as indices of the text, for who has no use for slices that each count as an owner of it.
  package mutating func nextMemberRanges() throws(JSONFault) -> (key: Range<Int>, value: Range<Int>)? {
    let member = try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
      try level.nextMember(JSONScanner(bytes))
    }
    guard let (key, value) = member else { return nil }
    return (placed(key), placed(value))
  }

  /// The next element as it stands; nil after the last, once the text's end was found sound.
  package mutating func nextElement() throws(JSONFault) -> ArraySlice<UInt8>? {
    let element = try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
      try level.nextElement(JSONScanner(bytes))
    }
    return element.map { text[placed($0)] }
  }

  /// Passes over all elements that are left, and counts them; what it throws is as `nextElement`.
  package mutating func countRest() throws(JSONFault) -> Int {
    try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
      var count = 0
      while try level.nextElement(JSONScanner(bytes)) != nil { count += 1 }
      return count
    }
  }

  /// Offsets as indices of the text, which may be a part of another.
  private func placed(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound &+ text.startIndex..<range.upperBound &+ text.startIndex
  }
}

/// Where a skim stands, in offsets; the bytes are given to each call, since only then they have an address.
private struct JSONSkimLevel {
  private var position: Int
  private var isFirst = true
  private let closing: UInt8

  init(_ text: JSONScanner, _ kind: JSONKind) throws(JSONFault) {
    closing = kind == .object ? Byte.braceClose : Byte.bracketClose
    position = text.skipWhiteSpace(0)
    guard position < text.count else { throw JSONFault(.empty, at: position) }
    try expect(kind == .object ? Byte.braceOpen : Byte.bracketOpen, text)
  }

  @inline(__always)
  mutating func nextMember(_ text: JSONScanner) throws(JSONFault) -> (key: Range<Int>, value: Range<Int>)? {
    guard try advance(text) else { return nil }
    guard text.base[position] == Byte.quote else { throw JSONFault(.unexpectedByte(text.base[position]), at: position) }
    let key = position..<(try JSONBalance.endOfString(text, position))
    position = text.skipWhiteSpace(key.upperBound)
    try expect(Byte.colon, text)
    position = text.skipWhiteSpace(position)
    return (key, try value(text))
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
  private mutating func value(_ text: JSONScanner) throws(JSONFault) -> Range<Int> {
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

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.comma, Byte.braceClose, Byte.bracketClose, Byte.colon, Byte.quote, Byte.braceOpen, Byte.bracketOpen:
      true
    default: Byte.isWhiteSpace(byte)
    }
  }
}
