import JSONText

/// The checks of a state, in one pass over its tape; what they find out is the layout.
struct StateCheck {
  let document: JSONDocument
  let tape: JSONTape
  private var layout = StateLayout()
  /// Arrays of nested lists that are still to be counted: a list of its own, so that depth costs no stack.
  private var pending: [Int] = []

  private init(_ document: JSONDocument, _ tape: JSONTape) {
    self.document = document
    self.tape = tape
  }

  /// Checks the state that a document is.
  ///
  /// - Throws: the first fault that it meets, but a top-level `routes` before any other,
  ///   and too many routes after all others.
  static func layout(of document: JSONDocument, maximumRoutes: Int) throws(StateFault) -> StateLayout {
    let layout = try document.withTape { (tape) throws(StateFault) -> StateLayout in
      var check = StateCheck(document, tape)
      do throws(StateFault) {
        try check.members()
      } catch {
        throw tape.member(tape.root, "routes") == nil ? error : StateHint.reactNavigation
      }
      return check.layout
    }
    guard layout.routes <= maximumRoutes else {
      throw .limit(name: "routes", maximum: maximumRoutes, actual: layout.routes)
    }
    return layout
  }

  private mutating func members() throws(StateFault) {
    let root = tape.root
    guard tape.kind(root) == .object else {
      throw invalid(root, "a state is an object, not \(tape.kind(root).phrase)")
    }
    var isEmpty = true
    for (key, value) in tape.members(root) {
      isEmpty = false
      try member(key, value)
    }
    if isEmpty { throw invalid(root, StateHint.empty) }
  }

  /// Checks one member; null counts as left out, but only under a name that a state has.
  private mutating func member(_ key: Int, _ value: Int) throws(StateFault) {
    let isNull = tape.kind(value) == .null
    if tape.isString(key, "stacks") {
      if !isNull { try stacks(value) }
    } else if tape.isString(key, "selectedTab") {
      if !isNull { layout.selectedTab = try name(value, .tab) }
    } else if tape.isString(key, "sidebarSelection") {
      if !isNull { sidebarSelection(value) }
    } else if tape.isString(key, "modals") {
      if !isNull { try modals(value) }
    } else if tape.isString(key, "values") {
      if !isNull { try values(value) }
    } else {
      throw invalid(value, StateHint.unknownMember(tape.string(key)))
    }
  }

  private mutating func stacks(_ value: Int) throws(StateFault) {
    try pairs(value, .tab)
    layout.stacks = value
    for pair in NamedPairs(of: value, in: tape) {
      pending.append(try stack(pair.value))
      while let array = pending.popLast() { countRoutes(of: array, inList: tape.kind(pair.value) == .object) }
    }
  }

  /// Checks that a value is a stack, and answers the array of its routes.
  private func stack(_ value: Int) throws(StateFault) -> Int {
    switch tape.kind(value) {
    case .array: return value
    case .object: break
    case let kind:
      throw invalid(value, "a stack is an array of routes or an object with an array routes, not \(kind.phrase)")
    }
    do throws(OrderedList.Fault) {
      return try OrderedList(value, in: tape).routes
    } catch {
      switch error {
      case .noRoutes: throw invalid(value, "a stack that is an object needs an array routes")
      case .routesNoArray(let node):
        throw invalid(node, "the routes of a stack are an array, not \(tape.kind(node).phrase)")
      case .indexNoInteger(let node):
        throw invalid(node, "the index of a stack is an integer, not \(StateHint.phrase(node, in: tape))")
      }
    }
  }

  private mutating func countRoutes(of array: Int, inList: Bool) {
    for route in tape.elements(array) {
      layout.routesOnStacks += 1
      layout.routes += 1
      if inList, let nested = OrderedList.nested(in: route, of: tape) { pending.append(nested.routes) }
    }
  }

  private mutating func sidebarSelection(_ value: Int) {
    layout.sidebarSelection = value
    guard tape.kind(value) == .array else {
      layout.routes += 1
      return
    }
    for column in tape.elements(value) where tape.kind(column) != .null { layout.routes += 1 }
  }

  private mutating func modals(_ value: Int) throws(StateFault) {
    try pairs(value, .presentation)
    layout.modals = value
    for pair in NamedPairs(of: value, in: tape) {
      switch tape.kind(pair.value) {
      case .null: break
      case .array: layout.routes += tape.count(pair.value)
      default: layout.routes += 1
      }
    }
  }

  private mutating func values(_ value: Int) throws(StateFault) {
    guard tape.kind(value) == .object else {
      throw invalid(value, "values is an object of the app's own, not \(tape.kind(value).phrase)")
    }
    layout.values = value
  }

  func invalid(_ node: Int, _ reason: String) -> StateFault {
    StateFault.invalid(path: document.pointer(to: node), reason: reason)
  }
}
