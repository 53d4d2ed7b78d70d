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
      var restorer = Restorer(self, tape, stale: stale ?? rules.stale)
      return try restorer.run(&lookup)
    }
  }
}

/// One restoring of one state, part by part in the order of reports: stacks, sidebar, modals.
struct Restorer {
  private let document: JSONDocument
  private let tape: JSONTape
  private let layout: StateLayout
  private let policy: StalePolicy
  private var references = ReferenceCheck()
  private var edits = JSONEdits()
  private var dropped: [Dropped] = []
  private var emptied: [String] = []

  init(_ state: SceneState, _ tape: JSONTape, stale: StalePolicy) {
    document = state.document
    self.tape = tape
    layout = state.layout
    policy = stale
  }

  mutating func run<L: EntityLookup>(_ lookup: inout L) throws(L.Failure) -> Restoration {
    if let stacks = layout.stacks { try restoreStacks(stacks, &lookup) }
    if let selection = layout.sidebarSelection { try restoreSidebar(selection, &lookup) }
    if let modals = layout.modals { try restoreModals(modals, &lookup) }
    let unverified = try references.kinds.unverified(&lookup)
    let state = edits.isEmpty ? document.bytes : edits.applied(to: document.bytes)
    return Restoration(state: state, dropped: dropped, emptied: emptied, unverified: unverified)
  }

  private mutating func restoreStacks<L: EntityLookup>(_ stacks: Int, _ lookup: inout L) throws(L.Failure) {
    for pair in NamedPairs(of: stacks, in: tape) {
      var path = RoutePath(.stacks, pair, isFlat: tape.kind(stacks) == .array)
      var level: StackLevel
      if tape.kind(pair.value) == .array {
        level = StackLevel(array: pair.value, in: tape)
      } else if let list = try? OrderedList(pair.value, in: tape) {
        level = StackLevel(list: list, in: tape)
        path.isList = true
      } else {
        continue
      }
      try walk(&level, path, &lookup)
      if level.isEmptied, let name = SceneName.node(of: pair.key, in: tape) {
        emptied.append(tape.string(name))
      }
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
    guard !stale.isEmpty, policy != .keep else { return }
    var next = 0
    if isFlat {
      edits.removeElements(of: modals, in: document) { node in
        guard next < stale.count, node == stale[next].key || node == stale[next].value else { return false }
        if node == stale[next].value { next += 1 }
        return true
      }
    } else {
      edits.removeMembers(of: modals, in: document) { value in
        guard next < stale.count, value == stale[next].value else { return false }
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

  /// Judges a route and reports it if it is stale; every route of a state goes through here.
  ///
  /// What a route table says of the case itself (its new name, whether there is such a case) comes before its references.
  ///
  /// - Parameter path: where the route stands, worked out for a report only.
  private mutating func isStale<L: EntityLookup>(
    _ node: Int,
    at path: @autoclosure () -> RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) -> Bool {
    let route = Route(node, in: tape)
    guard let missing = try references.firstMissing(of: route, in: tape, &lookup) else { return false }
    try report(missing, of: route, path(), &lookup)
    return true
  }
}

// MARK: - Reports

extension Restorer {
  private mutating func report<L: EntityLookup>(
    _ missing: ReferenceCheck.Missing,
    of route: Route,
    _ path: RoutePath,
    _ lookup: inout L
  ) throws(L.Failure) {
    dropped.append(
      Dropped(
        path: path.pointer(in: tape),
        reason: .entityMissing,
        route: route.caseName(in: tape).map(tape.string),
        kind: try references.kinds.name(at: missing.kind, &lookup),
        id: tape.string(missing.id)
      )
    )
  }

  private mutating func reportAbove(_ route: Int, _ path: RoutePath) {
    let name = Route(route, in: tape).caseName(in: tape).map(tape.string)
    dropped.append(Dropped(path: path.pointer(in: tape), reason: .aboveDropped, route: name))
  }
}
