import SceneModel
import Testing

/// The fault of a state that must have one.
func fault(of state: String, maximumRoutes: Int = SceneState.maximumRoutes) -> StateFault? {
  do throws(StateFault) {
    _ = try SceneState(validating: Array(state.utf8), maximumRoutes: maximumRoutes)
    return nil
  } catch {
    return error
  }
}

/// The pointer of a state that must be invalid.
private func path(of state: String) -> String? {
  guard case .invalid(let path, _) = fault(of: state) else { return nil }
  return path
}

/// The reason why a state must be invalid.
private func reason(of state: String) -> String {
  guard case .invalid(_, let reason) = fault(of: state) else { return "" }
  return reason
}

@Suite struct SceneStateTests {
  @Test(
    "every member may stand alone, or be null",
    arguments: [
      #"{"stacks":{}}"#, #"{"stacks":[]}"#, #"{"stacks":null}"#, #"{"selectedTab":"a"}"#, #"{"selectedTab":null}"#,
      #"{"sidebarSelection":null}"#, #"{"sidebarSelection":"a"}"#, #"{"sidebarSelection":[]}"#, #"{"modals":{}}"#,
      #"{"modals":[]}"#, #"{"modals":null}"#, #"{"values":{}}"#, #"{"values":null}"#, "\n\t {\"values\":null} \r\n",
    ]
  )
  func members(state: String) throws {
    #expect(fault(of: state) == nil)
    #expect(try restore(state).text == state)
  }

