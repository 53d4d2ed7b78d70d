import Testing

@testable import restorectl

@Suite struct TreeTests {
  private static func tree(_ rows: [(Int, String)]) -> Tree {
    rows.reduce(into: Tree()) { $0.add(depth: $1.0, [Phrase($1.1)]) }
  }

  private static let plain = Style(isColoured: false)

  @Test("branches join what has the same parent")
  func branches() {
    let tree = Self.tree([(0, "a"), (1, "b"), (2, "c"), (2, "d"), (3, "e"), (1, "f"), (2, "g"), (0, "h"), (1, "i")])
    #expect(
      tree.text(Self.plain, columns: nil, twigs: .lines) == """
        a
        ├─ b
        │  ├─ c
        │  └─ d
        │     └─ e
        └─ f
           └─ g
        h
        └─ i

        """
    )
    #expect(
      Self.tree([(0, "a"), (1, "b"), (1, "c")]).text(Self.plain, columns: 80, twigs: .ascii) == "a\n|- b\n`- c\n"
    )
    #expect(Tree().text(Self.plain, columns: 80) == "")
  }

  @Test("a long row goes on under itself, beside the branches that pass it")
  func wrapped() {
    let tree = Self.tree([(0, "root of all words"), (1, "first of two"), (2, "child of it"), (1, "last of two")])
    #expect(
      tree.text(Self.plain, columns: 16, twigs: .lines) == """
        root of all
        │  words
        ├─ first of
        │  │  two
        │  └─ child of
        │        it
        └─ last of
              two

        """
    )
  }

  @Test("of a deep tree the outer levels are left out, so that its rows keep half the line")
  func deep() {
    let tree = Self.tree((0..<60).map { ($0, "row \($0)") })
    let lines = tree.text(Self.plain, columns: 40, twigs: .lines).split(separator: "\n")
    #expect(lines.count == 60)
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 40 })
    #expect(lines[6] == "                 └─ row 6".dropFirst(2))
    #expect(lines[59] == "…                └─ row 59")
    #expect(tree.text(Self.plain, columns: nil, twigs: .lines).split(separator: "\n")[59].hasSuffix("└─ row 59"))
  }
}
