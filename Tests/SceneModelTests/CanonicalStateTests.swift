import SceneModel
import Testing

/// Whether two states are the same value; then their hashes must be.
private func same(_ a: String, _ b: String) throws -> Bool {
  let (left, right) = (try SceneState(validating: Array(a.utf8)), try SceneState(validating: Array(b.utf8)))
  let isSame = left.isSameValue(as: right)
  #expect(right.isSameValue(as: left) == isSame)
  #expect(!isSame || left.valueHash == right.valueHash)
  return isSame
}

@Suite struct CanonicalStateTests {
  private static let base =
    #"{"stacks":["a",["x",{"k":{"p":1,"q":[1,2]}}],7,[]],"modals":["s","m","t","n"],"selectedTab":"a"}"#

  @Test(
    "members and pairs in another order, other escapes and other white space make the same state",
    arguments: [
      #"{"selectedTab":"a","modals":["t","n","s","m"],"stacks":[7,[],"a",["x",{"k":{"q":[1,2],"p":1}}]]}"#,
      #" { "stacks" : [ "\u0061" , [ "x",{"k":{"p":1,"q":[1,2]}} ],7,[] ],"mod\u0061ls":["s","m","t","n"],"selectedTab":"a"}"#,
    ]
  )
  func equal(other: String) throws {
    #expect(try same(Self.base, other))
  }

  @Test(
    "anything else makes another",
    arguments: [
      #"{"stacks":["a",["x",{"k":{"p":1.0,"q":[1,2]}}],7,[]],"modals":["s","m","t","n"],"selectedTab":"a"}"#,
      #"{"stacks":["a",[{"k":{"p":1,"q":[1,2]}},"x"],7,[]],"modals":["s","m","t","n"],"selectedTab":"a"}"#,
      #"{"stacks":["a",["x",{"k":{"p":1,"q":[2,1]}}],7,[]],"modals":["s","m","t","n"],"selectedTab":"a"}"#,
      #"{"stacks":["a",["x",{"k":{"p":1,"q":[1,2]}}],"7",[]],"modals":["s","m","t","n"],"selectedTab":"a"}"#,
      #"{"stacks":["a",["x",{"k":{"p":1,"q":[1,2]}}],7,[]],"modals":["s","n","t","m"],"selectedTab":"a"}"#,
      #"{"stacks":["a",["x",{"k":{"p":1,"q":[1,2]}}],7,[]],"modals":["s","m","t","n"],"selectedTab":"7"}"#,
      #"{"stacks":["a",["x",{"k":{"p":1,"q":[1,2]}}],7,[]],"modals":["s","m","t","n"],"selectedTab":"a","values":null}"#,
      #"{"stacks":{"a":["x",{"k":{"p":1,"q":[1,2]}}],"7":[]},"modals":["s","m","t","n"],"selectedTab":"a"}"#,
    ]
  )
  func unequal(other: String) throws {
    #expect(try !same(Self.base, other))
  }

  @Test("only the pairs of stacks and modals have no order: an array of the app's own has one")
  func values() throws {
    #expect(try !same(#"{"values":{"stacks":["a",[],"b",[]]}}"#, #"{"values":{"stacks":["b",[],"a",[]]}}"#))
    #expect(try !same(#"{"stacks":{"m":["a",1,"b",2]}}"#, #"{"stacks":{"m":["b",2,"a",1]}}"#))
    #expect(try !same("{\"values\":{\"a\":\"\u{E9}\"}}", "{\"values\":{\"a\":\"e\u{301}\"}}"))
  }
}
