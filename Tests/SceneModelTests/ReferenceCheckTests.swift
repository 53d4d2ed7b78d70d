import SceneModel
import Testing

/// Whether a stack of this one route keeps it.
private func stays(_ route: String, _ entities: [String: [String]]) throws -> Bool {
  try restore(#"{"stacks":{"m":[\#(route)]}}"#, entities).dropped.isEmpty
}

@Suite struct ReferenceCheckTests {
  @Test(
    "a parameter whose name has one of the forms refers to the kind in it",
    arguments: ["boardID", "boardId", "board_id", "boardIDs", "boardIds", "board_ids"]
  )
  func forms(name: String) throws {
    #expect(try !stays(#"{"x":{"\#(name)":"gone"}}"#, ["board": ["here"]]))
    #expect(try stays(#"{"x":{"\#(name)":"here"}}"#, ["board": ["here"]]))
    #expect(try !stays(#"{"x":{"\#(name)":["here","gone"]}}"#, ["board": ["here"]]))
    #expect(try stays(#"{"x":{"\#(name)":["here"]}}"#, ["board": ["here"]]))
  }

  @Test(
    "other names are of no form",
    arguments: [
      "UUID", "GUID", "ID", "Id", "IDs", "_id", "_ids", "boardid", "board_ID", "BOARDID", "boardiD", "board_Id",
      "boardIDS",
      "boardIDx", "id", "ids", "board-ID", "",
    ]
  )
  func noForms(name: String) throws {
    let entities = ["UU": [], "GU": [], "board": [], "BOARD": [], "board_": [], "": [String](), "x": ["gone"]]
    let result = try restore(#"{"stacks":{"m":[{"x":{"\#(name)":"gone"}}]}}"#, entities)
    #expect(result.dropped.isEmpty)
    #expect(result.unverified.isEmpty)
  }

  @Test("a digit, or a lower-case letter of any alphabet, may stand before ID", arguments: ["v2", "café", "доска"])
  func alphabets(kind: String) throws {
    #expect(try !stays(#"{"x":{"\#(kind)ID":"gone"}}"#, [kind: []]))
    #expect(try stays(#"{"x":{"\#(kind.uppercased())ID":"gone"}}"#, kind == "v2" ? [:] : [kind.uppercased(): []]))
  }

  @Test("kinds compare without ASCII case, an exact match first, and are reported as declared")
  func kindCase() throws {
    let other = try restore(#"{"stacks":{"m":[{"x":{"boardID":"1"}}]}}"#, ["Board": []])
    #expect(other.dropped.map(\.kind) == ["Board"])
    #expect(try stays(#"{"x":{"boardID":"1"}}"#, ["Board": [], "board": ["1"]]))
    #expect(try !stays(#"{"x":{"boardID":"1"}}"#, ["BOARD": ["1"], "board": []]))
  }

  @Test("the convention drops nothing of an app that declares no kind, and names what it could not check")
  func undeclared() throws {
    let result = try restore(
      #"{"stacks":{"m":[{"card":{"id":1,"boardID":2,"BoardIDs":[3],"userID":null,"xIDs":[]}}]}}"#
    )
    #expect(result.dropped.isEmpty)
    #expect(result.unverified == ["board"])
  }

  @Test("while a kind is syncing an id that is not there is not missing, and the kind is named once")
  func syncing() throws {
    let state = #"{"stacks":{"m":[{"x":{"cardID":"gone"}},{"x":{"cardID":"here"}},{"x":{"cardIDs":["no","here"]}}]}}"#
    let result = try restore(state, ["Card": ["here"]], syncing: ["Card"])
    #expect(result.text == state)
    #expect(result.dropped.isEmpty)
    #expect(result.unverified == ["Card"])
    #expect(
      try restore(#"{"stacks":{"m":[{"x":{"cardID":"here"}}]}}"#, ["Card": ["here"]], syncing: ["Card"])
        .unverified.isEmpty
    )
    // By the case name alone: no promise that this is a reference at all.
    #expect(try restore(#"{"stacks":{"m":[{"card":"gone"}]}}"#, ["card": []], syncing: ["card"]).unverified.isEmpty)
  }

  @Test(
    "the first missing reference in the order of the bytes is reported, and the order of what is unverified is the same"
  )
  func first() throws {
    let result = try restore(
      #"{"stacks":{"m":[{"x":{"a":1,"noteID":2,"userID":3,"cardIDs":["c1","c2"]}}]}}"#,
      ["card": ["c1"], "note": []]
    )
    #expect(
      result.dropped == [
        Dropped(path: "/stacks/m/0", reason: .entityMissing, route: "x", kind: "note", id: "2")
      ]
    )
    #expect(result.unverified == ["user"])
    let list = try restore(#"{"stacks":{"m":[{"x":{"cardIDs":["c1","c2","c3"]}}]}}"#, ["card": ["c1"]])
    #expect(list.dropped.map(\.id) == ["c2"])
  }

  @Test("numbers are their spelling: no id passes through a floating-point number")
  func numbers() throws {
    for id in ["9007199254740993", "9223372036854775807", "18446744073709551616", "1e3", "1.0", "-0", "123"] {
      #expect(try stays(#"{"card":\#(id)}"#, ["card": [id]]), "\(id)")
      #expect(try stays(#"{"card":"\#(id)"}"#, ["card": [id]]), "\(id)")
      #expect(try restore(#"{"stacks":{"m":[{"card":\#(id)}]}}"#, ["card": []]).dropped.map(\.id) == [id])
    }
    #expect(try !stays(#"{"card":9007199254740993}"#, ["card": ["9007199254740992"]]))
    #expect(try !stays(#"{"card":1}"#, ["card": ["1.0"]]))
    #expect(try !stays(#"{"card":1.0}"#, ["card": ["1"]]))
    #expect(try !stays(#"{"card":1e3}"#, ["card": ["1000"]]))
    #expect(try !stays(#"{"card":"042"}"#, ["card": ["42"]]))
  }

  @Test("UUIDs resolve whatever their case, and are reported as the route spells them")
  func uuids() throws {
    let upper = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    #expect(try stays(#"{"card":"\#(upper)"}"#, ["card": [upper.lowercased()]]))
    #expect(try stays(#"{"card":"\#(upper.lowercased())"}"#, ["card": [upper]]))
    #expect(try restore(#"{"stacks":{"m":[{"card":"\#(upper)"}]}}"#, ["card": []]).dropped.map(\.id) == [upper])
    #expect(try !stays(#"{"card":"ABC"}"#, ["card": ["abc"]]))
  }

  @Test("ids compare byte for byte once escapes are decoded, and come back as they were spelled")
  func text() throws {
    for id in ["\u{E9}", "e\u{301}", "a\u{200D}b", "שלום", "🧭", "a/b~c"] {
      #expect(try stays(#"{"card":"\#(id)"}"#, ["card": [id]]))
    }
    #expect(try stays(#"{"card":"\u00e9\ud83e\udded\/"}"#, ["card": ["é🧭/"]]))
    #expect(try !stays(#"{"card":"e\u0301"}"#, ["card": ["\u{E9}"]]))
    let state = #"{"stacks":{"m":[{"card":"\u00e9"} , {"card":"\/"}]}}"#
    #expect(try restore(state, ["card": ["é"]]).text == #"{"stacks":{"m":[{"card":"\u00e9"}]}}"#)
  }

  @Test("an id that no entity can have is missing: too long, empty, or with a control character")
  func impossible() throws {
    for id in [String(repeating: "a", count: 5000), "", #"a\n"#, #"\u001b[2J"#, String(repeating: "7", count: 5000)] {
      #expect(try !stays(#"{"card":"\#(id)"}"#, ["card": ["x"]]))
    }
    #expect(try !stays(#"{"card":\#(String(repeating: "7", count: 5000))}"#, ["card": ["x"]]))
  }

  @Test("each kind is asked for once, and what needs no answer asks nothing")
  func questions() throws {
    var lookup = MemoryLookup(["card": ["1"], "board": []])
    let routes = (0..<50).map { #"{"card":{"id":1,"boardIDs":[],"userID":\#($0)}}"# }.joined(separator: ",")
    let state = try SceneState(validating: Array(#"{"stacks":{"m":[\#(routes)]}}"#.utf8))
    _ = state.restoration(stale: nil, rules: .byConvention, lookup: &lookup)
    #expect(lookup.kindQuestions == ["card", "user"])
    #expect(lookup.idQuestions == 50)
  }

  @Test("thousands of kinds, long ones and ones that differ only in how they are composed, are told apart")
  func manyKinds() throws {
    let names = (0..<3000).map { "kind\($0)x" } + ["\u{E9}x", "e\u{301}x", String(repeating: "k", count: 200)]
    let routes = (names + names).map { #"{"r":{"\#($0)ID":1}}"# }.joined(separator: ",")
    var lookup = MemoryLookup([:])
    let state = try SceneState(validating: Array(#"{"stacks":{"m":[\#(routes)]}}"#.utf8), maximumRoutes: 10_000)
    let result = state.restoration(stale: nil, rules: .byConvention, lookup: &lookup)
    #expect(lookup.kindQuestions.count == names.count)
    #expect(result.unverified.map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }

  @Test("kinds that differ only in ASCII case are named once in unverified")
  func unverifiedCase() throws {
    let state = #"{"stacks":{"m":[{"x":{"userID":1,"UserID":2,"USErID":3}}]}}"#
    #expect(try restore(state).unverified == ["user"])
  }

  @Test("a lookup that fails ends the restoration with its error")
  func failure() throws {
    struct Broken: Error {}
    struct Failing: EntityLookup {
      var questions = 0
      mutating func kind(named name: String) throws(Broken) -> KindAnswer {
        questions += 1
        throw Broken()
      }
      func contains(_ id: EntityID, in kind: Int64) throws(Broken) -> Bool { throw Broken() }
      func name(of kind: Int64) throws(Broken) -> String { throw Broken() }
    }
    var lookup = Failing()
    let state = try SceneState(validating: Array(#"{"stacks":{"m":[{"card":1},{"board":2}]}}"#.utf8))
    #expect(throws: Broken.self) {
      try state.restoration(stale: nil, rules: .byConvention, lookup: &lookup)
    }
    #expect(lookup.questions == 1)
  }
}
