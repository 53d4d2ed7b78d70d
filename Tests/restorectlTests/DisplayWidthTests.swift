import Testing

@testable import restorectl

@Suite struct DisplayWidthTests {
  @Test(
    "each text has the columns that a terminal gives it",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한글", 4), ("ｱ", 1), ("Ａ", 2), ("👍", 2), ("👍🏽", 2),
      ("👩‍👩‍👧", 2), ("🇨🇭", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("שלום", 4), ("ไทย", 3), ("、", 2),
    ]
  )
  func widths(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(
    "a text is cut where its columns end, and never inside a character",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
      ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("ab", 1, "…"), ("", 1, ""),
    ]
  )
  func cut(_ text: String, _ columns: Int, _ shown: String) {
    #expect(DisplayWidth.cut(text, columns: columns) == shown)
  }
}
