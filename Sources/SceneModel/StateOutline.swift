import JSONText

/// What a state holds, part by part and route by route, for whoever shows it to people.
///
/// Read by the rules that restoring reads it by, so that both see the same routes and references. The parts stand in
/// the order of reports: stacks, sidebar, modals.
package struct StateOutline: Sendable {
  /// A stack, the selection in the sidebar, or a modal.
  package struct Branch: Sendable {
    /// What it is.
    package enum Part: Hashable, Sendable { case stack, sidebarSelection, modal }

    /// What it is.
    package let part: Part
    /// The tab's id or the presentation, as a string whatever its form; of the sidebar, `""`.
    package let name: String
    /// Its JSON Pointer in the state.
    package let path: String
    /// Whether it is the stack of the selected tab.
    package let isSelected: Bool
    /// Its routes from the root up, each followed by those that it holds.
    package fileprivate(set) var routes: [Entry] = []
  }

  /// One route.
  package struct Entry: Sendable {
    /// The route's value; one that is null is a column of the sidebar with nothing selected.
    package let node: Int
    /// Its JSON Pointer in the state, as a report spells it.
    package let path: String
    /// How many routes hold it: 0 on a stack, one more in each nested list and on the stack of a modal.
    package let depth: Int
    /// Whether the `index` of its ordered list names it.
    package let isSelected: Bool
    /// Its case name; nil where it has none.
    package let caseName: String?
    /// Its parameters in the order of the bytes, without a nested list.
    package let parameters: [(name: String, value: Int)]
    /// Its references, in the order in which a restoring checks them.
    package let references: [Reference]
  }

  /// A parameter of a route that refers to entities.
  package struct Reference: Hashable, Sendable {
    /// The kind, as the state refers to it.
    package let kind: String
    /// The node of the id, or of the list of ids.
    package let value: Int
    /// Whether the parameter names the kind, so that a report names it where it was not checked.
    package let isNamed: Bool
  }

  /// The parts that are there.
  package private(set) var branches: [Branch] = []
  /// The id of the selected tab; nil where the state selects none.
  package let selectedTab: String?
  /// The node of `values`; nil where there are none.
  package let values: Int?

  private var check: RouteCheck
  private var kinds = KindRecorder()

  /// Reads a state.
  ///
  /// Linear in its size, but for the paths: each costs its length.
  ///
  /// - Parameter rules: what the app has said of its routes. Pairs of a navigation path are shown as the strings that
  ///   they are.
  package init(_ state: SceneState, rules: RouteRules = .byConvention) {
    check = RouteCheck(rules)
    check.references.found = []
    values = state.layout.values
    selectedTab = state.selectedTab
    state.document.withTape { tape in
      if let stacks = state.layout.stacks { addStacks(stacks, selected: selectedTab, tape) }
      if let selection = state.layout.sidebarSelection { addSidebar(selection, tape) }
      if let modals = state.layout.modals { addModals(modals, tape) }
    }
  }
}

// MARK: - Parts

extension StateOutline {
  private mutating func addStacks(_ stacks: Int, selected: String?, _ tape: JSONTape) {
    for pair in NamedPairs(of: stacks, in: tape) {
      var path = RoutePath(.stacks, pair, isFlat: tape.kind(stacks) == .array)
      let name = SceneName.node(of: pair.key, in: tape).map(tape.string) ?? ""
      // By bytes: `String` would take é composed and decomposed for one.
      let isSelected = selected.map { $0.utf8.elementsEqual(name.utf8) } ?? false
      branches.append(
        Branch(part: .stack, name: name, path: path.pointer(in: tape), isSelected: isSelected)
      )
      if tape.kind(pair.value) == .array {
        var level = StackLevel(array: pair.value, in: tape)
        walk(&level, path, depth: 0, tape)
      } else if let list = try? OrderedList(pair.value, in: tape) {
        var level = StackLevel(list: list, in: tape)
        path.isList = true
        walk(&level, path, depth: 0, tape)
      }
    }
  }

