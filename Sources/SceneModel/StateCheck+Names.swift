import JSONText

extension StateCheck {
  /// What a name names.
  enum Role {
    case tab
    case presentation

    var word: String { self == .tab ? "tab id" : "presentation" }
    var article: String { "a " + word }
    var member: String { self == .tab ? "stacks" : "modals" }
  }

  /// Checks the names of `stacks` or `modals`, and that each stands once.
  func pairs(_ container: Int, _ role: Role) throws(StateFault) {
    switch tape.kind(container) {
    case .object:
      // Keys are strings, and the document refuses those that stand twice.
      for pair in NamedPairs(of: container, in: tape) {
        if let fault = fault(pair.key) { throw refused(fault, at: pair.value, role) }
      }
    case .array:
      guard tape.count(container).isMultiple(of: 2) else {
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
    var names = NameSet(tape)
    for pair in NamedPairs(of: container, in: tape) {
      let node = try name(pair.key, role)
      guard names.insert(node) else {
        throw invalid(pair.key, "\(role.article) stands once in \(role.member), and this one is there before")
      }
    }
  }

  /// Checks that a value is a name, and answers the node that spells it.
  func name(_ value: Int, _ role: Role) throws(StateFault) -> Int {
    guard let node = SceneName.node(of: value, in: tape) else {
      throw invalid(
        value,
        "\(role.article) is a string, an integer or a case without payload, like {\"boards\":{}}, "
          + "not \(StateHint.phrase(value, in: tape))"
      )
    }
    if let fault = fault(node) { throw refused(fault, at: value, role) }
    return node
  }

  private func fault(_ name: Int) -> Names.Fault? { tape.withDecoded(name) { Names.fault($0) } }

  private func refused(_ fault: Names.Fault, at node: Int, _ role: Role) -> StateFault {
    if case .tooLong(let bytes) = fault { return .limit(name: role.word, maximum: Names.maximumBytes, actual: bytes) }
    return invalid(node, "\(role.article) \(fault.sentence)")
  }
}

/// Names met so far, compared byte for byte: Swift's `String` would take é composed and decomposed for one.
private struct NameSet {
  /// Up to this many names, comparing each pair is faster than hashing, and takes no memory.
  private static let pairwiseMaximum = 8

  private let tape: JSONTape
  private var nodes: [Int] = []
  private var hashed: Set<[UInt8]> = []

  init(_ tape: JSONTape) {
    self.tape = tape
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

  private func spelling(_ node: Int) -> [UInt8] { tape.withDecoded(node) { Array($0) } }

  private func isSame(_ a: Int, _ b: Int) -> Bool {
    tape.withDecoded(a) { left in tape.withDecoded(b) { left.elementsEqual($0) } }
  }
}
