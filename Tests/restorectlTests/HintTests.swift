import Testing

@testable import restorectl

@Suite struct HintTests {
  @Test(
    "a distance counts what is put in, taken out, replaced and swapped",
    arguments: [
      ("", "", 0), ("save", "save", 0), ("sav", "save", 1), ("saave", "save", 1), ("sbve", "save", 1),
      ("asve", "save", 1),
      ("", "save", 4), ("scenes", "scene", 1),
    ]
  )
  func distance(_ first: String, _ second: String, _ expected: Int) {
    #expect(Hint.distance(first, second) == expected)
    #expect(Hint.distance(second, first) == expected)
  }

  @Test("what is far from all is no guess")
  func far() {
    #expect(Hint.nearest(to: "xyzzy", among: ["save", "restore"]) == nil)
    #expect(Hint.nearest(to: "s", among: ["save", "restore"]) == nil)
  }

  @Test("a very long word costs nothing to guess at")
  func long() {
    #expect(Hint.nearest(to: String(repeating: "a", count: 1_000_000), among: ["save"]) == nil)
  }
}
