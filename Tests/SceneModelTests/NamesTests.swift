import SceneModel
import Testing

@Suite struct NamesTests {
  @Test("a name has 1 to 255 bytes of UTF-8")
  func length() {
    #expect(Names.fault("") == .empty)
    #expect(Names.fault(String(repeating: "é", count: 127)) == nil)
    #expect(Names.fault(String(repeating: "é", count: 128)) == .tooLong(bytes: 256))
  }

  @Test("a control character is found at each place of a text, and nothing else is taken for one")
  func places() {
    func holdsControl(_ scalars: [Unicode.Scalar]) -> Bool {
      var text = String(String.UnicodeScalarView(scalars))
      return text.withUTF8 { Names.hasControlCharacter($0) }
    }
    // Neighbours of control characters, and what begins or ends with the same byte as one.
    for filler: Unicode.Scalar in ["x", " ", "~", "\u{A0}", "§", "¿", "é", "\u{7C2}", "日", "🧭"] {
      for length in 0..<20 {
        let text = [Unicode.Scalar](repeating: filler, count: length)
        #expect(!holdsControl(text), "\(length) times \(filler)")
        for control: Unicode.Scalar in ["\0", "\n", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}"] {
          let missed = (0...length).filter { !holdsControl(Array(text[..<$0] + [control] + text[$0...])) }
          #expect(missed == [], "\(length) times \(filler), and \(control.value)")
        }
      }
    }
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
