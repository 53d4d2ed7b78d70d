extension JSONDocument {
  /// A hash that two texts of the same JSON value share, whatever their white space, escapes and order of members.
  ///
  /// Numbers count by their spelling: `1` and `1.0` are two values. The hash is the same in every process and on
  /// every machine, so it may be stored. Equal hashes are a hint; `isEqual` decides.
  ///
  /// - Parameters:
  ///   - node: the value to hash.
  ///   - unorderedPairs: arrays of name, value, name, value … whose pairs' order means nothing.
  package func canonicalHash(_ node: Int, unorderedPairs: [Int] = []) -> UInt64 {
    withTape { $0.canonicalHash(node, unorderedPairs) }
  }

  /// The elements of a flat array two by two; a last one without a partner is left out.
  package func pairs(_ array: Int) -> [(key: Int, value: Int)] {
    var pairs: [(key: Int, value: Int)] = []
    var name: Int?
    for element in elements(array) {
      if let key = name {
        pairs.append((key, element))
        name = nil
      } else {
        name = element
      }
    }
    return pairs
  }

  /// Whether two nodes, of this document and another, are the same JSON value in the sense of `canonicalHash`.
  ///
  /// - Parameters:
  ///   - unorderedPairs: this document's arrays whose pairs' order means nothing.
  ///   - otherPairs: the other document's.
  package func isEqual(
    _ node: Int,
    to other: JSONDocument,
    _ otherNode: Int,
    unorderedPairs: [Int] = [],
    otherPairs: [Int] = []
  ) -> Bool {
    guard kind(node) == other.kind(otherNode) else { return false }
    switch kind(node) {
    case .null, .true, .false: return true
    case .number, .string: return isSameText(node, other, otherNode)
    case .object:
      return isSameSet(
        Array(members(node)),
        other,
        Array(other.members(otherNode)),
        unorderedPairs,
        otherPairs
      )
    case .array where unorderedPairs.contains(node) && otherPairs.contains(otherNode):
      return isSameSet(pairs(node), other, other.pairs(otherNode), unorderedPairs, otherPairs)
    case .array:
      var mine = elements(node)
      var theirs = other.elements(otherNode)
      while true {
        guard let a = mine.next(), let b = theirs.next() else { break }
        guard isEqual(a, to: other, b, unorderedPairs: unorderedPairs, otherPairs: otherPairs) else { return false }
      }
      return count(node) == other.count(otherNode)
    }
  }

  private func isSameText(_ node: Int, _ other: JSONDocument, _ otherNode: Int) -> Bool {
    withDecoded(node) { mine in other.withDecoded(otherNode) { mine.elementsEqual($0) } }
  }

  /// Compares members whose order means nothing: each side sorted by the hash of its names.
  private func isSameSet(
    _ mine: [(key: Int, value: Int)],
    _ other: JSONDocument,
    _ theirs: [(key: Int, value: Int)],
    _ pairs: [Int],
    _ otherPairs: [Int]
  ) -> Bool {
    guard mine.count == theirs.count else { return false }
    var candidates: [UInt64: [(key: Int, value: Int)]] = [:]
    for member in theirs { candidates[other.canonicalHash(member.key), default: []].append(member) }
    return mine.allSatisfy { (key, value) in
      (candidates[canonicalHash(key)] ?? []).contains { member in
        isEqual(key, to: other, member.key)
          && isEqual(value, to: other, member.value, unorderedPairs: pairs, otherPairs: otherPairs)
      }
    }
  }
}

extension JSONTape {
  /// See `JSONDocument.canonicalHash`.
  @inline(__always)
  fileprivate func canonicalHash(_ node: Int, _ unorderedPairs: [Int]) -> UInt64 {
    switch kind(node) {
    case .number, .string: hash(ofText: nodes[node])
    default: hash(ofOther: node, unorderedPairs)
    }
  }

  /// The hash of a literal or a container; calls itself as deep as containers nest.
  private func hash(ofOther node: Int, _ unorderedPairs: [Int]) -> UInt64 {
    var hash = Self.seed(kind(node))
    let end = next(node)
    var child = node + 1
    if kind(node) == .array, !unorderedPairs.contains(node) {
      while child < end {
        hash = XXH64.fold(hash, canonicalHash(child, unorderedPairs))
        child = next(child)
      }
      return XXH64.avalanche(hash)
    }
    // Members, or elements two by two: a node that is a name and the one after it, the last of which may be missing.
    while child < end, next(child) < end {
      let value = next(child)
      hash &+= XXH64.avalanche(
        XXH64.fold(canonicalHash(child, unorderedPairs), canonicalHash(value, unorderedPairs))
      )
      child = next(value)
    }
    return hash
  }

  @inline(__always)
  private func hash(ofText node: JSONNode) -> UInt64 {
    if node.escaped { return hash(ofEscaped: node) }
    let quote = node.kind == .string ? 1 : 0
    return XXH64.hash(
      scanner.base + Int(node.start) + quote,
      count: Int(node.end &- node.start) &- 2 &* quote,
      seed: node.kind == .string ? Self.seed(.string) : Self.seed(.number)
    )
  }

  @inline(never)
  private func hash(ofEscaped node: JSONNode) -> UInt64 {
    JSONDecode.withDecoded(node, scanner) { XXH64.hash(UnsafeRawBufferPointer($0), seed: Self.seed(.string)) }
  }

  @inline(__always)
  private static func seed(_ kind: JSONKind) -> UInt64 { XXH64.avalanche(UInt64(kind.rawValue) &+ 1) }
}
