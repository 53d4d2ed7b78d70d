import JSONText

/// The checks of a state, in one pass over its tape; what they find out is the layout.
struct StateCheck {
  private let document: JSONDocument
  private var layout = StateLayout()
  /// Arrays of nested lists that are still to be counted: a list of its own, so that depth costs no stack.
  private var pending: [Int] = []

  private init(_ document: JSONDocument) {
    self.document = document
  }

  /// Checks the state that a document is.
  ///
  /// - Throws: the first fault that it meets, but a top-level `routes` before any other,
  ///   and too many routes after all others.
  static func layout(of document: JSONDocument, maximumRoutes: Int) throws(StateFault) -> StateLayout {
    var check = StateCheck(document)
    do throws(StateFault) {
      try check.members()
    } catch {
      throw document.member(document.root, "routes") == nil ? error : StateHint.reactNavigation
    }
    guard check.layout.routes <= maximumRoutes else {
      throw .limit(name: "routes", maximum: maximumRoutes, actual: check.layout.routes)
    }
    return check.layout
  }

  private mutating func members() throws(StateFault) {
    let root = document.root
    guard document.kind(root) == .object else {
      throw invalid(root, "a state is an object, not \(document.kind(root).phrase)")
    }
    var isEmpty = true
    for (key, value) in document.members(root) {
      isEmpty = false
      try member(key, value)
    }
    if isEmpty { throw invalid(root, StateHint.empty) }
  }

  /// Checks one member; null counts as left out, but only under a name that a state has.
  private mutating func member(_ key: Int, _ value: Int) throws(StateFault) {
    let isNull = document.kind(value) == .null
    if document.isString(key, "stacks") {
      if !isNull { try stacks(value) }
    } else if document.isString(key, "selectedTab") {
      if !isNull { layout.selectedTab = try name(value, .tab) }
    } else if document.isString(key, "sidebarSelection") {
      if !isNull { sidebarSelection(value) }
    } else if document.isString(key, "modals") {
      if !isNull { try modals(value) }
    } else if document.isString(key, "values") {
      if !isNull { try values(value) }
    } else {
      throw invalid(value, StateHint.unknownMember(document.string(key)))
    }
  }

  private mutating func stacks(_ value: Int) throws(StateFault) {
    try pairs(value, .tab)
    layout.stacks = value
    for pair in NamedPairs(of: value, in: document) {
      pending.append(try stack(pair.value))
      while let array = pending.popLast() { countRoutes(of: array, inList: document.kind(pair.value) == .object) }
    }
  }

  /// Checks that a value is a stack, and answers the array of its routes.
  private func stack(_ value: Int) throws(StateFault) -> Int {
    switch document.kind(value) {
    case .array: return value
    case .object: break
    case let kind:
      throw invalid(value, "a stack is an array of routes or an object with an array routes, not \(kind.phrase)")
    }
    do throws(OrderedList.Fault) {
      return try OrderedList(value, in: document).routes
    } catch {
      switch error {
      case .noRoutes: throw invalid(value, "a stack that is an object needs an array routes")
      case .routesNoArray(let node):
        throw invalid(node, "the routes of a stack are an array, not \(document.kind(node).phrase)")
      case .indexNoInteger(let node):
        throw invalid(node, "the index of a stack is an integer, not \(StateHint.phrase(node, in: document))")
      }
    }
  }

  private mutating func countRoutes(of array: Int, inList: Bool) {
    for route in document.elements(array) {
      layout.routesOnStacks += 1
      layout.routes += 1
      if inList, let nested = OrderedList.nested(in: route, of: document) { pending.append(nested.routes) }
    }
  }

  private mutating func sidebarSelection(_ value: Int) {
    layout.sidebarSelection = value
    guard document.kind(value) == .array else {
      layout.routes += 1
      return
    }
    for column in document.elements(value) where document.kind(column) != .null { layout.routes += 1 }
  }

