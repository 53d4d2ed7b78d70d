import Testing

@testable import JSONText

@Suite struct TextPositionTests {
  @Test(
    "lines end at a line feed, columns count characters from 1",
    arguments: [
      ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 2, 1, 3), ("abc", 3, 1, 4), ("abc", 99, 1, 4), ("a\nb", 1, 1, 2),
      ("a\nb", 2, 2, 1), ("a\n\nb", 2, 2, 1), ("a\n\nb", 3, 3, 1), ("\n", 1, 2, 1), ("a\r\nb", 3, 2, 1),
      ("éx", 2, 1, 2),
      ("😀x", 4, 1, 2), ("é\n漢字x", 9, 2, 3), ("e\u{301}x", 3, 1, 3),
    ]
  )
  func positions(_ text: String, _ offset: Int, _ line: Int, _ column: Int) {
    let position = TextPosition(offset: offset, in: Array(text.utf8))
    #expect(position.line == line && position.column == column)
  }

  @Test("the place of a fault is the place that an editor shows")
  func placeOfFault() throws {
    let text = Array("{\n  \"é\": [1, 2,\n    tru]\n}".utf8)
    let refused = try #require(fault(of: text))
    let position = TextPosition(offset: refused.offset, in: text)
    #expect(position.line == 3 && position.column == 5)
  }
}
