import SceneModel
import Testing

private let entities = ["card": ["7"], "board": ["b1"], "cardroute": ["7"]]
private let plain = #"{"stackEncoding":"navigationPath"}"#

private func text(_ json: String) -> String {
  "\"" + json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

@Suite("Stacks that are navigation paths")
struct NavigationPathTests {
  private let card = #""App.CardRoute","# + text(#"{"cardID":7}"#)
  private let gone = #""App.CardRoute","# + text(#"{"cardID":"gone"}"#)
  private let board = #""App.BoardRoute","# + text(#"{"boardID":"b1"}"#)

  @Test("pairs are kept and dropped whole, from the root, which is the last pair, up")
  func pairs() throws {
    let state = #"{"stacks":{"m":[\#(card), \#(gone),\#(board)],"n":[]}}"#
    let missing = Dropped(path: "/stacks/m/2", reason: .entityMissing, route: "App.CardRoute", kind: "card", id: "gone")
    let drop = try restore(state, entities, table: plain)
    #expect(drop.text == #"{"stacks":{"m":[\#(card),\#(board)],"n":[]}}"#)
    #expect(drop.dropped == [missing])
    let truncate = try restore(state, entities, .truncate, table: plain)
    #expect(truncate.text == #"{"stacks":{"m":[\#(board)],"n":[]}}"#)
    #expect(
      truncate.dropped == [missing, Dropped(path: "/stacks/m/0", reason: .aboveDropped, route: "App.CardRoute")]
    )
    let keep = try restore(state, entities, .keep, table: plain)
    #expect(keep.text == state)
    #expect(keep.dropped == [missing])
    #expect(try restore(#"{"stacks":{"m":[\#(gone)]}}"#, entities, table: plain).emptied == ["m"])
    #expect(try restore(state, entities).dropped.isEmpty, "without a table these are strings")
  }

  @Test("the text's value is parsed for the parameters; one that is no object is _0")
  func parameters() throws {
    func ids(_ json: String, _ table: String = plain) throws -> [String?] {
      try restore(#"{"stacks":{"m":["App.CardRoute",\#(text(json))]}}"#, entities, table: table).dropped.map(\.id)
    }
    #expect(try ids("7") == [])
    #expect(try ids("8") == ["8"])
    #expect(try ids(#" "a\nb" "#) == ["a\nb"])
    #expect(try ids("[7,9]") == ["9"])
    #expect(try ids("null") == [])
    #expect(try ids(#"{"id":"no"}"#) == ["no"])
    #expect(
      try ids(#"{"id":"no"}"#, #"{"stackEncoding":"navigationPath","routes":{"App.CardRoute":{"entities":{}}}}"#) == []
    )
    let nested = #"{"stackEncoding":"navigationPath","routes":{"App.CardRoute":{"entities":{"card.cardID":"card"}}}}"#
    #expect(try ids(#"{"card":{"cardID":"no"}}"#, nested) == ["no"])
  }

  @Test("what is no pair of a name and strict JSON is malformed, with or without a list of cases")
  func malformed() throws {
    for json in ["", "{", "{} {}", "{'a':1}", #"{"a":1,"a":2}"#, "NaN"] {
      let result = try restore(#"{"stacks":{"m":["App.X",\#(text(json)),\#(board)]}}"#, entities, table: plain)
      #expect(result.text == #"{"stacks":{"m":[\#(board)]}}"#)
      #expect(result.dropped == [Dropped(path: "/stacks/m/0", reason: .malformedRoute, route: "App.X")])
    }
    #expect(try restore(#"{"stacks":{"m":["","{}"]}}"#, table: plain).dropped.map(\.reason) == [.malformedRoute])
    for stack in [#"["a","{}","b"]"#, #"["a",{}]"#, #"[{"card":1}]"#, #"["a",1]"#] {
      let result = try restore(#"{"stacks":{"m":\#(stack)}}"#, entities, table: plain)
      #expect(result.text == #"{"stacks":{"m":[]}}"#)
      #expect(result.dropped == [Dropped(path: "/stacks/m", reason: .malformedRoute)])
      #expect(result.emptied == ["m"])
      #expect(try restore(#"{"stacks":{"m":\#(stack)}}"#, entities, .keep, table: plain).text.contains(stack))
    }
  }

  @Test("types are renamed and unknown ones dropped; so are routes inside the text")
  func renamed() throws {
    let table =
      #"{"stackEncoding":"navigationPath","routes":{"App.B":{},"App.In":{"routes":["next"]},"card":{}},"#
      + #""renamed":{"App.A":"App.B","old":"card"},"unknownRoutes":"drop"}"#
    let state =
      #"{"stacks":{"m":["App.A","{}","App.Z","1","App.In",\#(text(#"{"next":{"old":{"t":"\"é"}}}"#)),"App.\u0042","{ }"]}}"#
    let result = try restore(state, entities, table: table)
    #expect(
      result.text
        == #"{"stacks":{"m":["App.B","{}","App.In",\#(text(#"{"next":{"card":{"t":"\"é"}}}"#)),"App.\u0042","{ }"]}}"#
    )
    #expect(result.dropped == [Dropped(path: "/stacks/m/2", reason: .unknownRoute, route: "App.Z")])
    #expect(result.renamed == 2 && result.unknown == 1)
    #expect(try restore(result.text, entities, table: table).text == result.text)
  }

  @Test("only stacks are paths: sidebar and modals stay routes, and so does an ordered list")
  func others() throws {
    let state =
      #"{"stacks":{"m":{"routes":[{"card":"no"}]}},"sidebarSelection":{"card":"no"},"modals":{"sheet":[{"card":7},{"card":"no"}]}}"#
    let result = try restore(state, entities, table: plain)
    #expect(result.text == #"{"stacks":{"m":{"routes":[]}},"sidebarSelection":null,"modals":{"sheet":[{"card":7}]}}"#)
  }
}
