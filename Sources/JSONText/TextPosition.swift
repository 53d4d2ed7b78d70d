/// A place in a text as a person counts it.
package struct TextPosition: Hashable, Sendable {
  /// The line, from 1; lines end at U+000A.
  package let line: Int
  /// The character of the line, from 1, counted in Unicode scalars; a stray continuation byte counts as none.
  package let column: Int

  /// The place of byte `offset` in `bytes`; an offset beyond the end counts as the end.
  package init(offset: Int, in bytes: [UInt8]) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    line = 1 + before.count { $0 == 0x0A }
    column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
  }
}
