/// Finds what was probably meant.
enum Hint {
  /// The candidate nearest to what was typed; nil: none is near enough to be worth a guess.
  static func nearest<S: Sequence>(to typed: String, among candidates: S) -> String? where S.Element == String {
    near(to: typed, among: candidates).first
  }

  /// The candidates nearest to what was typed, all equally near; empty where none is near enough.
  ///
  /// Near is: one begins with the other, or no more than a third of it (at least one, for short words two) has to be
  /// typed anew.
  static func near<S: Sequence>(to typed: String, among candidates: S) -> [String] where S.Element == String {
    guard typed.utf8.count <= longest else { return [] }
    var least = typed.utf8.count < 4 ? 1 : max(2, typed.utf8.count / 3)
    var found: [String] = []
    for candidate in candidates {
      let isPrefix = typed.utf8.count >= 2 && candidate.hasPrefix(typed)
      let distance = isPrefix ? 1 : Self.distance(typed, candidate)
      if distance < least { found = [] }
      if distance <= least {
        least = distance
        found.append(candidate)
      }
    }
    return found
  }

  /// How many bytes have to be put in, taken out, replaced, or swapped with their neighbour, to make one of the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.utf8)
    let b = Array(second.utf8)
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      row.reserveCapacity(b.count + 1)
      for j in 0..<b.count {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }

  /// All names are shorter than this by far; a longer word is no slip of the hand.
  private static let longest = 64
}