  private mutating func modals(_ value: Int) throws(StateFault) {
    try pairs(value, .presentation)
    layout.modals = value
    for pair in NamedPairs(of: value, in: document) {
      switch document.kind(pair.value) {
      case .null: break
      case .array: layout.routes += document.count(pair.value)
      default: layout.routes += 1
      }
    }
  }

  private mutating func values(_ value: Int) throws(StateFault) {
    guard document.kind(value) == .object else {
      throw invalid(value, "values is an object of the app's own, not \(document.kind(value).phrase)")
    }
    layout.values = value
  }
}

// MARK: - Names

extension StateCheck {
  /// What a name names.
  private enum Role {
    case tab
    case presentation

    var word: String { self == .tab ? "tab id" : "presentation" }
    var article: String { "a " + word }
    var member: String { self == .tab ? "stacks" : "modals" }
  }

  /// Checks the names of `stacks` or `modals`, and that each stands once.
  private func pairs(_ container: Int, _ role: Role) throws(StateFault) {
    switch document.kind(container) {
    case .object:
      // Keys are strings, and the document refuses those that stand twice.
      for pair in NamedPairs(of: container, in: document) {
        if let fault = fault(pair.key) { throw refused(fault, at: pair.value, role) }
      }
    case .array:
      guard document.count(container).isMultiple(of: 2) else {
        throw invalid(
          container,
          "\(role.member) is an array of an odd number of elements: write each \(role.word) before what it names"
        )
      }
      try flatPairs(container, role)
    case let kind:
      throw invalid(container, "\(role.member) is an object, or an array of pairs, not \(kind.phrase)")
    }
  }

  private func flatPairs(_ container: Int, _ role: Role) throws(StateFault) {
    var names = NameSet(document)
    for pair in NamedPairs(of: container, in: document) {
      let node = try name(pair.key, role)
      guard names.insert(node) else {
        throw invalid(pair.key, "\(role.article) stands once in \(role.member), and this one is there before")
      }
    }
  }

  /// Checks that a value is a name, and answers the node that spells it.
  private func name(_ value: Int, _ role: Role) throws(StateFault) -> Int {
    guard let node = SceneName.node(of: value, in: document) else {
      throw invalid(
        value,
        "\(role.article) is a string, an integer or a case without payload, like {\"boards\":{}}, "
          + "not \(StateHint.phrase(value, in: document))"
      )
    }
    if let fault = fault(node) { throw refused(fault, at: value, role) }
    return node
  }

  private func fault(_ name: Int) -> Names.Fault? { document.withDecoded(name) { Names.fault($0) } }

  private func refused(_ fault: Names.Fault, at node: Int, _ role: Role) -> StateFault {
    if case .tooLong(let bytes) = fault { return .limit(name: role.word, maximum: Names.maximumBytes, actual: bytes) }
    return invalid(node, "\(role.article) \(fault.sentence)")
  }

  private func invalid(_ node: Int, _ reason: String) -> StateFault {
    .invalid(path: document.pointer(to: node), reason: reason)
  }
}

/// Names met so far, compared byte for byte: Swift's `String` would take é composed and decomposed for one.
private struct NameSet {
  /// Up to this many names, comparing each pair is faster than hashing, and takes no memory.
  private static let pairwiseMaximum = 8

  private let document: JSONDocument
  private var nodes: [Int] = []
  private var hashed: Set<[UInt8]> = []

  init(_ document: JSONDocument) {
    self.document = document
  }

  /// Adds the name that a node spells; answers false where it is there already.
  mutating func insert(_ node: Int) -> Bool {
    if nodes.count < Self.pairwiseMaximum {
      guard !nodes.contains(where: { isSame($0, node) }) else { return false }
      nodes.append(node)
      return true
    }
    if hashed.isEmpty { hashed.formUnion(nodes.map(spelling)) }
    return hashed.insert(spelling(node)).inserted
  }

  private func spelling(_ node: Int) -> [UInt8] { document.withDecoded(node) { Array($0) } }

  private func isSame(_ a: Int, _ b: Int) -> Bool {
    document.withDecoded(a) { left in document.withDecoded(b) { left.elementsEqual($0) } }
  }
}
