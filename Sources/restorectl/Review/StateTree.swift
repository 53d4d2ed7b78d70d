import JSONText
import SceneModel

/// A state as a tree: each tab with its stack, the sidebar, the modals, the values; what is stale is marked and why.
struct StateTree {
  /// What a stale part is called: of a state as saved `stale`, of one that would lose it `dropped`.
  private let word: String
  private let review: StateReview
  /// What names the app in the command line that would declare a kind.
  private let which: Which
  private var tree = Tree()
  private var marked: Set<String> = []
  private var standings: [(kind: String, standing: Standing)] = []
  private var routes = 0

  init(_ review: StateReview, word: String = "stale", declaring which: Which = .unsaid) {
    self.review = review
    self.word = word
    self.which = which
    for branch in review.outline.branches { add(branch) }
    if let values = review.outline.values { add(values: values) }
    selectedTab()
    rest()
  }

  /// The tree, and below it why references are unchecked, and the count of all.
  func text(_ style: Style, columns: Int?, twigs: Tree.Twigs = .forLocale) -> String {
    var text = tree.text(style, columns: columns, twigs: twigs)
    for phrase in [summary] + UncheckedReasons(standings, review.kinds, which).phrases {
      for line in Phrase.lines(phrase.words, columns: columns) {
        text += line.map { $0.text(style) }.joined(separator: " ") + "\n"
      }
    }
    return text
  }

  // MARK: Parts

  private mutating func add(_ branch: StateOutline.Branch) {
    let name = Shown.text(DisplayWidth.cut(branch.name, columns: Self.longestName))
    let title =
      switch branch.part {
      case .stack: Phrase(name.isEmpty ? "\"\"" : name, .title).adding(branch.isSelected ? " (selected tab)" : "")
      case .sidebarSelection: Phrase("sidebar", .title)
      case .modal: Phrase(name, .title).adding(" (modal)")
      }
    let none = branch.routes.isEmpty ? [Phrase(branch.part == .modal ? "none" : "no routes")] : []
    let routes = review.routes(of: branch)
    // Of a modal that is no array, the route stands where the modal does: the mark is the route's.
    let isRoute = branch.routes.contains { $0.path == branch.path }
    tree.add(depth: 0, [title] + none + (isRoute ? [] : mark(branch.path)))
    for (entry, isReached) in routes { add(entry, isReached) }
  }

  private mutating func add(_ entry: StateOutline.Entry, _ isReached: Bool) {
    guard review.document.kind(entry.node) != .null else {
      return tree.add(depth: entry.depth + 1, [Phrase("nothing selected")] + mark(entry.path))
    }
    routes += 1
    let words = RouteWords(review).phrases(entry, isReached: isReached)
    standings += words.standings
    let selected = entry.isSelected ? [Phrase(">")] : []
    tree.add(depth: entry.depth + 1, selected + words.phrases + mark(entry.path))
  }

  /// Why the part at a path does not survive; none where it does.
  private mutating func mark(_ path: String) -> [Phrase] {
    guard let part = review.dropped[path] else { return [] }
    marked.insert(path)
    return [Phrase("[\(word): \(StateOutput.reason(part))]", .bad)]
  }

  private mutating func add(values: Int) {
    let document = review.document
    let size = ByteCount.text(document.range(values).count)
    tree.add(depth: 0, [Phrase("values", .title), Phrase(Count.text(document.count(values), "member") + ", \(size)")])
    for (key, value) in document.members(values).prefix(Self.mostValues) {
      let name = Shown.text(DisplayWidth.cut(document.string(key), columns: Self.longestName))
      tree.add(depth: 1, [Phrase("\(name):"), Phrase(ByteCount.text(document.range(value).count))])
    }
    let left = document.count(values) - Self.mostValues
    if left > 0 { tree.add(depth: 1, [Phrase("\(left) more")]) }
  }

  /// A selected tab that has no stack is in no line yet.
  private mutating func selectedTab() {
    let stale = mark("/selectedTab")
    let hasStack = review.outline.branches.contains { $0.isSelected }
    guard !stale.isEmpty || !hasStack, let tab = review.outline.selectedTab else { return }
    let name = Shown.text(DisplayWidth.cut(tab, columns: Self.longestName))
    tree.add(
      depth: 0,
      [Phrase("selected tab:", .title), Phrase(name)] + (hasStack ? [] : [Phrase("(no stack)")]) + stale
    )
  }

  /// What was reported of a place that is in no line: nothing reported may be lost.
  private mutating func rest() {
    for part in review.reported where !marked.contains(part.path) {
      tree.add(depth: 0, [Phrase("\(word) \(Shown.text(part.path)): \(StateOutput.reason(part))", .bad)])
    }
  }

  private var summary: Phrase {
    var phrase = Phrase(Count.text(routes, "route"))
    if !review.reported.isEmpty {
      phrase.append(", ")
      phrase.append("\(review.reported.count) \(word)", .bad)
    }
    guard !standings.isEmpty else { return phrase }
    phrase.append("; references: ")
    var isFirst = true
    for word in ["present", "missing", "unchecked"] {
      let some = standings.filter { $0.standing.word == word }
      guard let first = some.first else { continue }
      if !isFirst { phrase.append(", ") }
      phrase.append("\(some.count) \(word)", first.standing.tone)
      isFirst = false
    }
    return phrase
  }

  private static let longestName = 48
  private static let mostValues = 8
}

/// Why references are unchecked, once for each reason and kind.
struct UncheckedReasons {
  private(set) var phrases: [Phrase] = []

  init(_ standings: [(kind: String, standing: Standing)], _ kinds: DeclaredKinds, _ which: Which) {
    var seen: Set<[UInt8]> = []
    var reachesAll = true
    for (kind, standing) in standings {
      guard case .unchecked(let reason) = standing else { continue }
      if reason == .notReached {
        reachesAll = false
      } else if kinds.entries.isEmpty {
        if seen.insert([]).inserted {
          add("the app has declared no kind; declare one with: restorectl entities put\(which.app) KIND [ID...]")
        }
      } else if seen.insert(DeclaredKinds.folded(kind)).inserted, seen.count <= Self.mostKinds {
        add(Self.words(Shown.text(kind), reason, kinds.lookingLike(kind).map(Shown.text)))
      }
    }
    if seen.count > Self.mostKinds { add("\(seen.count - Self.mostKinds) more kinds") }
    if !reachesAll { add("a route that is stale is not looked at further, nor is what it holds") }
  }

  /// More say nothing new, and looking for kinds that look alike takes its time.
  private static let mostKinds = 16

  private mutating func add(_ words: String) { phrases.append(Phrase("unchecked:", .doubtful).adding(" " + words)) }

  private static func words(_ kind: String, _ reason: Standing.Reason, _ near: [String]) -> String {
    if reason == .syncing {
      return "a sync of kind \(kind) is under way; an id that is not there may still come"
    }
    let guess = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    return "kind \(kind) was never declared\(guess)"
  }
}
