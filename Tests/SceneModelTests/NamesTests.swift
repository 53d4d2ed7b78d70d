import SceneModel
import Testing

@Suite struct NamesTests {
  @Test("a name has 1 to 255 bytes of UTF-8")
  func length() {
    #expect(Names.fault("") == .empty)
    #expect(Names.fault(String(repeating: "é", count: 127)) == nil)
    #expect(Names.fault(String(repeating: "é", count: 128)) == .tooLong(bytes: 256))
  }

  @Test(
    "a control character is none of a name's, not even one of two bytes",
    arguments: ["a\u{0}", "\u{1B}[2J", "a\nb", "\u{7F}", "\u{80}", "\u{9B}2J", "\u{9F}"]
  )
  func controlCharacters(name: String) {
    #expect(Names.fault(name) == .controlCharacter)
  }

  @Test("every other character may stand", arguments: [" ", "~", "\u{A0}", "é", "ا", "👩‍👩‍👧", "a/b.c", "\u{200D}"])
  func others(name: String) {
    #expect(Names.fault(name) == nil)
  }
}
