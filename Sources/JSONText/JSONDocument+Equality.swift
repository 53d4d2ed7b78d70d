extension JSONDocument {
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

  /// Whether two nodes, of this document and another, are the same JSON value.
  ///
  /// Members may come in any order, strings are compared decoded, numbers by their spelling.
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

  /// A number that equal names share, and that nobody can foresee: names that have it in common could be made else, and
  /// each would be compared with all the others.
  private func nameHash(_ node: Int) -> Int {
    guard kind(node) == .string || kind(node) == .number else { return Int(truncatingIfNeeded: leafHash(node)) }
    return withDecoded(node) { name in
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(name))
      return hasher.finalize()
    }
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
    var candidates: [Int: [(key: Int, value: Int)]] = [:]
    for member in theirs { candidates[other.nameHash(member.key), default: []].append(member) }
    return mine.allSatisfy { (key, value) in
      (candidates[nameHash(key)] ?? []).contains { member in
        isEqual(key, to: other, member.key)
          && isEqual(value, to: other, member.value, unorderedPairs: pairs, otherPairs: otherPairs)
      }
    }
  }
}
