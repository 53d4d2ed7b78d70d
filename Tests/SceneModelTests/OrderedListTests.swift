import SceneModel
import Testing

private let gone = #"{"name":"Card","params":{"id":"gone"}}"#
private let here = #"{"name":"Card","params":{"id":"here"}}"#
private let entities = ["card": ["here"]]

/// The list that a stack of this list is restored to.
private func restored(_ list: String, _ policy: StalePolicy = .drop) throws -> String {
  let (before, after) = (#"{"stacks":{"main":"#, "}}")
  let text = try restore(before + list + after, entities, policy).text
  return String(text.dropFirst(before.count).dropLast(after.count))
}

@Suite struct OrderedListTests {
  @Test(
    "index names the same route as before, or the nearest one left before it, else the first",
    arguments: [
      // index, which routes are stale, the index then
      (0, "", 0), (2, "", 2), (2, "0", 1), (2, "01", 0), (2, "2", 1), (2, "12", 0), (2, "02", 0), (2, "012", 0),
      (0, "0", 0), (3, "13", 1), (2, "3", 2), (1, "0123", 0), (3, "3", 2), (1, "1", 0), (0, "01", 0),
    ]
  )
  func index(index: Int, stale: String, expected: Int) throws {
    let routes = (0..<4).map { stale.contains(String($0)) ? gone : "\($0)" }
    let left = routes.filter { $0 != gone }.joined(separator: ",")
    let list = #"{"index":\#(index),"routes":[\#(routes.joined(separator: ","))],"stale":false}"#
    #expect(try restored(list) == #"{"index":\#(expected),"routes":[\#(left)],"stale":false}"#)
  }

  @Test(
    "an index out of range stays, and so does the spelling of one that still holds",
    arguments: ["-1", "2", "18446744073709551616", "-0", "null"]
  )
  func outOfRange(index: String) throws {
    #expect(
      try restored(#"{"routes":[\#(gone),\#(here)],"index": \#(index) }"#)
        == #"{"routes":[\#(here)],"index": \#(index) }"#
    )
  }

  @Test("all else of a list stays as it is: keys, history, preloaded routes, white space")
  func untouched() throws {
    let list =
      #"{"stale":false,"type":"stack","key":"stack-1","index":1,"routeNames":["Card"],"#
      + #""history":[{"type":"route","key":"gone"}],"preloadedRoutes":[\#(gone)],"routes":[\#(here),\#(gone), \#(here)]}"#
    let expected = list.replacing("[\(here),\(gone), \(here)]", with: "[\(here), \(here)]")
      .replacing(#""index":1"#, with: #""index":0"#)
    #expect(try restored(list) == expected)
  }

  @Test("a list that a route holds is checked after the route, in its own right, and gone with it")
  func nested() throws {
    func holder(_ id: String) -> String {
      #"{"name":"Card","params":{"id":"\#(id)"},"state":{"routes":[\#(gone),\#(here),\#(gone)],"index":2}}"#
    }
    let state = #"{"stacks":{"main":{"index":1,"routes":[\#(holder("gone")),\#(holder("here"))]}}}"#
    let result = try restore(state, entities)
    #expect(
      result.text == #"{"stacks":{"main":{"index":0,"routes":[{"name":"Card","params":{"id":"here"},"#
        + #""state":{"routes":[\#(here)],"index":0}}]}}}"#
    )
    #expect(
      result.paths == [
        "/stacks/main/routes/0", "/stacks/main/routes/1/state/routes/0", "/stacks/main/routes/1/state/routes/2",
      ]
    )
    #expect(try restore(state, entities, .keep).paths == result.paths)
    #expect(try restore(state, entities, .keep).text == state)
  }

  @Test("truncate takes what is above in the same list, not what holds the list")
  func nestedTruncate() throws {
    let state =
      #"{"stacks":{"main":{"routes":[{"name":"A","state":{"routes":["x",\#(gone),"y"]}},"z"]}}}"#
    let result = try restore(state, entities, .truncate)
    #expect(result.text == #"{"stacks":{"main":{"routes":[{"name":"A","state":{"routes":["x"]}},"z"]}}}"#)
    #expect(result.dropped.map(\.reason) == [.entityMissing, .aboveDropped])
  }

  @Test("in a list of tabs or drawers truncate acts as drop, at any depth", arguments: ["tab", "drawer"])
  func sideBySide(type: String) throws {
    let list = #"{"type":"\#(type)","routes":["a",\#(gone),"b"],"index":2}"#
    let expected = #"{"type":"\#(type)","routes":["a","b"],"index":1}"#
    #expect(try restored(list, .truncate) == expected)
    let outer = #"{"type":"stack","routes":[{"name":"A","state":\#(list)},\#(gone),"above"]}"#
    #expect(
      try restored(outer, .truncate) == #"{"type":"stack","routes":[{"name":"A","state":\#(expected)}]}"#
    )
  }

  @Test("other types are stacks", arguments: [#""stack""#, #""Tab""#, "null", "1"])
  func otherTypes(type: String) throws {
    #expect(
      try restored(#"{"type":\#(type),"routes":["a",\#(gone),"b"]}"#, .truncate) == #"{"type":\#(type),"routes":["a"]}"#
    )
  }

  @Test(
    "a member state that is no list is left alone, and so is one of a route on a plain stack",
    arguments: [
      #"{"routes":[{"name":"A","state":[\#(gone)]}]}"#, #"{"routes":[{"name":"A","state":{"routes":{"a":\#(gone)}}}]}"#,
      #"{"routes":[{"name":"A","state":{"routes":[\#(gone)],"index":"1"}}]}"#,
      #"{"routes":[{"name":"A","state":null}]}"#,
      #"[{"name":"A","state":{"routes":[\#(gone)],"index":0}}]"#,
      #"{"routes":[{"name":"A","params":{"state":{"routes":[\#(gone)]}}}]}"#,
    ]
  )
  func leftAlone(list: String) throws {
    #expect(try restored(list) == list)
  }

  @Test("any route of a list may hold a list, whatever its spelling")
  func spellings() throws {
    #expect(
      try restored(#"{"routes":[{"type":"com.x.Tabs","state":{"routes":[\#(gone),"a"]}}]}"#)
        == #"{"routes":[{"type":"com.x.Tabs","state":{"routes":["a"]}}]}"#
    )
  }

  @Test("a tab of which only nested routes went is not emptied")
  func notEmptied() throws {
    let state = #"{"stacks":{"main":{"routes":[{"name":"A","state":{"routes":[\#(gone)]}}]}}}"#
    #expect(try restore(state, entities).emptied.isEmpty)
  }

  @Test("lists as deep as a state may be are walked without recursion")
  func deep() throws {
    let depth = 168
    let state =
      #"{"stacks":{"main":{"routes":["# + String(repeating: #"{"name":"A","state":{"routes":["#, count: depth)
      + "\(here),\(gone)" + String(repeating: "]}}", count: depth) + "]}}}"
    let result = try restore(state, entities)
    #expect(result.text == state.replacing(",\(gone)", with: ""))
    #expect(
      result.paths == [
        "/stacks/main/routes/0" + String(repeating: "/state/routes/0", count: depth - 1) + "/state/routes/1"
      ]
    )
  }
}
