import SceneModel
import Testing

/// Restores one stack of these routes; every case name is that of a declared kind without ids, so that what is
/// dropped shows what the route was taken for.
private func dropped(_ route: String, kinds: [String]) throws -> Dropped? {
  let entities = Dictionary(uniqueKeysWithValues: kinds.map { ($0, [String]()) })
  let result = try restore(#"{"stacks":{"m":[\#(route)]}}"#, entities)
  #expect(result.dropped.count < 2)
  return result.dropped.first
}

@Suite struct RouteTests {
  @Test(
    "each spelling has its case name, and its parameters refer",
    arguments: [
      (#"{"type":"com.example.Card","cardID":7}"#, "com.example.Card", "7"),
      (#"{"cardID":7,"type":"com.example.Card"}"#, "com.example.Card", "7"),
      (#"{"\u0074ype":"Card","card\u0049D":7}"#, "Card", "7"),
      (#"{"name":"Card","params":{"cardID":7},"key":"k"}"#, "Card", "7"),
      (#"{"name":"Card","params":{"cardID":7},"key":"k","path":"/x","state":{"a":1}}"#, "Card", "7"),
      (#"{"card":{"boardID":"b1","cardID":7}}"#, "card", "7"), (#"{"card":{"_0":"q"}}"#, "card", "q"),
      (#"{"card":"b1"}"#, "card", "b1"), (#"{"card":42}"#, "card", "42"), (#"{"card":["b1"]}"#, "card", "b1"),
      (#"{"card":{"id":"x"}}"#, "card", "x"), (#"{"com/x/Card":{"id":"x"}}"#, "com/x/Card", "x"),
      (#"{"type":"Card","_0":"x"}"#, "Card", "x"), (#"{"boardID":{"cardID":"x"}}"#, "boardID", "x"),
      (#"{"card":{"_0":["a","b"]}}"#, "card", "a"), (#"{"card":[["a","b"]]}"#, "card", "a"),
      (#"{"name":{"cardID":1}}"#, "name", "1"),
    ]
  )
  func spellings(route: String, name: String, id: String) throws {
    let part = try #require(try dropped(route, kinds: ["card"]))
    #expect(part == Dropped(path: "/stacks/m/0", reason: .entityMissing, route: name, kind: "card", id: id))
  }

  @Test(
    "an object that is no spelling has no case name, and its members are its parameters",
    arguments: [
      #"{"cardID":"x"}"#, #"{"cardID":["x"]}"#, #"{"cardID":"x","name":"n"}"#, #"{"name":"Anna","cardID":"x"}"#,
      #"{"type":3,"cardID":"x"}"#, #"{"name":3,"params":{},"cardID":"x"}"#,
      #"{"name":"Card","params":{},"cardID":"x"}"#,
    ]
  )
  func objects(route: String) throws {
    let part = try #require(try dropped(route, kinds: ["card", "name", "Card", "Anna"]))
    #expect(part == Dropped(path: "/stacks/m/0", reason: .entityMissing, route: nil, kind: "card", id: "x"))
  }

  @Test("one object may look like several spellings: kotlinx before React Navigation before a Swift case")
  func order() throws {
    let profile = try #require(
      try dropped(#"{"name":"Anna","type":"com.x.Profile","personID":1}"#, kinds: ["person"])
    )
    #expect(profile.route == "com.x.Profile")
    let person = try #require(try dropped(#"{"person":{"name":"Anna","id":1}}"#, kinds: ["person"]))
    #expect(person.route == "person")
    #expect(try dropped(#"{"name":"Anna","age":3,"id":1}"#, kinds: ["Anna", "person", "name"]) == nil)
    // A lone member `name` is React Navigation's, so it has no payload.
    #expect(try dropped(#"{"name":"x"}"#, kinds: ["name", "x"]) == nil)
    let typed = try #require(try dropped(#"{"type":"Card","id":1,"name":"n","params":{}}"#, kinds: ["card"]))
    #expect(typed.route == "Card")
  }

  @Test(
    "what refers to nothing stays, whatever it is",
    arguments: [
      "null", "true", "[]", "[1,2]", "{}", "\"card\"", "7", "1.0", #"{"card":{}}"#, #"{"card":null}"#,
      #"{"card":true}"#, #"{"card":[]}"#, #"{"card":["a","b"]}"#, #"{"card":{"_0":"a","_1":"b"}}"#,
      #"{"card":{"_0":"a","x":1}}"#, #"{"card":{"id":null}}"#, #"{"card":{"id":{"a":1}}}"#, #"{"card":{"id":false}}"#,
      #"{"card":{"id":[]}}"#, #"{"card":{"id":["a",null]}}"#, #"{"card":{"id":["a",{}]}}"#,
      #"{"card":{"id":["a",["b"]]}}"#,
      #"{"name":"Card","params":"x"}"#, #"{"name":"Card"}"#, #"{"name":"Card","params":["x"],"key":"k"}"#,
      #"{"id":"x","y":1}"#, #"{"type":"com.x.","id":"x"}"#, #"{"card":{"ref":"{\"cardID\":\"x\"}"}}"#,
    ]
  )
  func noReference(route: String) throws {
    #expect(try dropped(route, kinds: ["card", "com", "x"]) == nil)
  }

  @Test("a case name that is no name is none: too long, empty, or with a control character")
  func badNames() throws {
    let long = String(repeating: "c", count: 256)
    for name in [long, "", #"\u001b"#] {
      let part = try #require(try dropped(#"{"\#(name)":{"cardID":"x"}}"#, kinds: ["card"]))
      #expect(part.route == nil)
    }
    #expect(try dropped(#"{"\#(long)":{"id":"x"}}"#, kinds: ["card"]) == nil)
  }

  @Test("raw values and their like are named when they are dropped above another")
  func rawValues() throws {
    let result = try restore(
      #"{"stacks":{"m":[{"card":1},"settings",3,-4,1.5,null,[1]]}}"#,
      ["card": []],
      .truncate
    )
    #expect(result.dropped.map(\.route) == ["card", "settings", "3", "-4", nil, nil, nil])
    #expect(result.dropped.dropFirst().allSatisfy { $0.reason == .aboveDropped && $0.kind == nil && $0.id == nil })
  }
}
