/// The rule that the names of apps, scenes, kinds, tabs, presentations and cases obey.
package enum Names {
  /// Bytes of UTF-8 in the longest name.
  package static let maximumBytes = 255

  /// What is wrong with a name.
  package enum Fault: Error, Hashable, Sendable {
    /// It has no byte.
    case empty
    /// It holds U+0000 to U+001F or U+007F to U+009F.
    case controlCharacter
    /// It has more bytes than a name may have: `LimitExceeded`, where the others are a wrong parameter.
    case tooLong(bytes: Int)

    /// The fault in words that follow "a tab id", "an app" and the like.
    package var sentence: String {
      switch self {
      case .empty: "must not be empty"
      case .controlCharacter: "must not hold a control character"
      case .tooLong(let bytes): "must have at most \(Names.maximumBytes) bytes of UTF-8, not \(bytes)"
      }
    }
  }

  /// Checks one name, given as its decoded bytes.
  ///
  /// - Parameter name: the decoded bytes; their UTF-8 has been checked by whoever decoded them.
  /// - Returns: nil for a name that may stand.
  package static func fault(_ name: UnsafeBufferPointer<UInt8>) -> Fault? {
    if name.isEmpty { return .empty }
    if name.count > maximumBytes { return .tooLong(bytes: name.count) }
    return hasControlCharacter(name) ? .controlCharacter : nil
  }

  /// Checks one name; all else as for its bytes.
  package static func fault(_ name: String) -> Fault? {
    var name = name
    return name.withUTF8 { fault($0) }
  }

  /// Whether the text holds a control character: Unicode's category Cc, that is U+0000 to U+001F
  /// and U+007F to U+009F.
  ///
  /// - Parameter text: valid UTF-8.
  package static func hasControlCharacter(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = text.baseAddress else { return false }
    var previous: UInt8 = 0
    var i = 0
    while i < text.count {
      if i &+ 8 <= text.count, isHarmless(UnsafeRawPointer(base + i).loadUnaligned(as: UInt64.self)), previous != 0xC2 {
        previous = 0
        i &+= 8
        continue
      }
      let byte = base[i]
      if byte < 0x20 || byte == 0x7F { return true }
      // U+0080 to U+009F are C2 80 to C2 9F.
      if previous == 0xC2 && byte < 0xA0 { return true }
      previous = byte
      i &+= 1
    }
    return false
  }

  /// Whether none of eight bytes is a control character, or begins one: a call may bring 16 MiB of ids.
  ///
  /// May say no for eight that hold none. Each of the three is the test for a byte below another, the last two for a byte
  /// that is 0 once those looked for are (Hacker's Delight, 6-1).
  private static func isHarmless(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (delete, lead) = (word ^ (ones &* 0x7F), word ^ (ones &* 0xC2))
    let marks = (word &- ones &* 0x20) & ~word | (delete &- ones) & ~delete | (lead &- ones) & ~lead
    return marks & (ones &* 0x80) == 0
  }
}
