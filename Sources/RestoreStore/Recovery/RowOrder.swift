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
      judge(own.flatMap { leaf in (page(leaf)?.keys ?? []).map { (leaf, $0) } }, span: table.span)
      isJudged.formUnion(own)
    }
    for number in pages ?? 1...1 where !isJudged.contains(number) {
      guard let page = page(number), page.kind == .leafTable else { continue }
      judge(page.keys.map { (number, $0) }, span: 1)
    }
  }

  /// Whether the row with this number on this page may be believed.
  func holds(_ key: Int, on page: Int) -> Bool { doubtful[page]?.contains(key) != true }

  private mutating func judge(_ rows: [(page: Int, key: Int)], span: Int) {
    let isCertain = Self.certain(rows.map(\.key))
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
  static func certain(_ numbers: [Int]) -> [Bool] {
    // The longest that end at each, and that begin at each: seen from the other side and in the mirror.
    let before = lengths(numbers)
    let after = Array(lengths(numbers.reversed().map { ~$0 }).reversed())
    let longest = before.max() ?? 0
    var rivals = [Int](repeating: 0, count: longest + 1)
    for (before, after) in zip(before, after) where before + after - 1 == longest { rivals[before] += 1 }
    return zip(before, after).map { $0 + $1 - 1 == longest && rivals[$0] == 1 }
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
