/// A document's tape as plain pointers, for walks that ask it for every node.
///
/// Asks what `JSONDocument` asks, in the same words, but counts no reference and leaves no closure to call, which on
/// short states is most of the time. Valid only inside `JSONDocument.withTape`; a node must be one of that document's.
///
/// Public, though no app imports it: Swift inlines no `package` declaration into another module, and each of these
/// is a load or two.
public struct JSONTape {
  @usableFromInline let scanner: JSONScanner
  @usableFromInline let nodes: UnsafePointer<JSONNode>

  @inlinable @inline(__always)
  init(_ scanner: JSONScanner, _ nodes: UnsafePointer<JSONNode>) {
    self.scanner = scanner
    self.nodes = nodes
  }

  /// The value that the text is.
  @inlinable public var root: Int { 0 }

  /// The kind of a node's value.
  @inlinable @inline(__always)
  public func kind(_ node: Int) -> JSONKind { nodes[node].kind }

  /// The bytes of a value without the white space around it; a string's with its quotes.
  @inlinable @inline(__always)
  public func range(_ node: Int) -> Range<Int> { Int(nodes[node].start)..<Int(nodes[node].end) }

  /// The node after `node` and all that it holds; the number of nodes where there is none.
  @inlinable @inline(__always)
  public func next(_ node: Int) -> Int { Int(nodes[node].next) }

  /// The element nodes of an array, in order; of any other value, none.
  @inlinable @inline(__always)
  public func elements(_ array: Int) -> Elements {
    Elements(nodes: nodes, current: array + 1, end: kind(array) == .array ? next(array) : array)
  }

  /// The member nodes of an object, in order; of any other value, none.
  @inlinable @inline(__always)
  public func members(_ object: Int) -> Members {
    Members(keys: Elements(nodes: nodes, current: object + 1, end: kind(object) == .object ? next(object) : object))
  }

  /// How many elements or members a container has; 0 for any other value.
  @inlinable
  public func count(_ container: Int) -> Int {
    var count = 0
    for _ in members(container) { count += 1 }
    for _ in elements(container) { count += 1 }
    return count
  }

  /// The value of the member `name`, compared decoded; nil where the node has no such member or is no object.
  @inlinable
  public func member(_ object: Int, _ name: StaticString) -> Int? {
    for (key, value) in members(object) where isString(key, name) { return value }
    return nil
  }

  /// A string decoded, or any other value's text.
  public func string(_ node: Int) -> String { withDecoded(node) { String(decoding: $0, as: UTF8.self) } }

  /// Whether a node is a string that decodes to `literal`.
  @inlinable @inline(__always)
  public func isString(_ node: Int, _ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    let node = nodes[node]
    guard node.kind == .string, node.escaped || Int(node.end &- node.start) == length &+ 2 else { return false }
    if node.escaped { return isEscaped(node, literal) }
    let start = scanner.base + Int(node.start) + 1
    for place in 0..<length where start[place] != literal.utf8Start[place] { return false }
    return true
  }

  @usableFromInline
  func isEscaped(_ node: JSONNode, _ literal: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    return JSONDecode.withDecoded(node, scanner) { $0.elementsEqual(wanted) }
  }

  /// Calls `body` with a string's decoded bytes, or with any other value's text; copies only where something is
  /// escaped.
  @inlinable @inline(__always)
  public func withDecoded<R, E: Error>(
    _ node: Int,
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let node = nodes[node]
    guard node.kind == .string else {
      let start = scanner.base + Int(node.start)
      return try body(UnsafeBufferPointer(start: start, count: Int(node.end &- node.start)))
    }
    return try JSONDecode.withDecoded(node, scanner, body)
  }

  /// The element nodes of an array.
  public struct Elements: Sequence, IteratorProtocol {
    @usableFromInline let nodes: UnsafePointer<JSONNode>
    @usableFromInline var current: Int
    @usableFromInline let end: Int

    @inlinable @inline(__always)
    init(nodes: UnsafePointer<JSONNode>, current: Int, end: Int) {
      (self.nodes, self.current, self.end) = (nodes, current, end)
    }

    /// The next element's node, or nil after the last.
    @inlinable @inline(__always)
    public mutating func next() -> Int? {
      guard current < end else { return nil }
      defer { current = Int(nodes[current].next) }
      return current
    }
  }

  /// The key and value nodes of an object.
  public struct Members: Sequence, IteratorProtocol {
    @usableFromInline var keys: Elements

    @inlinable @inline(__always)
    init(keys: Elements) { self.keys = keys }

    /// The next member's nodes, or nil after the last.
    @inlinable @inline(__always)
    public mutating func next() -> (key: Int, value: Int)? {
      guard let key = keys.next(), let value = keys.next() else { return nil }
      return (key, value)
    }
  }
}

extension JSONDocument {
  /// Calls `body` with the tape, which must not leave it.
  package func withTape<R, E: Error>(_ body: (JSONTape) throws(E) -> R) throws(E) -> R {
    try bytes.withUnsafeBufferPointer { (text) throws(E) -> R in
      try nodes.withUnsafeBufferPointer { (nodes) throws(E) -> R in
        // A document has a value, so its tape has a node.
        try body(JSONTape(JSONScanner(text), nodes.baseAddress.unsafelyUnwrapped))
      }
    }
  }
}
