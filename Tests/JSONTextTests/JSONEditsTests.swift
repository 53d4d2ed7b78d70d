import TestSupport
import Testing

@testable import JSONText

@Suite struct JSONEditsTests {
  /// The text without the elements or members of its root at these places.
  private func cut(_ text: String, _ places: Set<Int>) throws -> String {
    let whole = try document(text)
    var edits = JSONEdits()
    var asked = -1
    let removed: (Int) -> Bool = { _ in
      asked += 1
      return places.contains(asked)
    }
    edits.removeElements(of: 0, in: whole, where: removed)
    edits.removeMembers(of: 0, in: whole, where: removed)
    #expect(edits.isEmpty == places.isEmpty)
    return string(edits.applied(to: whole.bytes))
  }

  @Test(
    "an element goes with one comma, and what stays keeps its bytes",
    arguments: [
      ("[1,2,3]", [], "[1,2,3]"), ("[1,2,3]", [0], "[2,3]"), ("[1,2,3]", [1], "[1,3]"), ("[1,2,3]", [2], "[1,2]"),
      ("[1,2,3]", [0, 1], "[3]"), ("[1,2,3]", [0, 2], "[2]"), ("[1,2,3]", [1, 2], "[1]"), ("[1,2,3]", [0, 1, 2], "[]"),
      ("[1]", [0], "[]"), (" [ 1 , 2 , 3 ] ", [1], " [ 1 , 3 ] "), (" [ 1 , 2 , 3 ] ", [0], " [ 2 , 3 ] "),
      (" [ 1 , 2 , 3 ] ", [2], " [ 1 , 2 ] "), (" [ 1 , 2 ] ", [0, 1], " [  ] "),
      ("[\n  1,\n  2,\n  3\n]", [2], "[\n  1,\n  2\n]"), ("[\n  1,\n  2,\n  3\n]", [0], "[\n  2,\n  3\n]"),
      (#"["a,]",["x"],{"b":[1,2]},"\"]"]"#, [1, 2], #"["a,]","\"]"]"#), ("[1.0,1e5,\"\\/\"]", [1], "[1.0,\"\\/\"]"),
    ] as [(String, [Int], String)]
  )
  func elements(_ text: String, _ places: [Int], _ expected: String) throws {
    #expect(try cut(text, Set(places)) == expected)
  }

  @Test(
    "a member goes whole, key and value",
    arguments: [
      (#"{"a":1,"b":2,"c":3}"#, [0], #"{"b":2,"c":3}"#), (#"{"a":1,"b":2,"c":3}"#, [1], #"{"a":1,"c":3}"#),
      (#"{"a":1,"b":2,"c":3}"#, [2], #"{"a":1,"b":2}"#), (#"{"a":1,"b":2,"c":3}"#, [0, 1, 2], "{}"),
      (#"{ "a" : 1 , "b" : { } , "c" : 3 }"#, [1], #"{ "a" : 1 , "c" : 3 }"#),
      (#"{ "a" : 1 , "b" : { } }"#, [0], #"{ "b" : { } }"#), ("{\n\t\"a\": 1,\n\t\"b\": 2\n}", [1], "{\n\t\"a\": 1\n}"),
    ] as [(String, [Int], String)]
  )
  func members(_ text: String, _ places: [Int], _ expected: String) throws {
    #expect(try cut(text, Set(places)) == expected)
  }

  @Test("the caller is asked once for each part, in order")
  func asked() throws {
    let whole = try document(#"{"a":[10,20,30],"b":1}"#)
    var edits = JSONEdits()
    var nodes: [Int] = []
    edits.removeElements(of: 2, in: whole) { node in
      nodes.append(node)
      return true
    }
    edits.removeMembers(of: 0, in: whole) { node in
      nodes.append(node)
      return false
    }
    #expect(nodes == [3, 4, 5, 2, 7])
  }

  @Test("replacements stand where the old value stood; no edits change nothing")
  func replacing() throws {
    let whole = try document(#"{"index": 12 ,"routes":[1,2]}"#)
    #expect(JSONEdits().applied(to: whole.bytes) == whole.bytes)
    var edits = JSONEdits()
    edits.replace(whole.range(2), with: Array("0".utf8))
    edits.removeElements(of: 4, in: whole) { $0 == 5 }
    #expect(string(edits.applied(to: whole.bytes)) == #"{"index": 0 ,"routes":[2]}"#)
  }

  @Test("edits may be noted in any order, and an outer one swallows those inside it")
  func nested() throws {
    let whole = try document(#"[[1,2,3],{"a":[4,5]},6]"#)
    for outerFirst in [true, false] {
      var edits = JSONEdits()
      let outer: (inout JSONEdits) -> Void = { $0.removeElements(of: 0, in: whole) { whole.kind($0) == .object } }
      let inner: (inout JSONEdits) -> Void = {
        $0.removeElements(of: 7, in: whole) { _ in true }
        $0.replace(whole.range(8), with: Array("null".utf8))
        $0.removeElements(of: 1, in: whole) { whole.string($0) == "2" }
      }
      for edit in outerFirst ? [outer, inner] : [inner, outer] { edit(&edits) }
      #expect(string(edits.applied(to: whole.bytes)) == "[[1,3],6]")
    }
  }

  @Test("cutting any parts at any depth gives the filtered value", arguments: 0..<150)
  func generated(_ run: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun &+ UInt64(run))
    let value = Value.array([.random(&random), .random(&random), .random(&random)])
    let whole = try JSONDocument(Rendering.odd(value, &random))
    let salt = random.next()
    // Both sides decide by a node's place in document order, so that they cut the same parts.
    let removed: (Int) -> Bool = { node in
      var dice = SeededGenerator(seed: salt &+ UInt64(node))
      return dice.oneIn(3)
    }
    var edits = JSONEdits()
    for node in JSONDocumentTests.nodes(of: whole) {
      edits.removeElements(of: node, in: whole, where: removed)
      edits.removeMembers(of: node, in: whole, where: removed)
    }
    var node = 0
    let filtered = value.filtered(&node, removed)
    let left = try JSONDocument(edits.applied(to: whole.bytes))
    let wanted = try JSONDocument(Rendering.plain(filtered))
    #expect(left.isEqual(0, to: wanted, 0), "seed \(SeededGenerator.seedOfThisRun), run \(run): \(string(whole.bytes))")
  }
}

extension Value {
  /// The value without the parts of containers for which `removed` answers true for their place in document order.
  func filtered(_ node: inout Int, _ removed: (Int) -> Bool) -> Value {
    node += 1
    switch self {
    case .array(let elements):
      return .array(
        elements.compactMap { element in
          let isRemoved = removed(node)
          let kept = element.filtered(&node, removed)
          return isRemoved ? nil : kept
        }
      )
    case .object(let members):
      return .object(
        members.compactMap { member in
          node += 1
          let isRemoved = removed(node)
          let kept = member.value.filtered(&node, removed)
          return isRemoved ? nil : Member(key: member.key, value: kept)
        }
      )
    default: return self
    }
  }
}
