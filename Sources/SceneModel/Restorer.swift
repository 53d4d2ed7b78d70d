import JSONText

extension SceneState {
  /// What restoring this state comes to: which routes are stale, and the bytes without them.
  ///
  /// A pure function of the state, the policy, the rules and what `lookup` answers. Linear in the
  /// size of the state; where nothing is stale, the bytes are the state's own, not copied.
  ///
  /// - Parameters:
  ///   - stale: what to do with stale routes; nil leaves it to the rules.
  ///   - rules: what the app has said of its routes.
  ///   - lookup: which kinds are declared, and which entities exist.
  /// - Throws: what `lookup` throws, at once.
  package func restoration<L: EntityLookup>(
    stale: StalePolicy?,
    rules: RouteRules,
    lookup: inout L
  ) throws(L.Failure) -> Restoration {
    try document.withTape { (tape) throws(L.Failure) -> Restoration in
      var restorer = Restorer(self, tape, stale: stale ?? rules.stale, rules)
      return try restorer.run(&lookup)
    }
  }
}

/// One restoring of one state, part by part in the order of reports: stacks, sidebar, modals.
struct Restorer {
  let document: JSONDocument
  let tape: JSONTape
  let policy: StalePolicy
  let rules: RouteRules
  var check: RouteCheck
  var edits = JSONEdits()
  var dropped: [Dropped] = []
  var emptied: [String] = []
  /// Routes that are renamed in the reply.
  var renamed = 0
  private let layout: StateLayout

  init(_ state: SceneState, _ tape: JSONTape, stale: StalePolicy, _ rules: RouteRules) {
    document = state.document
    self.tape = tape
    layout = state.layout
    policy = stale
    self.rules = rules
    check = RouteCheck(rules)
  }

  mutating func run<L: EntityLookup>(_ lookup: inout L) throws(L.Failure) -> Restoration {
    if let stacks = layout.stacks { try restoreStacks(stacks, &lookup) }
    if let tab = layout.selectedTab, let names = rules.tabNames { restoreSelectedTab(tab, names) }
    if let selection = layout.sidebarSelection { try restoreSidebar(selection, &lookup) }
    if let modals = layout.modals { try restoreModals(modals, &lookup) }
    let unverified = try check.references.kinds.unverified(&lookup)
    let state = edits.isEmpty ? document.bytes : edits.applied(to: document.bytes)
    return Restoration(
      state: state,
      dropped: dropped,
      emptied: emptied,
      unverified: unverified,
      renamed: renamed,
      unknown: check.unknown
    )
  }

  private mutating func restoreStacks<L: EntityLookup>(_ stacks: Int, _ lookup: inout L) throws(L.Failure) {
    guard let names = rules.tabNames else {
      for pair in NamedPairs(of: stacks, in: tape) { try restoreStack(pair, of: stacks, newName: nil, &lookup) }
      return
    }
    let plan = TabPlan(of: stacks, in: tape, names, listsTabs: rules.listsTabs)
    var gone: [NamedPairs.Pair] = []
    for pair in NamedPairs(of: stacks, in: tape) {
      if plan.stays[pair.place] {
        let target = plan.places[pair.place].flatMap { names.tabs[$0].target }
        if let target { rename(tabAt: pair.key, to: target, names) }
        try restoreStack(pair, of: stacks, newName: target.map(names.tabs.name), &lookup)
      } else {
        gone.append(pair)
        let path = RoutePath(.stacks, pair, isFlat: tape.kind(stacks) == .array)
        dropped.append(Dropped(path: path.pointer(in: tape), reason: .unknownTab))
      }
    }
    if policy != .keep { remove(gone, from: stacks) }
  }

  /// - Parameter newName: the tab's, where the table renamed it.
  private mutating func restoreStack<L: EntityLookup>(
    _ pair: NamedPairs.Pair,
    of stacks: Int,
    newName: String?,
    _ lookup: inout L
  ) throws(L.Failure) {
    var path = RoutePath(.stacks, pair, isFlat: tape.kind(stacks) == .array)
    let isEmptied: Bool
    if tape.kind(pair.value) == .array, rules.isNavigationPath {
      isEmptied = try restoreNavigationPath(pair.value, path, &lookup)
    } else {
      var level: StackLevel
      if tape.kind(pair.value) == .array {
        level = StackLevel(array: pair.value, in: tape)
      } else if let list = try? OrderedList(pair.value, in: tape) {
        level = StackLevel(list: list, in: tape)
        path.isList = true
      } else {
        return
      }
      try walk(&level, path, &lookup)
      isEmptied = level.isEmptied
    }
    if isEmptied, let name = SceneName.node(of: pair.key, in: tape) {
      emptied.append(newName ?? tape.string(name))
    }
  }

