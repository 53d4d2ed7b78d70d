import Testing

@testable import restorectl

@Suite struct PhraseTests {
  private static let plain = Style(isColoured: false)

  private static func lines(_ phrases: [String], _ columns: Int?) -> [String] {
    Phrase.lines(phrases.map { Phrase($0) }, columns: columns).map { line in
      line.map { $0.text(plain) }.joined(separator: " ")
    }
  }

  @Test("phrases stay whole where they fit, and are broken between words, else where the line ends")
  func lines() {
    #expect(Self.lines(["ab cd", "ef"], nil) == ["ab cd ef"])
    #expect(Self.lines(["ab cd", "ef gh"], 10) == ["ab cd", "ef gh"])
    #expect(Self.lines(["ab cd", "ef gh"], 11) == ["ab cd ef gh"])
    #expect(Self.lines(["ab cd"], 4) == ["ab", "cd"])
    #expect(Self.lines(["a", "bcdefgh", "i"], 3) == ["a", "bcd", "efg", "h i"])
    #expect(Self.lines(["日本語"], 4) == ["日本", "語"])
    #expect(Self.lines(["日本語"], 5) == ["日本", "語"])
    #expect(Self.lines(["👩‍👩‍👧👩‍👩‍👧"], 1) == ["👩‍👩‍👧", "👩‍👩‍👧"])
  }

  @Test("no line is wider than asked for, and nothing is lost", arguments: 2..<40)
  func fits(columns: Int) {
    let texts = [
      "card:", "boardID \"日本語のカード\" (missing),", "x", "👍🏽👍🏽👍🏽👍🏽 e\u{301}e\u{301}", "0123456789012345678901234567",
    ]
    let lines = Self.lines(texts, columns)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(lines)")
    #expect(lines.joined().filter { $0 != " " } == texts.joined().filter { $0 != " " })
  }

  @Test("each span keeps its tone where a phrase is broken")
  func tones() {
    let phrase = Phrase("id (").adding("missing", .bad).adding(")")
    #expect(phrase.text(Style(isColoured: true)) == "id (\u{1B}[31mmissing\u{1B}[0m)")
    let lines = Phrase.lines([phrase], columns: 6)
    #expect(
      lines.map { $0.map(\.spans) } == [
        [[.init(text: "id", tone: .plain)]],
        [
          [.init(text: "(", tone: .plain), .init(text: "missi", tone: .bad)]
        ], [[.init(text: "ng", tone: .bad), .init(text: ")", tone: .plain)]],
      ]
    )
  }
}