  @Test(
    "a wrong type is refused at its place",
    arguments: [
      ("{}", ""), ("[]", ""), ("null", ""), (#""x""#, ""), (#"{"stacks":"a"}"#, "/stacks"),
      (#"{"stacks":1}"#, "/stacks"),
      (#"{"stacks":{"a":null}}"#, "/stacks/a"), (#"{"stacks":{"a":"x"}}"#, "/stacks/a"),
      (#"{"stacks":{"a":{}}}"#, "/stacks/a"), (#"{"stacks":{"a":{"routes":{}}}}"#, "/stacks/a/routes"),
      (#"{"stacks":{"a":{"routes":[],"index":"0"}}}"#, "/stacks/a/index"),
      (#"{"stacks":{"a":{"routes":[],"index":1.0}}}"#, "/stacks/a/index"),
      (#"{"stacks":{"a":{"routes":[],"index":1e0}}}"#, "/stacks/a/index"),
      (#"{"stacks":["a"]}"#, "/stacks"), (#"{"stacks":["a",[],"b"]}"#, "/stacks"),
      (#"{"stacks":["a",[],"b",3]}"#, "/stacks/3"), (#"{"stacks":[1.0,[]]}"#, "/stacks/0"),
      (#"{"stacks":[true,[]]}"#, "/stacks/0"), (#"{"stacks":[{"a":1},[]]}"#, "/stacks/0"),
      (#"{"stacks":[{"a":{"b":1}},[]]}"#, "/stacks/0"), (#"{"stacks":[{"a":{},"b":{}},[]]}"#, "/stacks/0"),
      (#"{"stacks":[[],[]]}"#, "/stacks/0"), (#"{"stacks":[null,[]]}"#, "/stacks/0"),
      (#"{"selectedTab":1.0}"#, "/selectedTab"), (#"{"selectedTab":1e3}"#, "/selectedTab"),
      (#"{"selectedTab":[]}"#, "/selectedTab"), (#"{"selectedTab":{}}"#, "/selectedTab"),
      (#"{"selectedTab":false}"#, "/selectedTab"), (#"{"selectedTab":""}"#, "/selectedTab"),
      (#"{"modals":"sheet"}"#, "/modals"), (#"{"modals":["sheet"]}"#, "/modals"), (#"{"values":[]}"#, "/values"),
      (#"{"values":0}"#, "/values"),
    ]
  )
  func types(state: String, place: String) {
    #expect(path(of: state) == place)
    #expect(!reason(of: state).isEmpty)
  }

  @Test(
    "a member that no state has is refused with the nearest one that it may have meant",
    arguments: [
      ("selectedtab", "selectedTab"), ("selected_tab", "selectedTab"), ("stack", "stacks"), ("Stacks", "stacks"),
      ("modal", "modals"), ("sidebar", "sidebarSelection"), ("value", "values"), ("selected", "selectedTab"),
    ]
  )
  func unknownMember(name: String, meant: String) {
    let state = #"{"stacks":{},"\#(name)":null}"#
    #expect(path(of: state) == "/\(name)")
    #expect(reason(of: state) == "unknown member \(name): did you mean \(meant)?")
  }

  @Test("a member that resembles none is answered with those that there are, and never repeated raw or at length")
  func farMember() {
    #expect(reason(of: #"{"zebra":1}"#).contains("zebra: a state has stacks, selectedTab"))
    #expect(!reason(of: #"{"\u001b[2J":1}"#).utf8.contains(0x1B))
    #expect(reason(of: "{\"\(String(repeating: "x", count: 5000))\":1}").utf8.count < 200)
  }

  @Test(
    "a React Navigation state at the top is told so before any other fault",
    arguments: [
      #"{"routes":[{"name":"Home"}],"index":0}"#, #"{"index":0,"stale":false,"routes":[]}"#,
      #"{"stacks":7,"routes":1}"#, #"{"x":{"a":1,"a":2},"routes":[]}"#, #"{"routes":[],"routes":[]}"#,
      #" {"routes":[nul]}"#,
    ]
  )
  func reactNavigation(state: String) {
    #expect(path(of: state) == "/routes")
    #expect(reason(of: state) == #"this is a React Navigation state: send it as {"stacks":{"main": …}}"#)
  }

  @Test(
    "what is no JSON is refused with its place",
    arguments: [
      ("", ""), ("   ", ""), (#"{"stacks":{"a":[1,}}"#, "/stacks/a/1"), (#"{"values":{"a":"\ud800"}}"#, "/values/a"),
      (#"{"values":{"a":"\u0000"}}"#, "/values/a"), (#"{"values":{"a":NaN}}"#, "/values/a"),
      (#"{"values":{"a":-Infinity}}"#, "/values/a"), (#"{"stacks":{}} {}"#, ""), (#"{"stacks":{}}}"#, ""),
    ]
  )
  func syntax(state: String, place: String) {
    #expect(path(of: state) == place)
    #expect(!reason(of: state).isEmpty)
  }

  @Test("invalid UTF-8 is refused")
  func invalidUTF8() {
    var bytes = Array(#"{"values":{"a":"x"}}"#.utf8)
    bytes[16] = 0xFF
    #expect(throws: StateFault.self) { try SceneState(validating: bytes) }
  }

  @Test(
    "a key that stands twice is refused at any depth, compared decoded: two readers would read two ids",
    arguments: [
      #"{"stacks":{"a":[{"board":{"id":"good","id":"evil"}}]}}"#, #"{"stacks":{"a":[],"a":[]}}"#,
      #"{"stacks":{"a":[],"\u0061":[]}}"#, #"{"values":{"x":[[{"k":1,"k":1}]]}}"#, #"{"stacks":{},"stacks":{}}"#,
    ]
  )
  func duplicateKeys(state: String) {
    #expect(fault(of: state) != nil)
  }

  @Test("the state is level 1 of at most 512")
  func depth() {
    func nested(_ levels: Int) -> String {
      #"{"values":{"a":"# + String(repeating: "[", count: levels - 2) + String(repeating: "]", count: levels - 2) + "}}"
    }
    #expect(fault(of: nested(512)) == nil)
    #expect(fault(of: nested(513)) != nil)
  }

  @Test("a state of too many routes is refused with the limit and its number, wherever they stand")
  func routes() {
    let list = #"{"stacks":{"a":["x",{"k":1}],"b":{"routes":[{"name":"A","state":{"routes":["y"]}}]}},"#
    let state = list + #""sidebarSelection":["z",null],"modals":{"sheet":"m","alert":["n","o"],"cover":null}}"#
    #expect(fault(of: state, maximumRoutes: 8) == nil)
    #expect(fault(of: state, maximumRoutes: 7) == .limit(name: "routes", maximum: 7, actual: 8))
    let many = #"{"stacks":{"a":["# + Array(repeating: "1", count: 200_000).joined(separator: ",") + "]}}"
    #expect(fault(of: many) == .limit(name: "routes", maximum: 4096, actual: 200_000))
  }

  @Test("routes counts what is on stacks, and the selected tab is known by its id")
  func summary() throws {
    let state = try SceneState(
      validating: Array(
        (#"{"stacks":[{"a":{}},["x","y"],7,{"routes":[{"name":"A","state":{"routes":["z"]}}]}],"selectedTab":{"a":{}},"#
          + #""modals":{"sheet":"m"}}"#).utf8
      )
    )
    #expect(state.routes == 4)
    #expect(state.selectedTab == "a")
    #expect(try SceneState(validating: Array(#"{"selectedTab":-3}"#.utf8)).selectedTab == "-3")
    #expect(try SceneState(validating: Array(#"{"selectedTab":null}"#.utf8)).selectedTab == nil)
  }

  @Test(
    "a state that names nothing is told from one that names something",
    arguments: [
      (#"{"selectedTab":null,"stacks":{}}"#, true), (#"{"selectedTab":null,"stacks":[]}"#, true),
      (#"{"stacks":{"a":[]},"selectedTab":"a"}"#, false), (#"{"selectedTab":0}"#, false),
      (#"{"stacks":["a",{"routes":[]}]}"#, false), (#"{"stacks":null,"selectedTab":null}"#, true),
      (#"{"modals":{"sheet":null,"alert":[]}}"#, true),
      (#"{"sidebarSelection":[null]}"#, true), (#"{"sidebarSelection":null,"values":{}}"#, true),
      (#"{"values":null}"#, true), (#"{"stacks":{"a":["x"]}}"#, false), (#"{"modals":{"sheet":"x"}}"#, false),
      (#"{"sidebarSelection":[null,"x"]}"#, false), (#"{"values":{"a":0}}"#, false),
    ]
  )
  func namesNothing(state: String, expected: Bool) throws {
    #expect(try SceneState(validating: Array(state.utf8)).namesNothing == expected)
  }
}
