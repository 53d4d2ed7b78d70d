import JSONText

/// `renamed` and `renamedTabs`.
extension RouteTableCheck {
  /// Candidates beyond which no nearest name is looked for, so that a table of faults costs no more than its size.
  private static let mostCandidates = 1_000
  private static let mostQuestions = 8

  /// One member of `renamed` or `renamedTabs`.
  private struct Rename {
    /// The node of the new name.
    let value: Int
    let old: Int
    let new: Int
  }

  /// The words for cases, or for tabs.
  private struct Words {
    let member: String
    let list: String
    let name: String
  }

  mutating func renameCases(_ value: Int) {
    let words = Words(member: "renamed", list: "routes", name: "a case name")
    guard isObject(value, ["renamed"], "renamed is an object from old to new case name") else { return }
    var renames: [Rename] = []
    for (key, target) in document.members(value) {
      guard areNames(key, target, words) else { continue }
      let old = document.withDecoded(key) { cases.insert($0, RouteNames.Case()) }
      let new = document.withDecoded(target) { cases.insert($0, RouteNames.Case()) }
      renames.append(Rename(value: target, old: old, new: new))
      counts.renamed += 1
    }
    let ends = follow(renames, words, cases)
    for (rename, end) in zip(renames, ends) {
      guard let end else { continue }
      cases[rename.old].target = end
      check(rename, end, words, cases, isListed: listsCases ? { $0.isListed } : nil)
    }
  }

  mutating func renameTabs(_ value: Int) {
    let words = Words(member: "renamedTabs", list: "tabs", name: "a tab id")
    guard isObject(value, ["renamedTabs"], "renamedTabs is an object from old to new tab id") else { return }
    var renames: [Rename] = []
    for (key, target) in document.members(value) {
      guard areNames(key, target, words) else { continue }
      let old = document.withDecoded(key) { tabs.insert($0, RouteNames.Tab()) }
      let new = document.withDecoded(target) { tabs.insert($0, RouteNames.Tab()) }
      renames.append(Rename(value: target, old: old, new: new))
      counts.renamed += 1
    }
    let ends = follow(renames, words, tabs)
    for (rename, end) in zip(renames, ends) {
      guard let end else { continue }
      tabs[rename.old].target = end
      check(rename, end, words, tabs, isListed: listsTabs ? { $0.isListed } : nil)
    }
  }

  private mutating func areNames(_ key: Int, _ target: Int, _ words: Words) -> Bool {
    let place = [words.member, document.string(key)]
    guard document.kind(target) == .string || document.kind(target) == .number else {
      refuse(target, place, "the new name is \(words.name), a string, not \(document.kind(target).phrase)")
      return false
    }
    // Both are looked at, so that both faults are found.
    let isOld = isName(key, place, words.name)
    return isName(target, place, words.name) && isOld
  }

  /// The place at which each chain of renames ends; nil, after a fault, where it goes in a circle.
  private mutating func follow<Value>(
    _ renames: [Rename],
    _ words: Words,
    _ table: NameTable<Value>
  ) -> [Int?] {
    let steps = Dictionary(renames.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    var ends: [Int: Int?] = [:]
    for rename in renames where ends[rename.old] == nil {
      var chain: [Int] = []
      var onChain: Set<Int> = []
      var place = rename.old
      while ends[place] == nil, let next = steps[place], onChain.insert(place).inserted {
        chain.append(place)
        place = next
      }
      let isCircle = onChain.contains(place)
      if isCircle { refuseCircle(chain, from: place, rename, words, table) }
      let end: Int? = isCircle ? nil : ends[place] ?? place
      for place in chain { ends[place] = .some(end) }
    }
    return renames.map { ends[$0.old] ?? nil }
  }

  private mutating func refuseCircle<Value>(
    _ chain: [Int],
    from place: Int,
    _ rename: Rename,
    _ words: Words,
    _ table: NameTable<Value>
  ) {
    let circle = chain.drop { $0 != place }
    let shown = circle.prefix(4).map(table.name) + (circle.count > 4 ? ["…"] : []) + [table.name(place)]
    refuse(
      rename.value,
      [words.member, table.name(rename.old)],
      "renamed in a circle, \(shown.joined(separator: " to ")): the last name must be one that is in use"
    )
  }

  /// Refuses a rename that contradicts what is listed.
  ///
  /// - Parameter isListed: tells of a value of the table; nil where nothing is listed.
  private mutating func check<Value>(
    _ rename: Rename,
    _ end: Int,
    _ words: Words,
    _ table: NameTable<Value>,
    isListed: ((Value) -> Bool)?
  ) {
    guard let isListed else { return }
    let (old, new) = (table.name(rename.old), table.name(end))
    if isListed(table[rename.old]) {
      refuse(
        rename.value,
        [words.member, old],
        "\(old) is an old name and listed in \(words.list) too: take it out of one of them"
      )
    }
    guard !isListed(table[end]) else { return }
    var hint = "add it there, or choose one of those"
    if faults.count < Self.mostQuestions, table.values.count <= Self.mostCandidates {
      let listed = table.values.indices.lazy.filter { isListed(table[$0]) }.map(table.name)
      hint = NearName.question(new, among: listed) ?? hint
    }
    refuse(rename.value, [words.member, old], "\(old) ends as \(new), which \(words.list) does not list: \(hint)")
  }
}
