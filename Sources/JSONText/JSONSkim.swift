/// Splits one level of a JSON text without judging what is inside.
///
/// For envelopes: a fault inside a member is then that member's fault, found and named by whoever reads it, and a
/// message of millions of values costs no memory. What it checks is its own level's punctuation, that strings end,
/// and that brackets balance; the parts it gives are yet to be checked.
package struct JSONSkim: ~Copyable {
  private let text: ArraySlice<UInt8>
  private var position: Int
  private var isFirst = true
  private let closing: UInt8

  /// Begins to split `text`, which must be one object or array with white space at most around it.
  ///
  /// - Throws: a fault at its first byte where it is another kind of value.
  package init(_ text: ArraySlice<UInt8>, _ kind: JSONKind) throws(JSONFault) {
    self.text = text
    position = text.startIndex
    closing = kind == .object ? Byte.braceClose : Byte.bracketClose
    let first = skipWhiteSpace(position)
    guard first < text.endIndex else { throw JSONFault(.empty, at: first - text.startIndex) }
    guard text[first] == (kind == .object ? Byte.braceOpen : Byte.bracketOpen) else {
      throw JSONFault(.unexpectedByte(text[first]), at: first - text.startIndex)
    }
    position = first + 1
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
    guard try advance() else { return nil }
    guard text[position] == Byte.quote else { throw fault(.unexpectedByte(text[position])) }
    let key = position..<(try endOfString(position))
    position = skipWhiteSpace(key.upperBound)
    try expect(Byte.colon)
    position = skipWhiteSpace(position + 1)
    return (key, try value())
  }

  /// The next element as it stands; nil after the last, once the text's end was found sound.
  package mutating func nextElement() throws(JSONFault) -> ArraySlice<UInt8>? {
    try advance() ? text[try value()] : nil
  }

  /// Passes over all elements that are left, and counts them; what it throws is as `nextElement`.
  package mutating func countRest() throws(JSONFault) -> Int {
    var count = 0
    while try advance() {
      _ = try value()
      count += 1
    }
    return count
  }

  /// Moves to the next part's first byte; false at the end.
  private mutating func advance() throws(JSONFault) -> Bool {
    position = skipWhiteSpace(position)
    guard position < text.endIndex else { throw fault(.unexpectedEnd) }
    if text[position] == closing, isFirst { return try finish() }
    if isFirst {
      isFirst = false
      return true
    }
    if text[position] == closing { return try finish() }
    try expect(Byte.comma)
    position = skipWhiteSpace(position + 1)
    guard position < text.endIndex else { throw fault(.unexpectedEnd) }
    return true
  }

  private mutating func finish() throws(JSONFault) -> Bool {
    let end = skipWhiteSpace(position + 1)
    guard end == text.endIndex else {
      position = end
      throw fault(.trailingBytes)
    }
    return false
  }

  private func expect(_ byte: UInt8) throws(JSONFault) {
    guard position < text.endIndex else { throw fault(.unexpectedEnd) }
    guard text[position] == byte else { throw fault(.unexpectedByte(text[position])) }
  }

  private func fault(_ reason: JSONFault.Reason) -> JSONFault { JSONFault(reason, at: position - text.startIndex) }

  private func skipWhiteSpace(_ start: Int) -> Int {
    var i = start
    while i < text.endIndex, Byte.isWhiteSpace(text[i]) { i += 1 }
    return i
  }

  private func endOfString(_ start: Int) throws(JSONFault) -> Int {
    let end = text.withUnsafeBufferPointer { JSONBalance.endOfString($0, start - text.startIndex) }
    guard let end else { throw JSONFault(.unexpectedEnd, at: text.count) }
    return end + text.startIndex
  }

  /// The value at the position, which then stands after it.
  private mutating func value() throws(JSONFault) -> Range<Int> {
    guard position < text.endIndex else { throw fault(.unexpectedEnd) }
    let start = position
    switch text[start] {
    case Byte.quote: position = try endOfString(start)
    case Byte.braceOpen, Byte.bracketOpen:
      let end = text.withUnsafeBufferPointer { JSONBalance.endOfContainer($0, start - text.startIndex) }
      guard let end else { throw JSONFault(.unexpectedEnd, at: text.count) }
      position = end + text.startIndex
    default:
      while position < text.endIndex, !Self.endsScalar(text[position]) { position += 1 }
      guard position > start else { throw fault(.unexpectedByte(text[start])) }
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

/// Finds where strings and containers end, eight bytes at a time.
private enum JSONBalance {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The first byte from `start` on for which `marks` sets its high bit, or `count`.
  ///
  /// A mark may be one too many (the caller looks at the byte), never one too few.
  @inline(__always)
  private static func find(
    _ text: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ marks: (UInt64) -> UInt64
  ) -> Int {
    var i = start
    guard let base = text.baseAddress else { return i }
    while i &+ 8 <= text.count {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + i).loadUnaligned(as: UInt64.self))
      let found = marks(word) & highs
      if found != 0 { return i &+ found.trailingZeroBitCount / 8 }
      i &+= 8
    }
    return i
  }

  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
    let difference = word ^ (ones &* byte)
    return (difference &- ones) & ~difference
  }

  static func endOfString(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var i = start + 1
    while true {
      i = find(text, i) { equal($0, 0x22) | equal($0, 0x5C) }
      guard i < text.count else { return nil }
      if text[i] == Byte.quote { return i + 1 }
      i += text[i] == Byte.backslash ? 2 : 1
    }
  }

  static func endOfContainer(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var i = start
    var depth = 0
    while true {
      // Without bits 1, 2 and 5 the four brackets are one byte, 0x59, which few others share.
      i = find(text, i) { equal($0 & ~(ones &* 0x26), 0x59) | equal($0, 0x22) }
      guard i < text.count else { return nil }
      switch text[i] {
      case Byte.quote:
        guard let end = endOfString(text, i) else { return nil }
        i = end
        continue
      case Byte.braceOpen, Byte.bracketOpen: depth += 1
      case Byte.braceClose, Byte.bracketClose:
        depth -= 1
        if depth == 0 { return i + 1 }
      default: break
      }
      i += 1
      // Brackets come in rows, through which one by one is faster.
      while i < text.count, text[i] | 0x20 == Byte.braceOpen {
        depth += 1
        i += 1
      }
      while depth > 1, i < text.count, text[i] | 0x20 == Byte.braceClose {
        depth -= 1
        i += 1
      }
    }
  }
}
