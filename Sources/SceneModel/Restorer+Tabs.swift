import JSONText

/// Which stacks stay where a route table renames or lists tabs.
struct TabPlan {
  /// By the place of the pair: whether the stack stays.
  private(set) var stays: [Bool] = []
  /// By the place of the pair: the place of the tab, as saved, in the table; nil: the table does not mention it.
  private(set) var places: [Int?] = []

  /// Decides on the stacks of `stacks`.
  ///
  /// Of those that end with one id the one that was saved under it stays, else the first.
  init(of stacks: Int, in tape: JSONTape, _ names: RouteNames, listsTabs: Bool) {
    for pair in NamedPairs(of: stacks, in: tape) {
      places.append(names.tabPlace(of: pair.key, in: tape))
    }
    var heirs: [Int: Int] = [:]
    for (pair, place) in places.enumerated() {
      guard let place else { continue }
      if let target = names.tabs[place].target {
        if heirs[target] == nil { heirs[target] = pair }
      } else {
        heirs[place] = pair
      }
    }
    stays = places.enumerated().map { pair, place in
      guard let place else { return !listsTabs }
      let final = names.tabs[place].target ?? place
      return heirs[final] == pair && (!listsTabs || names.tabs[final].isListed)
    }
  }
}

extension RouteNames {
  /// The place of the tab that a key or a `selectedTab` names, in whatever form; nil: the table does not mention it.
  func tabPlace(of value: Int, in tape: JSONTape) -> Int? {
    guard let node = SceneName.node(of: value, in: tape) else { return nil }
    return tape.withDecoded(node) { tabs.place(of: $0) }
  }
}

extension Restorer {
  /// Writes a tab's new name where the old one stands, in the form that it has.
  mutating func rename(tabAt key: Int, to place: Int, _ names: RouteNames) {
    guard policy != .keep, let node = SceneName.node(of: key, in: tape) else { return }
    edits.replace(tape.range(node), with: names.tabs.spelling(place, inPlaceOf: tape.kind(node)))
  }

  /// Gives the selected tab its new name, or selects the first listed tab where it is not listed.
  ///
  /// - Parameter node: what spells its id.
  mutating func restoreSelectedTab(_ node: Int, _ names: RouteNames) {
    let place = names.tabPlace(of: node, in: tape)
    let final = place.map { names.tabs[$0].target ?? $0 }
    if rules.listsTabs, !(final.map { names.tabs[$0].isListed } ?? false) {
      dropped.append(Dropped(path: "/selectedTab", reason: .unknownTab))
      guard policy != .keep else { return }
      guard let first = names.firstTab, names.tabs.canStand(first, inPlaceOf: tape.kind(node)) else {
        // The value may be a case, of which the node is the key.
        let value = tape.member(tape.root, "selectedTab") ?? node
        return edits.replace(tape.range(value), with: Array("null".utf8))
      }
      edits.replace(tape.range(node), with: names.tabs.spelling(first, inPlaceOf: tape.kind(node)))
    } else if let place, let target = names.tabs[place].target {
      rename(tabAt: node, to: target, names)
    }
  }
}

extension NameTable {
  /// Whether the name can be written in the form of a value of `kind`: as a number only the spelling of one.
  fileprivate func canStand(_ place: Int, inPlaceOf kind: JSONKind) -> Bool {
    kind != .number || withName(place) { NumberName.isInteger($0) }
  }
}
