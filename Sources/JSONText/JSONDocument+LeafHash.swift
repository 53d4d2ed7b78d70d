extension JSONDocument {
  /// A hash that two texts of the same JSON value share, whatever their white space, escapes and order of members.
  ///
  /// It is of the strings, numbers, literals and brackets in the value alone, wherever in it they stand: values of which
  /// only the places of these differ share it too. Numbers count by their spelling: `1` and `1.0` are two values. The
  /// hash is the same in every process and on every machine, so it may be stored. Equal hashes are a hint; `isEqual`
  /// decides.
  ///
  /// - Parameter node: the value to hash.
  package func leafHash(_ node: Int) -> UInt64 { withTape { $0.leafHash(node) } }
}

extension JSONTape {
  /// See `JSONDocument.leafHash`: one pass over the tape, whose only branch is for the few leaves that are not plain and short.
  fileprivate func leafHash(_ node: Int) -> UInt64 {
    let end = next(node)
    var hash: UInt64 = 0
    for index in node..<end {
      let leaf = nodes[index]
      let start = Int(leaf.start)
      let isContainer = leaf.kind == .object || leaf.kind == .array
      let count = isContainer ? 1 : Int(leaf.end) &- start
      if leaf.escaped || count > LeafText.shortBytes || start &+ LeafText.readBytes > scanner.count {
        hash &+= uncommonHash(leaf, count)
      } else {
        hash &+= LeafText.hash(scanner.base + start, count)
      }
    }
    return hash
  }

  /// The hash of a leaf that is escaped, long, or at the text's end.
  @inline(never)
  private func uncommonHash(_ leaf: JSONNode, _ count: Int) -> UInt64 {
    if leaf.escaped {
      return JSONDecode.withDecoded(leaf, scanner) { text in
        ([Byte.quote] + text + [Byte.quote]).withUnsafeBufferPointer { LeafText.hash($0) }
      }
    }
    return LeafText.hash(UnsafeBufferPointer(start: scanner.base + Int(leaf.start), count: count))
  }
}

/// The hash of a string with its quotes, of a number, a literal, or a bracket that opens.
private enum LeafText {
  /// Bytes of a text that two words hold.
  static let shortBytes = 16
  /// Bytes that are read from where a short text begins, whatever its length.
  static let readBytes = 16

  private static let firstSeed: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let lastSeed: UInt64 = 0xA076_1D64_78BD_642F

  /// Of a text of up to 16 bytes, and as many to be read: its first and its last word multiplied with one another.
  @inline(__always)
  static func hash(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    let start = UnsafeRawPointer(text)
    let short = min(count, 8)
    // Of less than a word the bytes behind it are shifted out.
    let excess = UInt64(truncatingIfNeeded: 64 &- 8 &* short)
    let first = word(start) &<< excess
    let last = word(start + (count &- short)) &<< excess
    let product = (first ^ firstSeed).multipliedFullWidth(by: last ^ (lastSeed &+ UInt64(truncatingIfNeeded: count)))
    return product.high ^ product.low
  }

  /// Of a text of any length but 0.
  static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if text.count > shortBytes { return XXH64.hash(UnsafeRawBufferPointer(text), seed: firstSeed) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: shortBytes + readBytes) { room in
      room.initialize(repeating: 0)
      _ = room.update(fromContentsOf: text)
      return hash(room.baseAddress.unsafelyUnwrapped, text.count)
    }
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
  }
}
