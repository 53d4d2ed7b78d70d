extension JSONDocument {
  /// The kind of a node's value.
  @inline(__always)
  package func kind(_ node: Int) -> JSONKind { nodes[node].kind }

  /// The bytes of a value without the white space around it; a string's with its quotes.
  @inline(__always)
  package func range(_ node: Int) -> Range<Int> { Int(nodes[node].start)..<Int(nodes[node].end) }

  /// The value's text, as it stands.
  package func text(_ node: Int) -> ArraySlice<UInt8> { bytes[range(node)] }

  /// The node after `node` and all that it holds; the number of nodes where there is none.
  @inline(__always)
  package func next(_ node: Int) -> Int { Int(nodes[node].next) }

  /// The element nodes of an array, in order; of any other value, none.
  @inline(__always)
  package func elements(_ array: Int) -> JSONElements {
    JSONElements(nodes: nodes, from: array, isContainer: kind(array) == .array)
  }

  /// The member nodes of an object, in order; of any other value, none.
  @inline(__always)
  package func members(_ object: Int) -> JSONMembers {
    JSONMembers(nodes: nodes, from: object, isContainer: kind(object) == .object)
  }

  /// How many elements or members a container has; 0 for any other value.
  package func count(_ container: Int) -> Int { withTape { $0.count(container) } }

  /// The value of the member `name`, compared decoded; nil where the node has no such member or is no object.
  package func member(_ object: Int, _ name: StaticString) -> Int? { withTape { $0.member(object, name) } }

  /// A string decoded, or any other value's text.
  package func string(_ node: Int) -> String { withTape { $0.string(node) } }

  /// A string's decoded bytes, or any other value's text: a piece of the whole where nothing is escaped.
  package func decoded(_ node: Int) -> ArraySlice<UInt8> {
    guard kind(node) == .string else { return text(node) }
    if nodes[node].escaped { return withDecoded(node) { Array($0) }[...] }
    return text(node).dropFirst().dropLast()
  }

  /// Whether a node is a string that decodes to `literal`.
  package func isString(_ node: Int, _ literal: StaticString) -> Bool { withTape { $0.isString(node, literal) } }

  /// Calls `body` with a string's decoded bytes, or with any other value's text; copies only where something is
  /// escaped.
  package func withDecoded<R, E: Error>(
    _ node: Int,
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try withTape { (tape) throws(E) -> R in try tape.withDecoded(node, body) }
  }
}

/// The element nodes of an array.
package struct JSONElements: Sequence, IteratorProtocol {
  private let nodes: ContiguousArray<JSONNode>
  private var current: Int
  private let end: Int

  @inline(__always)
  init(nodes: ContiguousArray<JSONNode>, from container: Int, isContainer: Bool) {
    self.nodes = nodes
    current = container + 1
    end = isContainer ? Int(nodes[container].next) : container
  }

  /// The next element's node, or nil after the last.
  @inline(__always)
  package mutating func next() -> Int? {
    guard current < end else { return nil }
    defer { current = Int(nodes[current].next) }
    return current
  }
}

/// The key and value nodes of an object.
package struct JSONMembers: Sequence, IteratorProtocol {
  private var keys: JSONElements

  @inline(__always)
  init(nodes: ContiguousArray<JSONNode>, from container: Int, isContainer: Bool) {
    keys = JSONElements(nodes: nodes, from: container, isContainer: isContainer)
  }

  /// The next member's nodes, or nil after the last.
  @inline(__always)
  package mutating func next() -> (key: Int, value: Int)? {
    guard let key = keys.next(), let value = keys.next() else { return nil }
    return (key, value)
  }
}
