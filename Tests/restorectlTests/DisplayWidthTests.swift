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

  @Test("columns stay aligned under wide and combining characters, and no line ends with white space")
  func table() {
    var table = Table([("NAME", .left), ("N", .right), ("TAB", .left)])
    table.add(["日本", "1", "a"])
    table.add(["e\u{301}\u{1B}", "20", ""])
    let plain = Style(descriptor: -1, refused: true)
    #expect(table.text(style: plain) == "NAME      N  TAB\n日本      1  a\ne\u{301}\\u001b  20\n")
  }
}
