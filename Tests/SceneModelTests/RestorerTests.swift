import SceneModel
import Testing

private let gone = #"{"card":"gone"}"#
private let here = #"{"card":"here"}"#
private let entities = ["card": ["here"]]

@Suite struct RestorerTests {
  @Test("drop leaves out a stale route alone, truncate all above it, keep nothing")
  func policies() throws {
    let state = #"{"stacks":{"m":[ {"board":"b"} , \#(gone),{"x":1} , \#(gone) ]}}"#
    let missing = Dropped(path: "/stacks/m/1", reason: .entityMissing, route: "card", kind: "card", id: "gone")
    let last = Dropped(path: "/stacks/m/3", reason: .entityMissing, route: "card", kind: "card", id: "gone")

    let drop = try restore(state, entities, .drop)
    #expect(drop.text == #"{"stacks":{"m":[ {"board":"b"},{"x":1} ]}}"#)
    #expect(drop.dropped == [missing, last])
    #expect(try restore(state, entities) == drop)

    let truncate = try restore(state, entities, .truncate)
    #expect(truncate.text == #"{"stacks":{"m":[ {"board":"b"} ]}}"#)
    #expect(
      truncate.dropped == [
        missing, Dropped(path: "/stacks/m/2", reason: .aboveDropped, route: "x"),
        Dropped(path: "/stacks/m/3", reason: .aboveDropped, route: "card"),
      ]
    )

    let keep = try restore(state, entities, .keep)
    #expect(keep.text == state)
    #expect(keep.dropped == [missing, last])
    #expect(keep.emptied.isEmpty)
  }

  @Test("a child whose parent is gone stays under drop and goes under truncate")
  func child() throws {
    let state = #"{"stacks":{"m":[{"card":"gone"},{"card":{"cardID":"here","parentID":"gone"}}]}}"#
    #expect(try restore(state, entities, .drop).paths == ["/stacks/m/0"])
    #expect(try restore(state, entities, .truncate).paths == ["/stacks/m/0", "/stacks/m/1"])
  }

  @Test("references of what truncate takes from above are not asked for, and not named as unverified")
  func aboveIsNotAsked() throws {
    let state = #"{"stacks":{"m":[\#(gone),{"x":{"userID":1}}]}}"#
    #expect(try restore(state, entities, .truncate).unverified.isEmpty)
    #expect(try restore(state, entities, .drop).unverified == ["user"])
  }

  @Test("the same route may stand twice in a stack, and stays twice")
  func repeats() throws {
    let state = #"{"stacks":{"m":[\#(here),\#(here),"x","x"]}}"#
    #expect(try restore(state, entities).text == state)
    #expect(
      try restore(#"{"stacks":{"m":[\#(gone),\#(here),\#(gone)]}}"#, entities).text
        == #"{"stacks":{"m":[\#(here)]}}"#
    )
  }

  @Test(
    "three tabs, one emptied, any of them selected: the same tab stays selected and nothing shifts",
    arguments: ["a", "b", "c"]
  )
  func selection(selected: String) throws {
    let state = #"{"selectedTab":"\#(selected)","stacks":{"a":["x"],"b":[\#(gone),\#(gone)],"c":[\#(here)]}}"#
    let result = try restore(state, entities)
    #expect(result.text == #"{"selectedTab":"\#(selected)","stacks":{"a":["x"],"b":[],"c":[\#(here)]}}"#)
    #expect(result.emptied == ["b"])
  }

  @Test("a tab that was saved empty is not named in emptied, nor one with a route left")
  func emptied() throws {
    let state = #"{"stacks":{"a":[],"b":[\#(gone),"x"],"c":{"routes":[\#(gone)]},"d":{"routes":[]},"e\/f":[\#(gone)]}}"#
    #expect(try restore(state, entities).emptied == ["c", "e/f"])
    #expect(try restore(state, entities, .keep).emptied.isEmpty)
  }

  @Test("a scene of which all went stale comes back with empty stacks and the report")
  func allStale() throws {
    let result = try restore(#"{"stacks":{"main":[\#(gone),{"card":"no"}]},"modals":{"sheet":\#(gone)}}"#, entities)
    #expect(result.text == #"{"stacks":{"main":[]},"modals":{}}"#)
    #expect(result.paths == ["/stacks/main/0", "/stacks/main/1", "/modals/sheet"])
    #expect(result.emptied == ["main"])
  }

  @Test("reports are in order: stacks as the bytes have them, then the sidebar, then the modals")
  func order() throws {
    let state =
      #"{"modals":{"sheet":\#(gone)},"sidebarSelection":[\#(gone)],"stacks":{"z":[\#(gone)],"a":[\#(gone)]}}"#
    #expect(
      try restore(state, entities).paths == ["/stacks/z/0", "/stacks/a/0", "/sidebarSelection/0", "/modals/sheet"]
    )
  }

  @Test("nothing else of the state changes: key order, number spelling, escapes and white space")
  func bytes() throws {
    let rest = #""values" : { "n":9007199254740993 ,"d":721692800.1229999,"e":1E+2,"s":"\/\u00e9\uD83E\uDDED" }"#
    let state = "\n{ \(rest),\t\"stacks\":{\"m\" :[ \(gone),\r\n 1.0 ] } }\n"
    #expect(try restore(state, entities).text == "\n{ \(rest),\t\"stacks\":{\"m\" :[ 1.0 ] } }\n")
    let whole = state.replacing(gone, with: here)
    #expect(try restore(whole, entities).text == whole)
  }

  @Test("values are never looked into")
  func values() throws {
    let state = #"{"values":{"stacks":{"m":[\#(gone)]},"routes":[\#(gone)],"cardID":"gone"}}"#
    #expect(try restore(state, entities).dropped.isEmpty)
  }

  @Test("a null member counts as left out and comes back")
  func nullMembers() throws {
    let state = #"{"stacks":null,"selectedTab":null,"sidebarSelection":null,"modals":null,"values":null}"#
    #expect(try restore(state, entities) == Restoration(state: Array(state.utf8)))
  }
}

