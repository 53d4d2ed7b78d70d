import SceneModel
import Testing

@Suite("Tabs of a route table")
struct RouteTabsTests {
  @Test("a renamed tab keeps its stack under its new id, in the form that it has")
  func renamed() throws {
    let table = #"{"renamedTabs":{"home":"start","start":"boards","1":"2"}}"#
    let object = try restore(#"{"selectedTab":"home","stacks":{ "home" : ["a"],"1":[]}}"#, table: table)
    #expect(object.text == #"{"selectedTab":"boards","stacks":{ "boards" : ["a"],"2":[]}}"#)
    #expect(object.dropped.isEmpty)
    let flat = try restore(#"{"selectedTab":1,"stacks":[{"home":{}},["a"],1,[]]}"#, table: table)
    #expect(flat.text == #"{"selectedTab":2,"stacks":[{"boards":{}},["a"],2,[]]}"#)
    let selected = try restore(#"{"selectedTab":{"home":{}},"stacks":{}}"#, table: table)
    #expect(selected.text == #"{"selectedTab":{"boards":{}},"stacks":{}}"#)
    #expect(try restore(flat.text, table: table).text == flat.text)
  }

  @Test("of stacks that end with one id the one saved under it stays, else the first")
  func collisions() throws {
    let table = #"{"renamedTabs":{"x":"c","y":"c"}}"#
    let saved = try restore(#"{"stacks":{"x":[1],"c":[2],"y":[3]}}"#, table: table)
    #expect(saved.text == #"{"stacks":{"c":[2]}}"#)
    #expect(saved.dropped.map(\.path) == ["/stacks/x", "/stacks/y"])
    #expect(saved.dropped.allSatisfy { $0.reason == .unknownTab && $0.route == nil })
    let first = try restore(#"{"stacks":["y",[1],"x",[2],"z",[]]}"#, table: table)
    #expect(first.text == #"{"stacks":["c",[1],"z",[]]}"#)
    #expect(first.dropped.map(\.path) == ["/stacks/3"])
    #expect(first.emptied.isEmpty)
  }

  @Test("an unlisted tab's stack goes whole, and the first listed tab is selected in its place")
  func listed() throws {
    let table = #"{"tabs":["a","b"]}"#
    let state = #"{"stacks":{"z":[{"card":"no"}],"b":[{"card":"no"}]},"selectedTab":"z"}"#
    let result = try restore(state, ["card": []], table: table)
    #expect(result.text == #"{"stacks":{"b":[]},"selectedTab":"a"}"#)
    #expect(result.emptied == ["b"])
    #expect(
      result.dropped == [
        Dropped(path: "/stacks/z", reason: .unknownTab),
        Dropped(path: "/stacks/b/0", reason: .entityMissing, route: "card", kind: "card", id: "no"),
        Dropped(path: "/selectedTab", reason: .unknownTab),
      ]
    )
    let kept = try restore(state, ["card": []], .keep, table: table)
    #expect(kept.text == state)
    #expect(kept.dropped == result.dropped)
    #expect(kept.emptied.isEmpty)
  }

  @Test("a selected tab keeps its form, and is none where that form cannot name the first listed one")
  func selected() throws {
    func selected(_ tab: String, _ tabs: String) throws -> String {
      let state = #"{"stacks":{},"selectedTab":\#(tab)}"#
      let result = try restore(state, table: #"{"tabs":\#(tabs)}"#)
      #expect(result.dropped == [Dropped(path: "/selectedTab", reason: .unknownTab)])
      let text = String(result.text.dropFirst(#"{"stacks":{},"selectedTab":"#.count).dropLast())
      #expect(try restore(result.text, table: #"{"tabs":\#(tabs)}"#).text == result.text)
      return text
    }
    #expect(try selected(#"{ "z" : {} }"#, #"["a"]"#) == #"{ "a" : {} }"#)
    #expect(try selected("3", #"["a"]"#) == "null")
    #expect(try selected("3", "[0]") == "0")
    #expect(try selected(#""3""#, "[0]") == #""0""#)
    #expect(try selected(#"{"z":{}}"#, "[]") == "null")
    #expect(try restore(#"{"selectedTab":3}"#, table: #"{"tabs":["3"]}"#).dropped.isEmpty)
    #expect(try restore(#"{"selectedTab":null}"#, table: #"{"tabs":["3"]}"#).dropped.isEmpty)
  }

  @Test("a renamed tab that is emptied is named by its new id")
  func emptied() throws {
    let result = try restore(
      #"{"stacks":{"home":[{"card":1}]}}"#,
      ["card": []],
      table: #"{"tabs":["boards"],"renamedTabs":{"home":"boards"}}"#
    )
    #expect(result.emptied == ["boards"])
    #expect(result.text == #"{"stacks":{"boards":[]}}"#)
  }
}
