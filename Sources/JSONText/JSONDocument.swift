/// One JSON text, checked once and laid out as a flat tape of nodes in the order of the bytes.
///
/// A node is an index into the tape. A container's node is followed by its children's; a member is its key's node
/// and then its value's. Nothing is decoded until asked for, so every byte can be given back as it came.
/// The grammar is RFC 8259's, and stricter where readers differ: duplicate keys (compared decoded), U+0000, lone
/// surrogates and invalid UTF-8 are refused.
package struct JSONDocument: Sendable {
  /// The text, as it was given.
  package let bytes: [UInt8]
  var nodes: ContiguousArray<JSONNode>

  /// The deepest nesting that is accepted unless said otherwise; a lone container is level 1.
  package static let maximumDepth = 512

  /// The value that the text is.
  package var root: Int { 0 }

  /// Checks `bytes` and lays out their values in one walk that does not recurse.
  ///
  /// - Parameters:
  ///   - bytes: one JSON value, white space around it allowed; less than 4 GiB.
  ///   - maximumDepth: the deepest nesting accepted; a lone container is level 1.
  /// - Throws: the first fault that the walk meets; of duplicate keys, when their object ends.
  package init(_ bytes: [UInt8], maximumDepth: Int = JSONDocument.maximumDepth) throws(JSONFault) {
    guard bytes.count < Int(UInt32.max) else { throw JSONFault(.tooLarge, at: 0) }
    self.bytes = bytes
    nodes = []
    nodes.reserveCapacity(bytes.count / 10 + 4)
    var fault: JSONFault?
    bytes.withUnsafeBufferPointer { buffer in
      var walk = JSONWalk(JSONScanner(buffer), maximumDepth: maximumDepth)
      do throws(JSONFault) { try walk.run(into: &nodes) } catch { fault = error }
    }
    if let fault { throw fault }
  }
}

/// One value or key on the tape.
@usableFromInline
struct JSONNode: Sendable {
  /// The offset of its first byte.
  @usableFromInline var start: UInt32
  /// The offset after its last byte.
  @usableFromInline var end: UInt32
  /// The index of the node after it and all that it holds.
  @usableFromInline var next: UInt32
  @usableFromInline var kind: JSONKind
  /// A string that holds an escape.
  @usableFromInline var escaped = false
}

/// The walk that checks a text and writes the tape.
struct JSONWalk {
  private let scanner: JSONScanner
  private let maximumDepth: Int
  private var open: ContiguousArray<Int> = []
  private var position = 0

  init(_ scanner: JSONScanner, maximumDepth: Int) {
    self.scanner = scanner
    self.maximumDepth = maximumDepth
  }

  mutating func run(into nodes: inout ContiguousArray<JSONNode>) throws(JSONFault) {
    position = scanner.skipWhiteSpace(0)
    guard position < scanner.count else { throw JSONFault(.empty, at: position) }
    var complete = try value(into: &nodes)
    while let container = open.last {
      if complete {
        complete = try follow(container, in: &nodes)
      } else {
        if nodes[container].kind == .object { try key(into: &nodes) }
        complete = try value(into: &nodes)
      }
    }
    position = scanner.skipWhiteSpace(position)
    guard position == scanner.count else { throw JSONFault(.trailingBytes, at: position) }
  }

  /// After a value inside `container`: its comma (more follows: false) or its end (the container is complete: true).
  @inline(__always)
  private mutating func follow(_ container: Int, in nodes: inout ContiguousArray<JSONNode>) throws(JSONFault) -> Bool {
    position = scanner.skipWhiteSpace(position)
    guard position < scanner.count else { throw JSONFault(.unexpectedEnd, at: position) }
    let byte = scanner.base[position]
    if byte == Byte.comma {
      position = scanner.skipWhiteSpace(position &+ 1)
      return false
    }
    guard byte == (nodes[container].kind == .object ? Byte.braceClose : Byte.bracketClose) else {
      throw JSONFault(.unexpectedByte(byte), at: position)
    }
    try close(container, in: &nodes)
    return true
  }

  private mutating func close(_ container: Int, in nodes: inout ContiguousArray<JSONNode>) throws(JSONFault) {
    position &+= 1
    open.removeLast()
    nodes[container].end = UInt32(truncatingIfNeeded: position)
    nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
    if nodes[container].kind == .object { try JSONKeys.refuseDuplicates(of: container, in: nodes, scanner) }
  }

  /// Reads one value; answers false where it is a container that goes on.
  @inline(__always)
  private mutating func value(into nodes: inout ContiguousArray<JSONNode>) throws(JSONFault) -> Bool {
    guard position < scanner.count else { throw JSONFault(.unexpectedEnd, at: position) }
    let start = position
    let byte = scanner.base[start]
    guard let kind = JSONKind(firstByte: byte) else { throw Self.unexpected(byte, at: start) }
    var node = JSONNode(
      start: UInt32(truncatingIfNeeded: start),
      end: 0,
      next: UInt32(truncatingIfNeeded: nodes.count &+ 1),
      kind: kind
    )
    switch kind {
    case .object, .array: return try open(node, kind == .object ? Byte.braceClose : Byte.bracketClose, &nodes)
    case .string: position = try scanner.string(start, escaped: &node.escaped)
    case .number: position = try scanner.number(start)
    case .true: position = try scanner.literal(start, "true")
    case .false: position = try scanner.literal(start, "false")
    case .null: position = try scanner.literal(start, "null")
    }
    node.end = UInt32(truncatingIfNeeded: position)
    nodes.append(node)
    return true
  }

  private mutating func open(
    _ node: JSONNode,
    _ closing: UInt8,
    _ nodes: inout ContiguousArray<JSONNode>
  ) throws(JSONFault) -> Bool {
    guard open.count < maximumDepth else { throw JSONFault(.tooDeep(maximum: maximumDepth), at: position) }
    open.append(nodes.count)
    nodes.append(node)
    position = scanner.skipWhiteSpace(position &+ 1)
    guard position < scanner.count, scanner.base[position] == closing else { return false }
    try close(nodes.count &- 1, in: &nodes)
    return true
  }

  @inline(__always)
  private mutating func key(into nodes: inout ContiguousArray<JSONNode>) throws(JSONFault) {
    let start = position
    guard start < scanner.count else { throw JSONFault(.unexpectedEnd, at: start) }
    guard scanner.base[start] == Byte.quote else { throw JSONFault(.unexpectedByte(scanner.base[start]), at: start) }
    var node = JSONNode(
      start: UInt32(truncatingIfNeeded: start),
      end: 0,
      next: UInt32(truncatingIfNeeded: nodes.count &+ 1),
      kind: .string
    )
    position = try scanner.string(start, escaped: &node.escaped)
    node.end = UInt32(truncatingIfNeeded: position)
    nodes.append(node)
    position = scanner.skipWhiteSpace(position)
    guard position < scanner.count else { throw JSONFault(.unexpectedEnd, at: position) }
    guard scanner.base[position] == Byte.colon else {
      throw JSONFault(.unexpectedByte(scanner.base[position]), at: position)
    }
    position = scanner.skipWhiteSpace(position &+ 1)
  }

  private static func unexpected(_ byte: UInt8, at offset: Int) -> JSONFault {
    let letter = byte | 0x20
    let isLetter = letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
    return JSONFault(isLetter ? .invalidLiteral : .unexpectedByte(byte), at: offset)
  }
}
