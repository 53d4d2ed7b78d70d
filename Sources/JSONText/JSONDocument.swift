/// One JSON text, checked once and laid out as a flat tape of nodes in the order of the bytes.
///
/// A node is an index into the tape. A container's node is followed by its children's; a member is its key's node
/// and then its value's. Nothing is decoded until asked for, so every byte can be given back as it came.
/// The grammar is RFC 8259's, and stricter where readers differ: duplicate keys (compared decoded), U+0000, lone
/// surrogates and invalid UTF-8 are refused.
package struct JSONDocument: Sendable {
  /// The text, as it was given.
  package let bytes: [UInt8]
  let nodes: ContiguousArray<JSONNode>

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
    nodes = try bytes.withUnsafeBufferPointer { (text) throws(JSONFault) -> ContiguousArray<JSONNode> in
      try JSONWalk.tape(of: text, maximumDepth: maximumDepth)
    }
  }

  /// The document of a value that has been read already.
  ///
  /// - Parameter bytes: those that `reading` is of, which is only looked at by their number.
  package init(_ bytes: [UInt8], _ reading: JSONReading) {
    precondition(Int(reading.nodes[0].end) == bytes.count, "a reading belongs to the bytes that were read")
    self.bytes = bytes
    nodes = reading.nodes
  }
}

/// What a strict reading of one value found, for the document that is made of its bytes later.
package struct JSONReading: Sendable {
  let nodes: ContiguousArray<JSONNode>
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
