/// Which rows stand where the number says that they bear.
///
/// A revision's checksum does not cover the number of its row, which says whose it is: with one changed bit a state would
/// be another scene's, perhaps another user's. But the rows of a table stand in the order of their numbers, over all of
/// its leaves. So a row that breaks the order of the others is not believed.
struct RowOrder {
  /// The numbers on a page that are not believed.
  private var doubtful: [Int: Set<Int>] = [:]

  /// Judges all pages that a table leads to; those that nothing leads to are judged each by itself.
  ///
  /// - Parameters:
  ///   - tables: the first page of each table, and how many numbers of it are one owner's.
  ///   - page: the page of a number.
  init(_ tables: [(root: Int, span: Int)], pages: ClosedRange<Int>?, page: (Int) -> BTreePage?) {
    var isJudged = Set<Int>()
    let leaves = tables.map { Self.leaves(from: $0.root, page) }
    // A page that two trees lead to, or one twice, tells nothing: a page above it is damaged.
    var visits: [Int: Int] = [:]
    for leaf in leaves.joined() { visits[leaf, default: 0] += 1 }
    for (table, leaves) in zip(tables, leaves) {
      let own = leaves.filter { visits[$0] == 1 }
      judge(
        own.flatMap { leaf in (page(leaf)?.rows ?? []).map { Row(page: leaf, key: $0, local: $1) } },
        span: table.span
      )
      isJudged.formUnion(own)
    }
    for number in pages ?? 1...1 where !isJudged.contains(number) {
      guard let page = page(number), page.kind == .leafTable else { continue }
      judge(page.rows.map { Row(page: number, key: $0, local: $1) }, span: 1)
    }
  }

  /// Whether the row with this number on this page may be believed.
  func holds(_ key: Int, on page: Int) -> Bool { doubtful[page]?.contains(key) != true }

  private struct Row {
    let page: Int
    let key: Int
    let local: ArraySlice<UInt8>

    /// Whether both are the same row: a page that was split and its older version both have it.
    func isSame(as other: Row) -> Bool { page != other.page && key == other.key && local == other.local }
  }

  private mutating func judge(_ rows: [Row], span: Int) {
    let isCertain = Self.certain(rows.map(\.key)) { rows[$0].isSame(as: rows[$1]) }
    let owners = rows.map { $0.key / span }
    // Between two rows of its own scene a row is the scene's, whichever of its slots it bears.
    let before = Self.lastCertain(owners, isCertain)
    let after = Array(Self.lastCertain(owners.reversed(), isCertain.reversed()).reversed())
    var doubts: [Int: Set<Int>] = [:]
    var counts: [Int: Int] = [:]
    for (index, row) in rows.enumerated() {
      counts[row.page, default: 0] += 1
      if isCertain[index] || before[index] == owners[index] && after[index] == owners[index] { continue }
      doubts[row.page, default: []].insert(row.key)
    }
    // Where all rows of a page are elsewhere, it is the page that is: what leads to it is damaged.
    for (page, keys) in doubts where keys.count == 1 || keys.count < counts[page, default: 0] { doubtful[page] = keys }
  }

  /// The owner of the last row before each that is certain; nil: there is none.
  private static func lastCertain(_ owners: [Int], _ isCertain: [Bool]) -> [Int?] {
    var last: Int?
    return zip(owners, isCertain).map { owner, isCertain in
      defer { if isCertain { last = owner } }
      return last
    }
  }

  /// The leaves of a table in their order.
  private static func leaves(from root: Int, _ page: (Int) -> BTreePage?) -> [Int] {
    var leaves: [Int] = []
    var waiting = [root]
    var seen = Set<Int>()
    while let number = waiting.popLast() {
      guard let found = page(number) else { continue }
      switch found.kind {
      case .leafTable: leaves.append(number)
      case .innerTable: if seen.insert(number).inserted { waiting += found.children.reversed() }
      default: continue
      }
    }
    return leaves
  }

  // MARK: Order

  /// Which of the numbers are in each longest ascending subsequence: those that are not are out of order, or it cannot be
  /// told which of two is.
  ///
  /// - Parameter isSame: whether the things that two places bear the number of are one and the same.
  static func certain(_ numbers: [Int], isSame: (Int, Int) -> Bool = { _, _ in false }) -> [Bool] {
    // The longest that end at each, and that begin at each: seen from the other side and in the mirror.
    let before = lengths(numbers)
    let after = Array(lengths(numbers.reversed().map { ~$0 }).reversed())
    let longest = before.max() ?? 0
    var first = [Int?](repeating: nil, count: longest + 1)
    var isContested = [Bool](repeating: false, count: longest + 1)
    for index in numbers.indices where before[index] + after[index] - 1 == longest {
      let rank = before[index]
      if let rival = first[rank] {
        isContested[rank] = isContested[rank] || !isSame(rival, index)
      } else {
        first[rank] = index
      }
    }
    return zip(before, after).map { $0 + $1 - 1 == longest && !isContested[$0] }
  }

  /// The length of the longest ascending subsequence that ends at each number.
  private static func lengths(_ numbers: [Int]) -> [Int] {
    // The smallest number that a subsequence of each length ends with so far, which grows with the length.
    var ends: [Int] = []
    return numbers.map { number in
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low == ends.count { ends.append(number) } else { ends[low] = number }
      return low + 1
    }
  }
}
