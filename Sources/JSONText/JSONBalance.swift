/// Finds where strings and containers end, eight bytes at a time.
enum JSONBalance {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The first byte from `start` on for which `marks` sets its high bit, or `count`.
  ///
  /// A mark may be one too many (the caller looks at the byte), never one too few.
  @inline(__always)
  private static func find(_ text: JSONScanner, _ start: Int, _ marks: (UInt64) -> UInt64) -> Int {
    var i = start
    while i &+ 8 <= text.count {
      let word = UInt64(littleEndian: UnsafeRawPointer(text.base + i).loadUnaligned(as: UInt64.self))
      let found = marks(word) & highs
      if found != 0 { return i &+ found.trailingZeroBitCount / 8 }
      i &+= 8
    }
    return i
  }

  @inline(__always)
  private static func equal(_ word: UInt64, _ byte: UInt64) -> UInt64 {
    let difference = word ^ (ones &* byte)
    return (difference &- ones) & ~difference
  }

  /// The offset after a string, from its opening quote.
  ///
  /// - Throws: `unexpectedEnd` where it does not end.
  @inline(__always)
  static func endOfString(_ text: JSONScanner, _ start: Int) throws(JSONFault) -> Int {
    var i = start &+ 1
    while true {
      i = find(text, i) { equal($0, 0x22) | equal($0, 0x5C) }
      guard i < text.count else { throw JSONFault(.unexpectedEnd, at: text.count) }
      if text.base[i] == Byte.quote { return i &+ 1 }
      i &+= text.base[i] == Byte.backslash ? 2 : 1
    }
  }

  /// The offset after an object or array, from its opening bracket; the two kinds count as one.
  ///
  /// - Throws: `unexpectedEnd` where it does not end.
  static func endOfContainer(_ text: JSONScanner, _ start: Int) throws(JSONFault) -> Int {
    var i = start
    var depth = 0
    while true {
      // Without bits 1, 2 and 5 the four brackets are one byte, 0x59, which few others share.
      i = find(text, i) { equal($0 & ~(ones &* 0x26), 0x59) | equal($0, 0x22) }
      guard i < text.count else { throw JSONFault(.unexpectedEnd, at: text.count) }
      switch text.base[i] {
      case Byte.quote:
        i = try endOfString(text, i)
        continue
      case Byte.braceOpen, Byte.bracketOpen: depth &+= 1
      case Byte.braceClose, Byte.bracketClose:
        depth &-= 1
        if depth == 0 { return i &+ 1 }
      default: break
      }
      i &+= 1
      // Brackets come in rows, through which one by one is faster.
      while i < text.count, text.base[i] | 0x20 == Byte.braceOpen {
        depth &+= 1
        i &+= 1
      }
      while depth > 1, i < text.count, text.base[i] | 0x20 == Byte.braceClose {
        depth &-= 1
        i &+= 1
      }
    }
  }
}
