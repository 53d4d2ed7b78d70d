import JSONText
import SceneModel
import Testing

@Suite struct StateOutlineTests {
  /// Each route of a state as `path case{parameters}`, indented by its depth, and its references after it.
  private static func lines(_ text: String) throws -> [String] {
    let state = try SceneState(validating: Array(text.utf8))
    func spelled(_ node: Int) -> String { String(decoding: state.document.text(node), as: UTF8.self) }
    return StateOutline(state).branches.flatMap { branch in
      ["\(branch.part) \(branch.name)\(branch.isSelected ? "*" : "")"]
        + branch.routes.map { route in
          let names = route.parameters.map { "\($0.name)=\(spelled($0.value))" }.joined(separator: ",")
          let references = route.references.map { " \($0.isNamed ? "" : "~")\($0.kind):\(spelled($0.value))" }.joined()
          return String(repeating: "  ", count: route.depth + 1) + (route.isSelected ? ">" : "")
            + "\(route.path) \(route.caseName ?? "-"){\(names)}\(references)"
        }
    }
  }

  @Test("each part is there with its routes, their parameters and their references")
  func parts() throws {
    let state = #"""
      {"stacks":{"a":["home",{"card":{"id":"","boardID":"b1"}}],"b":[]},"selectedTab":"a",
       "sidebarSelection":[null,{"list":7}],
       "modals":["sheet",[{"type":"x.Card","cardIDs":["1",2]},{"search":{"_0":"q"}}],"cover",null],"values":{"n":1}}
      """#
    #expect(
      try Self.lines(state) == [
        "stack a*", "  /stacks/a/0 home{}", #"  /stacks/a/1 card{id="",boardID="b1"} ~card:"" board:"b1""#, "stack b",
        "sidebarSelection ", "  /sidebarSelection/0 -{}", "  /sidebarSelection/1 list{_0=7} ~list:7",
        "modal sheet", #"  /modals/1/0 x.Card{cardIDs=["1",2]} card:["1",2]"#,
        #"    /modals/1/1 search{_0="q"} ~search:"q""#, "modal cover",
      ]
    )
  }

  @Test("the routes of nested lists come after the one that holds them, and a list's index is shown")
  func lists() throws {
    let nested = #"{"routes":[{"name":"Card","params":{"id":"c"}}],"index":0}"#
    let state =
      #"{"stacks":{"m":{"index":1,"routes":[{"name":"A"},{"name":"B","state":\#(nested)},{"type":"C","#
      + #""state":\#(nested)}]}}}"#
    #expect(
      try Self.lines(state) == [
        "stack m", "  /stacks/m/routes/0 A{}", "  >/stacks/m/routes/1 B{}",
        #"    >/stacks/m/routes/1/state/routes/0 Card{id="c"} ~Card:"c""#, "  /stacks/m/routes/2 C{}",
        #"    >/stacks/m/routes/2/state/routes/0 Card{id="c"} ~Card:"c""#,
      ]
    )
  }

  @Test("a deep nesting is no fault")
  func deep() throws {
    let depth = 100
    let state =
      #"{"stacks":{"m":"# + String(repeating: #"{"routes":[{"name":"A","state":"#, count: depth) + "1"
      + String(repeating: "}]}", count: depth) + "}}"
    let outline = StateOutline(try SceneState(validating: Array(state.utf8)))
    #expect(outline.branches[0].routes.map(\.depth) == Array(0..<depth))
  }

  @Test("every stale route that a restoring reports is in the outline, with the reference that is missing")
  func agrees() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("states from seed \(seed)")
    var corpus = StateCorpus(seed: seed)
    for _ in 0..<300 {
      let (text, entities) = (corpus.state(), corpus.entities())
      let state = try SceneState(validating: Array(text.utf8))
      let routes = StateOutline(state).branches.flatMap(\.routes)
      #expect(Set(routes.map(\.path)).count == routes.count)
      for part in try restore(text, entities, .keep).dropped {
        let route = try #require(routes.first { $0.path == part.path }, "\(part.path) of \(text)")
        #expect(route.caseName == part.route)
        let isThere = route.references.contains { reference in
          let elements = Array(state.document.elements(reference.value))
          let ids = elements.isEmpty ? [reference.value] : elements
          return reference.kind.lowercased() == part.kind?.lowercased()
            && ids.contains { state.document.string($0) == part.id }
        }
        #expect(isThere, "\(part) of \(text)")
      }
    }
  }
}