  private mutating func restoreSidebar<L: EntityLookup>(_ selection: Int, _ lookup: inout L) throws(L.Failure) {
    guard tape.kind(selection) == .array else {
      return try restoreColumn(selection, at: RoutePath(.sidebarSelection), &lookup)
    }
    var columns = StackLevel(array: selection, in: tape)
    while let column = columns.next(in: tape) {
      guard tape.kind(column) != .null else { continue }
      try restoreColumn(column, at: RoutePath(.sidebarSelection).adding([], columns), &lookup)
    }
  }

  private mutating func restoreColumn<L: EntityLookup>(
    _ route: Int,
    at path: @autoclosure () -> RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) {
    guard try isStale(route, at: path(), &lookup), policy != .keep else { return }
    edits.replace(tape.range(route), with: Array("null".utf8))
  }

  private mutating func restoreModals<L: EntityLookup>(_ modals: Int, _ lookup: inout L) throws(L.Failure) {
    let isFlat = tape.kind(modals) == .array
    var stale: [NamedPairs.Pair] = []
    for pair in NamedPairs(of: modals, in: tape) {
      let path = RoutePath(.modals, pair, isFlat: isFlat)
      if try isStaleModal(pair.value, path, &lookup) { stale.append(pair) }
    }
    if policy != .keep { remove(stale, from: modals) }
  }

  /// Takes pairs, in the order of the bytes, out of `stacks` or `modals`.
  private mutating func remove(_ pairs: [NamedPairs.Pair], from container: Int) {
    if pairs.isEmpty { return }
    var next = 0
    if tape.kind(container) == .array {
      edits.removeElements(of: container, in: document) { node in
        guard next < pairs.count, node == pairs[next].key || node == pairs[next].value else { return false }
        if node == pairs[next].value { next += 1 }
        return true
      }
    } else {
      edits.removeMembers(of: container, in: document) { value in
        guard next < pairs.count, value == pairs[next].value else { return false }
        next += 1
        return true
      }
    }
  }

  /// Whether a modal goes as a whole; where it stays, the stack inside it is dealt with.
  private mutating func isStaleModal<L: EntityLookup>(
    _ modal: Int,
    _ path: RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) -> Bool {
    switch tape.kind(modal) {
    case .null: return false
    case .array: break
    default: return try isStale(modal, at: path, &lookup)
    }
    var level = StackLevel(array: modal, in: tape)
    guard let route = level.next(in: tape) else { return false }
    if try isStale(route, at: path.adding([], level), &lookup) { return true }
    try walk(&level, path, &lookup)
    return false
  }
}

// MARK: - Routes

extension Restorer {
  /// Walks a stack from where `level` stands to its end, and through the lists that its routes hold.
  ///
  /// The levels above the present one are kept in a list, so that depth costs no stack.
  private mutating func walk<L: EntityLookup>(
    _ level: inout StackLevel,
    _ path: RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) {
    var outer: [StackLevel] = []
    while true {
      while let route = level.next(in: tape) {
        if level.isTruncating {
          reportAbove(route, path.adding(outer, level))
          level.remove(route)
        } else if try isStale(route, at: path.adding(outer, level), &lookup) {
          if policy != .keep { level.remove(route) }
          level.isTruncating = policy == .truncate && !level.isSideBySide
        } else if level.isList, let nested = OrderedList.nested(in: route, of: tape) {
          outer.append(level)
          level = StackLevel(list: nested, in: tape)
        }
      }
      level.finish(in: document, &edits)
      guard let next = outer.popLast() else { return }
      level = next
    }
  }

  /// Judges a route, reports it if it is stale, and gives it its new name if it stays; every route of a state that is
  /// no navigation path goes through here.
  ///
  /// - Parameter path: where the route stands, worked out for a report only.
  private mutating func isStale<L: EntityLookup>(
    _ node: Int,
    at path: @autoclosure () -> RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) -> Bool {
    guard let verdict = try check.verdict(of: node, in: tape, &lookup) else {
      if !check.renames.isEmpty, policy != .keep { renameCases() }
      return false
    }
    try report(verdict, check.reportedName(of: node, in: tape), path(), &lookup)
    return true
  }

  private mutating func renameCases() {
    guard let names = rules.names else { return }
    for (node, place) in check.renames {
      edits.replace(tape.range(node), with: names.cases.spelling(place, inPlaceOf: tape.kind(node)))
      renamed += 1
    }
  }
}

// MARK: - Reports

extension Restorer {
  mutating func report<L: EntityLookup>(
    _ verdict: RouteCheck.Verdict,
    _ name: String?,
    _ path: RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) {
    var kind: String?
    if let missing = verdict.missing { kind = try check.references.kinds.name(at: missing.kind, &lookup) }
    dropped.append(
      Dropped(
        path: path.pointer(in: tape),
        reason: verdict.reason,
        route: name,
        kind: kind,
        id: verdict.missing?.id
      )
    )
  }

  private mutating func reportAbove(_ route: Int, _ path: RoutePath) {
    let name = check.reportedName(of: route, in: tape)
    dropped.append(Dropped(path: path.pointer(in: tape), reason: .aboveDropped, route: name))
  }
}