  private mutating func addSidebar(_ selection: Int, _ tape: JSONTape) {
    let path = RoutePath(.sidebarSelection)
    branches.append(
      Branch(part: .sidebarSelection, name: "", path: path.pointer(in: tape), isSelected: false)
    )
    guard tape.kind(selection) == .array else { return add(selection, path, depth: 0, tape) }
    var columns = StackLevel(array: selection, in: tape)
    while let column = columns.next(in: tape) { add(column, path.adding([], columns), depth: 0, tape) }
  }

  private mutating func addModals(_ modals: Int, _ tape: JSONTape) {
    for pair in NamedPairs(of: modals, in: tape) {
      let path = RoutePath(.modals, pair, isFlat: tape.kind(modals) == .array)
      let name = SceneName.node(of: pair.key, in: tape).map(tape.string) ?? ""
      branches.append(Branch(part: .modal, name: name, path: path.pointer(in: tape), isSelected: false))
      switch tape.kind(pair.value) {
      case .null: break
      case .array:
        var level = StackLevel(array: pair.value, in: tape)
        guard let route = level.next(in: tape) else { continue }
        add(route, path.adding([], level), depth: 0, tape)
        walk(&level, path, depth: 1, tape)
      default: add(pair.value, path, depth: 0, tape)
      }
    }
  }

  /// Adds the routes of a stack from where `level` stands, and those of the lists that they hold.
  ///
  /// The levels above the present one are kept in a list, so that depth costs no stack.
  private mutating func walk(_ level: inout StackLevel, _ path: RoutePath, depth: Int, _ tape: JSONTape) {
    var outer: [StackLevel] = []
    while true {
      while let route = level.next(in: tape) {
        let isSelected = level.index.map { Int(tape.string($0)) == level.count - 1 } ?? false
        add(route, path.adding(outer, level), depth: depth + outer.count, isSelected: isSelected, tape)
        if level.isList, let nested = OrderedList.nested(in: route, of: tape) {
          outer.append(level)
          level = StackLevel(list: nested, in: tape)
        }
      }
      guard let next = outer.popLast() else { return }
      level = next
    }
  }
}

// MARK: - Routes

extension StateOutline {
  private mutating func add(
    _ node: Int,
    _ path: RoutePath,
    depth: Int,
    isSelected: Bool = false,
    _ tape: JSONTape
  ) {
    let route = Route(node, in: tape, check.rules.names)
    branches[branches.count - 1].routes.append(
      Entry(
        node: node,
        path: path.pointer(in: tape),
        depth: depth,
        isSelected: isSelected,
        caseName: route.caseName(in: tape).map(tape.string),
        parameters: Self.parameters(of: route, in: tape),
        references: found(in: node, tape)
      )
    )
  }

  private static func parameters(of route: Route, in tape: JSONTape) -> [(name: String, value: Int)] {
    switch route.parameters {
    case .none: []
    case .value(let value): [("_0", value)]
    case .elements(let array): tape.elements(array).enumerated().map { ("_\($0.offset)", $0.element) }
    case .members(let object, let except):
      tape.members(object).filter { key, value in
        key != except && !(tape.isString(key, "state") && (try? OrderedList(value, in: tape)) != nil)
      }.map { (tape.string($0.key), $0.value) }
    }
  }

  private mutating func found(in route: Int, _ tape: JSONTape) -> [Reference] {
    check.references.found?.removeAll(keepingCapacity: true)
    _ = check.verdict(of: route, in: tape, &kinds)
    return (check.references.found ?? []).map { found in
      Reference(
        kind: check.references.kinds.name(at: found.kind, &kinds),
        value: found.value,
        isNamed: found.isNamed
      )
    }
  }
}

/// Takes every kind for declared and every entity for there, so that each reference is met, and keeps the names.
private struct KindRecorder: EntityLookup {
  private var names: [String] = []

  mutating func kind(named name: String) throws(Never) -> KindAnswer {
    names.append(name)
    return .declared(key: Int64(names.count - 1), syncing: false)
  }

  mutating func contains(_ id: EntityID, in kind: Int64) throws(Never) -> Bool { true }

  mutating func name(of kind: Int64) throws(Never) -> String { names[Int(kind)] }
}
