/// Writes JSON Pointers (RFC 6901).
package enum JSONPointer {
  /// Appends `/` and `name`, with `~` and `/` escaped, to `pointer`.
  package static func append(_ name: some Sequence<UInt8>, to pointer: inout [UInt8]) {
    pointer.append(UInt8(ascii: "/"))
    for byte in name {
      switch byte {
      case UInt8(ascii: "~"): pointer.append(contentsOf: [UInt8(ascii: "~"), UInt8(ascii: "0")])
      case UInt8(ascii: "/"): pointer.append(contentsOf: [UInt8(ascii: "~"), UInt8(ascii: "1")])
      default: pointer.append(byte)
      }
    }
  }

  /// Appends `/` and an array index to `pointer`.
  package static func append(index: Int, to pointer: inout [UInt8]) {
    pointer.append(UInt8(ascii: "/"))
    pointer.append(contentsOf: String(index).utf8)
  }
}

extension JSONDocument {
  /// The pointer to a value from the root; `""` for the root itself.
  ///
  /// Looks through the node's ancestors' children: meant for messages, not for every route of every restore.
  package func pointer(to node: Int) -> String {
    var pointer: [UInt8] = []
    var container = root
    while container != node {
      guard let step = child(of: container, holding: node) else { break }
      switch step.place {
      case .index(let index): JSONPointer.append(index: index, to: &pointer)
      case .key(let key): withDecoded(key) { JSONPointer.append($0, to: &pointer) }
      }
      container = step.node
    }
    return String(decoding: pointer, as: UTF8.self)
  }

  private enum Place {
    case index(Int)
    case key(Int)
  }

  private func child(of container: Int, holding node: Int) -> (node: Int, place: Place)? {
    var index = 0
    for element in elements(container) {
      if node < next(element) { return (element, .index(index)) }
      index += 1
    }
    for (key, value) in members(container) where node < next(value) { return (value, .key(key)) }
    return nil
  }

  /// The pointer to the innermost value around byte `offset` of a text, which need not be valid JSON.
  ///
  /// Meant for the place of a `JSONFault`: a key that the offset points at counts as the place.
  package static func pointer(toOffset offset: Int, in bytes: [UInt8]) -> String {
    var trail = JSONTrail()
    bytes.withUnsafeBufferPointer { trail.follow($0, to: offset) }
    return trail.pointer(in: bytes)
  }
}

/// The open containers at an offset of a text, read without judging it.
private struct JSONTrail {
  private struct Level {
    var isObject: Bool
    var index = 0
    var key: Range<Int>?
  }
  private var levels: [Level] = []

  mutating func follow(_ buffer: UnsafeBufferPointer<UInt8>, to offset: Int) {
    var i = 0
    while i < buffer.count, i <= offset {
      switch buffer[i] {
      case Byte.quote:
        let end = Self.endOfString(buffer, i)
        if let last = levels.indices.last, levels[last].isObject, levels[last].key == nil {
          // The key itself may be what is wrong, so it names the place only once it is known to end well.
          if let end, end <= offset || i == offset { levels[last].key = i..<end }
        }
        i = end ?? buffer.count
        continue
      case Byte.braceOpen where i < offset: levels.append(Level(isObject: true))
      case Byte.bracketOpen where i < offset: levels.append(Level(isObject: false))
      case Byte.braceClose where i < offset, Byte.bracketClose where i < offset: _ = levels.popLast()
      case Byte.comma where i < offset:
        if let last = levels.indices.last {
          levels[last].index += 1
          levels[last].key = nil
        }
      default: break
      }
      i += 1
    }
  }

  /// The offset after a string; nil: it does not end.
  private static func endOfString(_ buffer: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var i = start + 1
    while i < buffer.count, buffer[i] != Byte.quote { i += buffer[i] == Byte.backslash ? 2 : 1 }
    return i < buffer.count ? i + 1 : nil
  }

  func pointer(in bytes: [UInt8]) -> String {
    var pointer: [UInt8] = []
    for level in levels {
      guard level.isObject else {
        JSONPointer.append(index: level.index, to: &pointer)
        continue
      }
      guard let key = level.key, key.count >= 2 else { break }
      let decoded = try? JSONScalar.string(bytes[key])
      JSONPointer.append(decoded.map { Array($0.utf8) } ?? Array(bytes[key].dropFirst().dropLast()), to: &pointer)
    }
    return String(decoding: pointer, as: UTF8.self)
  }
}
