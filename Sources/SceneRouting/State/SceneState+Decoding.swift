extension SceneState: Decodable {
  /// Reads a state as far as this release can: what it cannot read is left out, and named in `skipped`.
  ///
  /// - Throws: only where the value is no object at all.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: StateKey.self)
    self.init()
    readSelectedTab(container)
    readStacks(container)
    readColumns(container)
    readModals(container)
    readValues(container)
  }

  private typealias Members = KeyedDecodingContainer<StateKey>

  /// A member, or nil where it is absent, null or, with a report, of a shape that is not known.
  private mutating func read<Value: Decodable>(_: Value.Type, _ key: StateKey, in members: Members) -> Value? {
    guard let lossy = try? members.decodeIfPresent(Lossy<Value>.self, forKey: key) else { return nil }
    return take(lossy.result, at: "/\(key.rawValue)")
  }

  /// A value that could be read; of another one the place is noted.
  private mutating func take<Value>(_ result: Result<Value, Unreadable>, at path: String) -> Value? {
    switch result {
    case .success(let value): return value
    case .failure(let error):
      skipped.append(Skipped(path: path, reason: error.reason))
      return nil
    }
  }

  private mutating func readSelectedTab(_ members: Members) {
    guard let name = read(LossyName.self, .selectedTab, in: members)?.name else { return }
    selectedTab = tab(named: .success(name), at: "/selectedTab")
  }

  private mutating func tab(named name: Result<String, Unreadable>, at path: String) -> Nav.Tab? {
    take(
      name.flatMap { name in
        Nav.Tab(rawValue: name).map { .success($0) } ?? .failure(Unreadable("there is no tab \(name)"))
      },
      at: path
    )
  }

  private mutating func readStacks(_ members: Members) {
    guard let named = read(NamedValues<LossyArray<Nav.Route>>.self, .stacks, in: members) else { return }
    for pair in named.pairs {
      let path = "/stacks" + pair.step
      guard let tab = tab(named: pair.name, at: path), let stack = take(pair.value, at: path) else { continue }
      note(stack.unreadable, at: path)
      if !stack.elements.isEmpty { self[tab] = stack.elements }
    }
  }

  private mutating func note(_ unreadable: [(index: Int, reason: String)], at path: String) {
    skipped += unreadable.map { Skipped(path: "\(path)/\($0.index)", reason: $0.reason) }
  }

  private mutating func readColumns(_ members: Members) {
    guard let selection = read(LossyColumns<Nav.Route>.self, .sidebarSelection, in: members) else { return }
    for (index, column) in selection.columns.enumerated() {
      let path = selection.isArray ? "/sidebarSelection/\(index)" : "/sidebarSelection"
      columns.append(take(column, at: path) ?? nil)
    }
    while columns.last == .some(nil) { columns.removeLast() }
  }

  private mutating func readModals(_ members: Members) {
    guard let named = read(NamedValues<LossyModal<Nav>>.self, .modals, in: members) else { return }
    for pair in named.pairs {
      let path = "/modals" + pair.step
      guard let name = take(pair.name, at: path), let modal = take(pair.value, at: path) else { continue }
      guard let root = modal.root else { continue }
      note(modal.stack.unreadable, at: path)
      if let root = take(root, at: modal.isArray ? path + "/0" : path) {
        modals[Presentation(rawValue: name)] = PresentedModal(root, stack: modal.stack.elements)
      }
    }
  }

  private mutating func readValues(_ members: Members) {
    guard let lossy = read(LossyValues<Nav>.self, .values, in: members) else { return }
    if let app = lossy.app { values = take(app, at: "/values/app") ?? values }
    for (name, count) in lossy.badges where count > 0 {
      if let tab = Nav.tab(savedAs: name) { badges[tab] = count }
    }
    savedFlows = lossy.flows.compactMap { flow in
      Nav.tab(savedAs: flow.tab).map { Flow(tab: $0, depth: max(flow.depth, 0)) }
    }
    settleFlows()
  }

  /// Works out where the saved flows begin now.
  ///
  /// - Parameter dropped: what the service left out, as pointers into the state as it was saved.
  mutating func settleFlows(dropped: [String] = []) {
    var settled = savedFlows
    for pointers in [dropped, skipped.map(\.path)] {
      for (tab, places) in StatePlaces<Nav>(pointers).stacks { keepFlows(&settled, without: places, on: tab) }
    }
    flows = settled.filter { $0.depth < self[$0.tab].count }
  }
}

extension Navigation {
  /// The tab of a name that an earlier release may have saved: what stands in `values` the service does not rename.
  fileprivate static func tab(savedAs name: String) -> Tab? {
    var name = name
    // As many steps as there are renames: more would be a circle.
    for _ in renamedTabs where Tab(rawValue: name) == nil { name = renamedTabs[name] ?? name }
    return Tab(rawValue: name)
  }
}

/// One route, or one for each column.
private struct LossyColumns<Route: Decodable>: Decodable {
  var columns: [Result<Route?, Unreadable>] = []
  var isArray = false

  init(from decoder: any Decoder) throws {
    guard var array = try? decoder.unkeyedContainer() else {
      columns = [Lossy<Route?>(from: decoder).result]
      return
    }
    isArray = true
    while !array.isAtEnd { columns.append(try array.decode(Lossy<Route?>.self).result) }
  }
}

/// A modal, with a stack after it where it is an array.
private struct LossyModal<Nav: Navigation>: Decodable {
  /// Nil: there is no modal.
  var root: Result<Nav.Modal, Unreadable>?
  var stack = Stack()
  var isArray = false

  struct Stack {
    var elements: [Nav.Route] = []
    var unreadable: [(index: Int, reason: String)] = []
  }

  init(from decoder: any Decoder) throws {
    if try decoder.singleValueContainer().decodeNil() { return }
    guard var array = try? decoder.unkeyedContainer() else {
      root = Lossy<Nav.Modal>(from: decoder).result
      return
    }
    isArray = true
    if array.isAtEnd { return }
    root = try array.decode(Lossy<Nav.Modal>.self).result
    while !array.isAtEnd {
      let index = array.currentIndex
      switch try array.decode(Lossy<Nav.Route>.self).result {
      case .success(let route): stack.elements.append(route)
      case .failure(let error): stack.unreadable.append((index, error.reason))
      }
    }
  }
}

/// What stands beside the navigation.
private struct LossyValues<Nav: Navigation>: Decodable {
  var app: Result<Nav.Values, Unreadable>?
  var badges: [String: Int]
  var flows: [EncodedFlow]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ValuesKey.self)
    app = try container.decodeIfPresent(Lossy<Nav.Values>.self, forKey: .app)?.result
    badges = (try? container.decodeIfPresent([String: Int].self, forKey: .badges)) ?? [:]
    flows = (try? container.decodeIfPresent([EncodedFlow].self, forKey: .flows)) ?? []
  }
}
