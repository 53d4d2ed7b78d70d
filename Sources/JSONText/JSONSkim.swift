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
    let member = try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
      try level.nextMember(JSONScanner(bytes))
    }
    guard let (key, value) = member else { return nil }
    return (text[placed(key)], text[placed(value)])
  }

  /// The next member's key, with its quotes, as indices of the text; nil after the last.
  ///
  /// Its value must be asked for before the next.
  package mutating func nextKeyRange() throws(JSONFault) -> Range<Int>? {
    let key = try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
      try level.nextKey(JSONScanner(bytes))
    }
    guard let key else { return nil }
    return placed(key)
  }

  /// The value of the member whose key came last, as indices of the text.
  package mutating func valueRange() throws(JSONFault) -> Range<Int> {
    placed(try text.withUnsafeBufferPointer { (bytes) throws(JSONFault) in try level.value(JSONScanner(bytes)) })
  }

  /// The value of the member whose key came last, split into its members.
  ///
  /// - Parameters:
  ///   - maximum: the most members that are split.
  ///   - reads: whether the first object among them is read.
  /// - Returns: nil where it is no object, is not sound or has more members; `valueRange` has still to be asked then.
  package mutating func valueSplit(maximum: Int, reading reads: Bool) -> (place: Range<Int>, parts: JSONSplit)? {
    let start = level.position
    let parts = text.withUnsafeBufferPointer { bytes -> JSONSplit.Parts? in
      let scanner = JSONScanner(bytes)
      guard var inner = try? JSONSkimLevel(scanner, .object, nestedAt: start) else { return nil }
      let parts = JSONSplit.Parts(&inner, scanner, at: text.startIndex, maximum: maximum, reading: reads)
      guard parts.fault == nil, parts.members.count <= maximum else { return nil }
      level.position = inner.position
      return parts
    }
    guard let parts else { return nil }
    return (placed(start..<level.position), JSONSplit(text, parts))
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