@Suite struct SidebarSelectionTests {
  @Test(
    "a stale selection becomes null, and so does a stale column, under truncate too",
    arguments: [StalePolicy.drop, .truncate]
  )
  func stale(policy: StalePolicy) throws {
    let one = try restore(#"{"sidebarSelection": \#(gone) ,"values":{}}"#, entities, policy)
    #expect(one.text == #"{"sidebarSelection": null ,"values":{}}"#)
    #expect(one.paths == ["/sidebarSelection"])
    let columns = try restore(#"{"sidebarSelection":[\#(gone), null,\#(here) ,\#(gone)]}"#, entities, policy)
    #expect(columns.text == #"{"sidebarSelection":[null, null,\#(here) ,null]}"#)
    #expect(columns.dropped.map(\.reason) == [.entityMissing, .entityMissing])
    #expect(columns.paths == ["/sidebarSelection/0", "/sidebarSelection/3"])
  }

  @Test("keep reports a stale selection and leaves it")
  func keep() throws {
    let state = #"{"sidebarSelection":[\#(gone)]}"#
    let result = try restore(state, entities, .keep)
    #expect(result.text == state)
    #expect(result.paths == ["/sidebarSelection/0"])
  }

  @Test("a member state of a selected route is no nested list")
  func noNesting() throws {
    let state = #"{"sidebarSelection":{"name":"A","state":{"routes":[\#(gone)]}}}"#
    #expect(try restore(state, entities).dropped.isEmpty)
  }
}

@Suite struct ModalTests {
  @Test("a stale modal is left out whole, and what stands inside it is not reported", arguments: StalePolicy.allCases)
  func stale(policy: StalePolicy) throws {
    let state = #"{"modals":{"sheet":[\#(gone),\#(gone),"x"],"alert":\#(here),"dialog":\#(gone)}}"#
    let result = try restore(state, entities, policy)
    #expect(result.text == (policy == .keep ? state : #"{"modals":{"alert":\#(here)}}"#))
    #expect(result.paths == ["/modals/sheet/0", "/modals/dialog"])
    #expect(result.emptied.isEmpty)
  }

  @Test("of the stack inside a modal stale routes go as on any stack")
  func inner() throws {
    let state = #"{"modals":{"sheet":["x",\#(gone),\#(here),"y"]}}"#
    #expect(try restore(state, entities, .drop).text == #"{"modals":{"sheet":["x",\#(here),"y"]}}"#)
    let truncate = try restore(state, entities, .truncate)
    #expect(truncate.text == #"{"modals":{"sheet":["x"]}}"#)
    #expect(truncate.paths == ["/modals/sheet/1", "/modals/sheet/2", "/modals/sheet/3"])
    #expect(try restore(#"{"modals":{"sheet":["x",\#(gone)]}}"#, entities).emptied.isEmpty)
  }

  @Test("a modal that is null or empty is none, and never stale")
  func none() throws {
    let state = #"{"modals":{"sheet":null,"alert":[],"x":[null]}}"#
    #expect(try restore(state, entities) == Restoration(state: Array(state.utf8)))
  }

  @Test("flat pairs lose a stale modal with its name, and point at the value")
  func flat() throws {
    let state = #"{"modals":["sheet",\#(gone) , {"alert":{}},[\#(here),\#(gone)],3,[\#(gone)]]}"#
    let result = try restore(state, entities)
    #expect(result.text == #"{"modals":[{"alert":{}},[\#(here)]]}"#)
    #expect(result.paths == ["/modals/1", "/modals/3/1", "/modals/5/0"])
  }

  @Test("a modal that looks like a list is a route: lists are stacks only")
  func noList() throws {
    let state = #"{"modals":{"sheet":{"routes":[\#(gone)],"index":0}}}"#
    #expect(try restore(state, entities).dropped.isEmpty)
  }
}
