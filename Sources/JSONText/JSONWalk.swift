/// The walk that checks a text and writes the tape.
///
/// It writes into memory of a size fixed beforehand, through a pointer: an array that grows would be asked for its
/// capacity and its owner at each node, which took longer than to read the node. A container that is still open keeps
/// the one around it in its `next`, so that the walk needs no list of them.
struct JSONWalk {
  private let scanner: JSONScanner
  private let maximumDepth: Int
  private let nodes: UnsafeMutableBufferPointer<JSONNode>
  private var count = 0
  private var position = 0
  /// The innermost container that is open; `outermost`: none is.
  private var container = JSONWalk.outermost
  private var depth = 0

  private static let outermost = UInt32.max
  /// Bytes of text for each node of the tape: most texts have more, others are walked a second time.
  private static let usualBytes = 4
  /// The nodes of one member, before which room is looked for.
  private static let memberNodes = 2

  private init(_ scanner: JSONScanner, _ maximumDepth: Int, _ nodes: UnsafeMutableBufferPointer<JSONNode>) {
    self.scanner = scanner
    self.maximumDepth = maximumDepth
    self.nodes = nodes
  }

  /// Checks a text and lays out its values.
  ///
  /// - Throws: the first fault that the walk meets; of duplicate keys, when their object ends.
  static func tape(
    of text: UnsafeBufferPointer<UInt8>,
    maximumDepth: Int
  ) throws(JSONFault) -> ContiguousArray<JSONNode> {
    if let tape = try tape(of: text, maximumDepth, capacity: text.count / usualBytes + 1 + memberNodes) { return tape }
    // Each node has a byte, and a comma or a bracket that closes, but for the first of each container that is still open.
    let open = min(maximumDepth, text.count)
    if let tape = try tape(of: text, maximumDepth, capacity: (text.count + open) / 2 + 1 + memberNodes) { return tape }
    preconditionFailure("a JSON text has more nodes than it has room for")
  }

  /// Lays out the value that `text` begins with, whatever comes behind it.
  ///
  /// - Returns: nil where it is not sound, or has more nodes for its length than most.
  static func leadingValue(of text: UnsafeBufferPointer<UInt8>) -> ContiguousArray<JSONNode>? {
    let capacity = text.count / usualBytes + 1 + memberNodes
    return (try? tape(of: text, JSONDocument.maximumDepth, capacity: capacity, isWhole: false)) ?? nil
  }

  /// The same; nil where the tape is longer than `capacity`.
  private static func tape(
    of text: UnsafeBufferPointer<UInt8>,
    _ maximumDepth: Int,
    capacity: Int,
    isWhole: Bool = true
  ) throws(JSONFault) -> ContiguousArray<JSONNode>? {
    var fault: JSONFault?
    var fits = true
    let tape = ContiguousArray<JSONNode>(unsafeUninitializedCapacity: capacity) { nodes, count in
      var walk = JSONWalk(JSONScanner(text), maximumDepth, nodes)
      do throws(JSONFault) { fits = try walk.run(isWhole) } catch { fault = error }
      count = walk.count
    }
    if let fault { throw fault }
    return fits ? tape : nil
  }

  /// - Returns: false where the tape is full before the value's end.
  private mutating func run(_ isWhole: Bool) throws(JSONFault) -> Bool {
    position = scanner.skipWhiteSpace(0)
    guard position < scanner.count else { throw JSONFault(.empty, at: position) }
    var isComplete = try value()
    while container != Self.outermost {
      if isComplete {
        isComplete = try follow()
      } else {
        guard count &+ Self.memberNodes <= nodes.count else { return false }
        if nodes[Int(container)].kind == .object { try key() }
        isComplete = try value()
      }
    }
    if isWhole {
      position = scanner.skipWhiteSpace(position)
      guard position == scanner.count else { throw JSONFault(.trailingBytes, at: position) }
    }
    return true
  }

  @inline(__always)
  private mutating func append(_ node: JSONNode) {
    nodes.baseAddress.unsafelyUnwrapped.advanced(by: count).initialize(to: node)
    count &+= 1
  }

  /// After a value inside the container: its comma (more follows: false) or its end (the container is complete: true).
  @inline(__always)
  private mutating func follow() throws(JSONFault) -> Bool {
    position = scanner.skipWhiteSpace(position)
    guard position < scanner.count else { throw JSONFault(.unexpectedEnd, at: position) }
    let byte = scanner.base[position]
    if byte == Byte.comma {
      position = scanner.skipWhiteSpace(position &+ 1)
      return false
    }
    guard byte == (nodes[Int(container)].kind == .object ? Byte.braceClose : Byte.bracketClose) else {
      throw JSONFault(.unexpectedByte(byte), at: position)
    }
    try close()
    return true
  }

  @inline(__always)
  private mutating func close() throws(JSONFault) {
    position &+= 1
    depth &-= 1
    let closed = Int(container)
    container = nodes[closed].next
    nodes[closed].end = UInt32(truncatingIfNeeded: position)
    nodes[closed].next = UInt32(truncatingIfNeeded: count)
    if nodes[closed].kind == .object {
      try JSONKeys.refuseDuplicates(of: closed, in: UnsafePointer(nodes.baseAddress.unsafelyUnwrapped), scanner)
    }
  }

  /// Reads one value; answers false where it is a container that goes on.
  @inline(__always)
  private mutating func value() throws(JSONFault) -> Bool {
    guard position < scanner.count else { throw JSONFault(.unexpectedEnd, at: position) }
    let start = position
    let byte = scanner.base[start]
    var isEscaped = false
    guard let kind = JSONKind(firstByte: byte) else { throw Self.unexpected(byte, at: start) }
    switch kind {
    case .object: return try open(.object, Byte.braceClose)
    case .array: return try open(.array, Byte.bracketClose)
    case .string: position = try scanner.string(start, escaped: &isEscaped)
    case .number: position = try scanner.number(start)
    case .true: position = try scanner.literal(start, "true")
    case .false: position = try scanner.literal(start, "false")
    case .null: position = try scanner.literal(start, "null")
    }
    appendLeaf(kind, from: start, isEscaped)
    return true
  }

  /// Adds what ends at the position and holds nothing.
  @inline(__always)
  private mutating func appendLeaf(_ kind: JSONKind, from start: Int, _ isEscaped: Bool) {
    append(
      JSONNode(
        start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: position),
        next: UInt32(truncatingIfNeeded: count &+ 1),
        kind: kind,
        escaped: isEscaped
      )
    )
  }

  @inline(__always)
  private mutating func open(_ kind: JSONKind, _ closing: UInt8) throws(JSONFault) -> Bool {
    guard depth < maximumDepth else { throw JSONFault(.tooDeep(maximum: maximumDepth), at: position) }
    let around = container
    container = UInt32(truncatingIfNeeded: count)
    depth &+= 1
    append(JSONNode(start: UInt32(truncatingIfNeeded: position), end: 0, next: around, kind: kind))
    position = scanner.skipWhiteSpace(position &+ 1)
    guard position < scanner.count, scanner.base[position] == closing else { return false }
    try close()
    return true
  }

  @inline(__always)
  private mutating func key() throws(JSONFault) {
    let start = position
    guard start < scanner.count else { throw JSONFault(.unexpectedEnd, at: start) }
    guard scanner.base[start] == Byte.quote else { throw JSONFault(.unexpectedByte(scanner.base[start]), at: start) }
    var isEscaped = false
    position = try scanner.string(start, escaped: &isEscaped)
    appendLeaf(.string, from: start, isEscaped)
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
