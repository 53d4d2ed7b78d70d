/// Places in a state, as the JSON Pointers of a report name them.
struct StatePlaces<Nav: Navigation> {
  private(set) var stacks: [Nav.Tab: Set<Int>] = [:]
  private(set) var columns: Set<Int> = []
  private(set) var modals: Set<Presentation> = []
  private(set) var inModals: [Presentation: Set<Int>] = [:]

  /// - Parameter pointers: to routes in a state as `SceneState` encodes it; others are passed over.
  init(_ pointers: some Sequence<String>) {
    for pointer in pointers { add(Self.names(of: pointer)) }
  }

  private mutating func add(_ names: [String]) {
    guard let member = names.first else { return }
    let index = names.count > 1 ? Int(names[names.count - 1]) : nil
    switch (member, names.count) {
    case ("stacks", 3):
      if let tab = Nav.Tab(rawValue: names[1]), let index { stacks[tab, default: []].insert(index) }
    case ("sidebarSelection", _): columns.insert(index ?? 0)
    case ("modals", 2): modals.insert(Presentation(rawValue: names[1]))
    case ("modals", 3):
      let presentation = Presentation(rawValue: names[1])
      // The modal itself stands first, its stack after it.
      if index == 0 { modals.insert(presentation) }
      if let index, index > 0 { inModals[presentation, default: []].insert(index - 1) }
    default: break
    }
  }

  /// The names that a JSON Pointer goes through, decoded (RFC 6901, section 4).
  private static func names(of pointer: String) -> [String] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      $0.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
        .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }
  }
}

extension SceneState {
  /// Takes out what stands at these places, and tells flows of routes that went from under them.
  mutating func remove(_ places: StatePlaces<Nav>) {
    for (tab, indices) in places.stacks { remove(indices, on: tab) }
    for column in places.columns where columns.indices.contains(column) { columns[column] = nil }
    while columns.last == .some(nil) { columns.removeLast() }
    for presentation in places.modals { modals[presentation] = nil }
    for (presentation, indices) in places.inModals {
      modals[presentation]?.stack.removeAll(at: indices)
    }
  }

  private mutating func remove(_ indices: Set<Int>, on tab: Nav.Tab) {
    var kept = flows
    keepFlows(&kept, without: indices, on: tab)
    flows = []
    self[tab].removeAll(at: indices)
    let count = self[tab].count
    flows = kept.filter { $0.tab != tab || $0.depth < count }
  }

  /// Moves the beginning of flows on a tab down by what goes from below them.
  func keepFlows(_ flows: inout [Flow], without indices: Set<Int>, on tab: Nav.Tab) {
    for place in flows.indices where flows[place].tab == tab {
      let depth = flows[place].depth
      flows[place].depth -= indices.count { $0 < depth }
    }
  }
}

extension Array {
  fileprivate mutating func removeAll(at indices: Set<Int>) {
    self = enumerated().filter { !indices.contains($0.offset) }.map(\.element)
  }
}
