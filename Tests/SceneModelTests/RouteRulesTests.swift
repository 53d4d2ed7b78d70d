import SceneModel
import Testing

private let entities = ["board": ["b1"], "card": ["7"], "project": ["p"]]

@Suite("Restoring with a route table")
struct RouteRulesTests {
  @Test("a renamed case is renamed wherever its name stands, through several steps, in the form that it has")
  func renames() throws {
    let table = #"{"renamed":{"project":"place","place":"board","3":"4","com.x.Old":"com.x.New","x":"9","5":"five"}}"#
    let state =
      #"{"stacks":{"m":[{"project":{"id":"b1"}}, {"type":"com.x.Old","a":1.0},{"name":"place","params":{"x":1},"key":"k"},"#
      + #""project",3,"x",5,{"\u0070roject":null}]}}"#
    let result = try restore(state, entities, table: table)
    #expect(
      result.text
        == #"{"stacks":{"m":[{"board":{"id":"b1"}}, {"type":"com.x.New","a":1.0},{"name":"board","params":{"x":1},"key":"k"},"#
        + #""board",4,"9","five",{"board":null}]}}"#
    )
    #expect(result.dropped.isEmpty)
    #expect(result.renamed == 8)
    #expect(try restore(result.text, entities, table: table).text == result.text)
  }

  @Test("a route that several rules lead to is judged, renamed and counted once")
  func overlappingRules() throws {
    let table = #"{"routes":{"c":{"routes":["x","x.c.x","y"],"entities":{"y":"board"}}},"renamed":{"old":"c"}}"#
    let depth = 12
    let route =
      String(repeating: #"{"old":{"y":"b1","x":"#, count: depth) + "null" + String(repeating: "}}", count: depth)
    let result = try restore(#"{"stacks":{"m":[\#(route)]}}"#, entities, table: table)
    #expect(result.renamed == depth)
    #expect(result.text == #"{"stacks":{"m":[\#(route.replacing("old", with: "c"))]}}"#)
  }

  @Test(
    "a lone key that the table names is that case, though it looks like another spelling",
    arguments: ["type", "name", "boardID", "board_ids"]
  )
  func namedKey(name: String) throws {
    let table =
      #"{"routes":{"\#(name)":{"entities":{"_0":"board"}}},"renamed":{"old":"\#(name)"},"unknownRoutes":"drop"}"#
    let state = #"{"stacks":{"m":[{"old":"b1"},{"old":"gone"},{"\#(name)":"b1"},{"\#(name)":"gone"}]}}"#
    let result = try restore(state, entities, table: table)
    #expect(result.text == #"{"stacks":{"m":[{"\#(name)":"b1"},{"\#(name)":"b1"}]}}"#)
    #expect(result.dropped.map(\.path) == ["/stacks/m/1", "/stacks/m/3"])
    #expect(result.dropped.allSatisfy { $0.route == name && $0.reason == .entityMissing })
    let again = try restore(result.text, entities, table: table)
    #expect(again.text == result.text && again.dropped.isEmpty && again.renamed == 0)
    // With more members it is what it looks like.
    let other = try restore(#"{"stacks":{"m":[{"type":"old","name":"n"}]}}"#, entities, table: table)
    #expect(other.text == #"{"stacks":{"m":[{"type":"\#(name)","name":"n"}]}}"#)
  }

  @Test("a renamed case refers to the kind of its new name, and is reported under it")
  func renamedReference() throws {
    let table = #"{"renamed":{"project":"board"}}"#
    let state = #"{"stacks":{"m":[{"project":{"id":"p"}},{"project":"b1"}]}}"#
    let missing = Dropped(path: "/stacks/m/0", reason: .entityMissing, route: "board", kind: "board", id: "p")
    let result = try restore(state, entities, table: table)
    #expect(result.dropped == [missing])
    #expect(result.text == #"{"stacks":{"m":[{"board":"b1"}]}}"#)
    let kept = try restore(state, entities, .keep, table: table)
    #expect(kept.text == state)
    #expect(kept.dropped == [missing])
    #expect(kept.renamed == 0)
  }

  @Test("an unlisted case stays by default and is counted, and goes with drop; so does what has no case name")
  func unknown() throws {
    let state =
      #"{"stacks":{"m":["card",{"gone":{}},{"a":1,"b":2},null,1.5,"card"]},"sidebarSelection":["gone",null],"modals":{"sheet":"gone","alert":null}}"#
    let keep = try restore(state, table: #"{"routes":{"card":{}}}"#)
    #expect(keep.text == state)
    #expect(keep.unknown == 3)
    let drop = try restore(state, table: #"{"routes":{"card":{}},"unknownRoutes":"drop"}"#)
    #expect(drop.text == #"{"stacks":{"m":["card","card"]},"sidebarSelection":[null,null],"modals":{"alert":null}}"#)
    #expect(
      drop.dropped == [
        Dropped(path: "/stacks/m/1", reason: .unknownRoute, route: "gone"),
        Dropped(path: "/stacks/m/2", reason: .malformedRoute),
        Dropped(path: "/stacks/m/3", reason: .malformedRoute),
        Dropped(path: "/stacks/m/4", reason: .malformedRoute),
        Dropped(path: "/sidebarSelection/0", reason: .unknownRoute, route: "gone"),
        Dropped(path: "/modals/sheet", reason: .unknownRoute, route: "gone"),
      ]
    )
    #expect(drop.unknown == 3)
  }

  @Test("an unknown case goes before a missing entity, and what it refers to is still looked at")
  func order() throws {
    let table = #"{"routes":{"a":{}},"unknownRoutes":"drop"}"#
    let result = try restore(#"{"stacks":{"m":[{"z":{"cardID":"x","userID":1}}]}}"#, entities, table: table)
    #expect(result.dropped == [Dropped(path: "/stacks/m/0", reason: .unknownRoute, route: "z")])
    #expect(result.unverified == ["user"])
  }

  @Test("entities of a case are what the table says, at any depth, and nothing else")
  func tableEntities() throws {
    let table =
      #"{"routes":{"a":{"entities":{"x":"card","ref.in.boardID":"board","_1":"card"}},"b":{"entities":{}},"c":{}}}"#
    func paths(_ route: String) throws -> [String?] {
      try restore(#"{"stacks":{"m":[\#(route)]}}"#, entities, table: table).dropped.map(\.id)
    }
    #expect(try paths(#"{"a":{"x":7,"id":"no","cardID":"no"}}"#) == [])
    #expect(try paths(#"{"a":{"x":8}}"#) == ["8"])
    #expect(try paths(#"{"a":{"x":[7,8,9]}}"#) == ["8"])
    #expect(try paths(#"{"a":{"x":[7,{}]}}"#) == [])
    #expect(try paths(#"{"a":{"ref":{"in":{"boardID":"no"}}}}"#) == ["no"])
    #expect(try paths(#"{"a":{"ref":{"in":{"boardID":"b1"}},"x":"7"}}"#) == [])
    #expect(try paths(#"{"a":{"ref":{"in":{"boardID":"first"}},"x":"second"}}"#) == ["first"])
    #expect(try paths(#"{"a":{"x":"first","ref":{"in":{"boardID":"second"}}}}"#) == ["first"])
    #expect(try paths(#"{"a":{"ref":"no"}}"#) == [])
    #expect(try paths(#"{"a":["x","no"]}"#) == ["no"])
    #expect(try paths(#"{"b":{"cardID":"no","id":"no"}}"#) == [])
    #expect(try paths(#"{"c":{"cardID":"no"}}"#) == ["no"])
    #expect(try paths(#"{"type":"a","x":"no"}"#) == ["no"])
    #expect(try paths(#"{"name":"a","params":{"x":"no"}}"#) == ["no"])
  }

  @Test("a kind that the table names counts as unverified where it cannot be checked, whatever the parameter is called")
  func unverified() throws {
    let table = #"{"routes":{"a":{"entities":{"x":"card","y":"nobody"}}}}"#
    let result = try restore(#"{"stacks":{"m":[{"a":{"x":"no","y":1}}]}}"#, entities, syncing: ["card"], table: table)
    #expect(result.dropped.isEmpty)
    #expect(result.unverified == ["card", "nobody"])
  }

  @Test("routes inside a route are checked and renamed, and take it with them with their reason")
  func inner() throws {
    let table =
      #"{"routes":{"checkout":{"routes":["_0","more.then"]},"card":{},"board":{}},"renamed":{"old":"card"},"unknownRoutes":"drop"}"#
    func run(_ route: String) throws -> (String, [Dropped]) {
      let result = try restore(#"{"stacks":{"m":[\#(route)]}}"#, entities, table: table)
      return (result.text, result.dropped)
    }
    let renamed = try run(#"{"checkout":{"_0":{"old":{"cardID":7}},"more":{"then":["board",{"old":"7"},null]}}}"#)
    #expect(
      renamed.0
        == #"{"stacks":{"m":[{"checkout":{"_0":{"card":{"cardID":7}},"more":{"then":["board",{"card":"7"},null]}}}]}}"#
    )
    #expect(renamed.1.isEmpty)
    let missing = try run(#"{"checkout":{"more":{"then":[{"card":"8"}]},"_0":{"card":"9"}}}"#)
    #expect(
      missing.1 == [Dropped(path: "/stacks/m/0", reason: .entityMissing, route: "checkout", kind: "card", id: "8")]
    )
    let unknown = try run(#"{"checkout":{"_0":{"card":"9"},"more":{"then":"gone"}}}"#)
    #expect(unknown.1 == [Dropped(path: "/stacks/m/0", reason: .unknownRoute, route: "checkout")])
    #expect(try run(#"{"checkout":{"_0":true}}"#).1.map(\.reason) == [.malformedRoute])
    #expect(try run(#"{"checkout":{"_0":{"checkout":{"_0":{"checkout":{"_0":"gone"}}}}}}"#).1.count == 1)
    #expect(try run(#"{"checkout":["card"]}"#).1.isEmpty)
  }

  @Test("a parameter that holds a route refers to nothing by convention")
  func innerIsNoReference() throws {
    let state = #"{"stacks":{"m":[{"card":{"_0":"board"}},{"card":"board"},{"a":{"cardID":"settings"}}]}}"#
    #expect(try restore(state, entities).dropped.count == 3)
    let table = #"{"routes":{"card":{"routes":["_0"]},"a":{"routes":["cardID"]}}}"#
    #expect(try restore(state, entities, table: table).dropped.isEmpty)
  }

  @Test("routes nested as deep as a state may be are judged without a stack of calls")
  func deep() throws {
    let depth = 250
    let state =
      #"{"stacks":{"m":["# + String(repeating: #"{"in":{"_0":"#, count: depth) + #""gone""#
      + String(repeating: "}}", count: depth) + "]}}"
    let table = #"{"routes":{"in":{"routes":["_0"]}},"unknownRoutes":"drop"}"#
    #expect(try restore(state, table: table).dropped.map(\.reason) == [.unknownRoute])
  }

  @Test("the table's policy holds where a call names none")
  func policy() throws {
    let state = #"{"stacks":{"m":["a",{"card":"no"},"b"]}}"#
    let table = #"{"stale":"truncate"}"#
    #expect(try restore(state, entities, table: table).text == #"{"stacks":{"m":["a"]}}"#)
    #expect(try restore(state, entities, .drop, table: table).text == #"{"stacks":{"m":["a","b"]}}"#)
    #expect(try restore(state, entities, table: #"{"stale":"keep"}"#).text == state)
  }

  @Test("a case renamed in one release, removed in the next, back in the third")
  func releases() throws {
    let state = #"{"stacks":{"m":[{"home":{}},{"project":{"id":"b1"}},{"card":{"id":7}}]}}"#
    let first = #"{"routes":{"home":{},"board":{},"card":{}},"renamed":{"project":"board"},"unknownRoutes":"drop"}"#
    #expect(
      try restore(state, entities, table: first).text
        == #"{"stacks":{"m":[{"home":{}},{"board":{"id":"b1"}},{"card":{"id":7}}]}}"#
    )
    let second = #"{"routes":{"home":{},"card":{}},"unknownRoutes":"drop"}"#
    let without = try restore(state, entities, table: second)
    #expect(without.text == #"{"stacks":{"m":[{"home":{}},{"card":{"id":7}}]}}"#)
    #expect(without.dropped == [Dropped(path: "/stacks/m/1", reason: .unknownRoute, route: "project")])
    #expect(try restore(state, entities, table: first).dropped.isEmpty)
  }
}
