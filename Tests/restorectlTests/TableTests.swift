import Testing

@testable import restorectl

@Suite struct TableTests {
  private static let plain = Style(isColoured: false)

  private static var table: Table {
    var table = Table([
      .left("NAME", .cuts), .right("N"), .left("SAVED", leaves: 1), .right("SIZE", leaves: 2), .left("MARKS", .wraps),
    ])
    table.add(["a long name of many letters", "1", "2 min ago", "1.0 KiB", "newest, confirmed"])
    table.add(["日本語の長い名前がここにある", "20", "now", "12 B", ""])
    table.add(["e\u{301}\u{1B}👍🏽", "300", "now", "7 B", "quarantined"])
    return table
  }

  @Test("with room, each column is as wide as what is in it, and no line ends with white space")
  func wide() {
    let text = """
      NAME                            N  SAVED         SIZE  MARKS
      a long name of many letters     1  2 min ago  1.0 KiB  newest, confirmed
      日本語の長い名前がここにある   20  now           12 B
      é\\u001b👍🏽                     300  now            7 B  quarantined

      """
    #expect(Self.table.text(style: Self.plain) == text.replacing("é", with: "e\u{301}"))
    #expect(Self.table.text(style: Self.plain, width: 200) == Self.table.text(style: Self.plain))
  }

  @Test("with less room, names are cut, columns left out and marks wrapped")
  func narrow() {
    #expect(
      Self.table.text(style: Self.plain, width: 60) == """
        NAME                N  SAVED         SIZE  MARKS
        a long name of …    1  2 min ago  1.0 KiB  newest, confirmed
        日本語の長い名…    20  now           12 B
        e\u{301}\\u001b👍🏽         300  now            7 B  quarantined

        """
    )
    #expect(
      Self.table.text(style: Self.plain, width: 40) == """
        NAME                N  MARKS
        a long name of …    1  newest, confirmed
        日本語の長い名…    20
        e\u{301}\\u001b👍🏽         300  quarantined

        """
    )
  }

  @Test("marks go on in the next line where they have to")
  func wraps() {
    #expect(
      Self.table.text(style: Self.plain, width: 32) == """
        NAME            N  MARKS
        a long name…    1  newest,
                           confirmed
        日本語の長…    20
        e\u{301}\\u001b👍🏽     300  quarantined

        """
    )
  }

  @Test("no line is wider than the terminal, as long as the least of each column fits", arguments: 30..<90)
  func fits(width: Int) {
    let lines = Self.table.text(style: Self.plain, width: width).split(separator: "\n")
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width }, "\(lines)")
  }

  @Test("titles and marks are coloured only where colour is")
  func colour() {
    var table = Table([.left("A"), .left("B")])
    table.add([Phrase("x"), Phrase("bad", .bad)])
    #expect(
      table.text(style: Style(isColoured: true))
        == "\u{1B}[1mA\u{1B}[0m  \u{1B}[1mB\u{1B}[0m\nx  \u{1B}[31mbad\u{1B}[0m\n"
    )
    #expect(table.text(style: Self.plain) == "A  B\nx  bad\n")
  }
}
