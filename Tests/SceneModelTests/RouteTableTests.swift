import SceneModel
import Testing

/// The faults of a table; none where it is right.
func faults(_ table: String) -> [RouteTableFault] {
  do throws(RouteTableFaults) {
    _ = try RouteTable(validating: Array(table.utf8))
    return []
  } catch {
    return error.all
  }
}

private let full = #"""
  {
    "tabs": ["boards", "inbox", 3, {"settings":{}}],
    "routes": {
      "board": {"entities": {"id": "board"}},
      "card": {"entities": {"boardID": "board", "ref.cardID": "card"}},
      "list": {"entities": {}},
      "checkout": {"routes": ["_0", "next"]},
      "search": {}
    },
    "renamed": {"project": "place", "place": "board"},
    "renamedTabs": {"home": "boards"},
    "unknownRoutes": "keep",
    "stale": "truncate",
    "stackEncoding": "routes",
    "links": [
      {"link": "myapp://board/{id:int}",
       "state": {"selectedTab": "boards", "stacks": {"boards": [{"board": {"id": "{id:int}"}}]}}},
      {"link": "https://example.org/new?board={b}", "state": {"modals": {"sheet": {"newCard": {"boardID": "{b}"}}}}}
    ],
    "history": 1000,
    "maximumAgeSeconds": 2592000
  }
  """#

@Suite struct RouteTableTests {
  @Test("a full table is read as it is written")
  func reads() throws {
    let table = try RouteTable(validating: Array(full.utf8))
    #expect(table.history == 1000)
    #expect(table.maximumAgeSeconds == 2_592_000)
    #expect(table.rules.stale == .truncate)
    #expect(table.counts.cases == 5 && table.counts.tabs == 4 && table.counts.renamed == 3 && table.counts.links == 2)
    #expect(table.bytes == Array(full.utf8))
  }

  @Test("an empty table is one, and a member that is null counts as left out")
  func empty() throws {
    #expect(faults("{}").isEmpty)
    #expect(faults(#"{"tabs":null,"routes":null,"links":null,"history":null,"stale":null}"#).isEmpty)
    #expect(faults(#"{"routes":{"a":{"entities":null,"routes":null}}}"#).isEmpty)
  }

  @Test(
    "each fault has its place and says what to write",
    arguments: [
      ("[]", "", "a route table is an object, not an array"),
      (#"{"route":{}}"#, "/route", "unknown member route: did you mean routes?"),
      (#"{"a/b":1}"#, "/a~1b", "unknown member a/b: a route table has tabs, routes"),
      (#"{"tabs":{}}"#, "/tabs", "tabs is an array of tab ids"),
      (#"{"tabs":["a",true]}"#, "/tabs/1", "a tab id is a string, an integer or a case without payload"),
      (#"{"tabs":[1.0]}"#, "/tabs/0", "a tab id is a string, an integer or a case without payload"),
      (#"{"tabs":[""]}"#, "/tabs/0", "a tab id must not be empty"),
      (#"{"tabs":[7,"7"]}"#, "/tabs/1", "the tab 7 is listed before"),
      (#"{"routes":[]}"#, "/routes", "routes is an object of case names"),
      (#"{"routes":{"":{}}}"#, "/routes/", "a case name must not be empty"),
      (#"{"routes":{"a\u0085":{}}}"#, "/routes/a\u{85}", "a case name must not hold a control character"),
      (#"{"routes":{"a":1}}"#, "/routes/a", "what is said of a case is an object, {}"),
      (#"{"routes":{"a":{"entites":{}}}}"#, "/routes/a/entites", "unknown member entites: did you mean entities?"),
      (#"{"routes":{"a":{"entities":["x"]}}}"#, "/routes/a/entities", "entities is an object from parameter to kind"),
      (#"{"routes":{"a":{"entities":{"x":1}}}}"#, "/routes/a/entities/x", "a kind is a string, not a number"),
      (#"{"routes":{"a":{"entities":{"x":""}}}}"#, "/routes/a/entities/x", "a kind must not be empty"),
      (#"{"routes":{"a":{"entities":{"x..y":"k"}}}}"#, "/routes/a/entities/x..y", "a parameter is a name, or names"),
      (#"{"routes":{"a":{"entities":{"":"k"}}}}"#, "/routes/a/entities/", "a parameter is a name, or names"),
      (#"{"routes":{"a":{"routes":"_0"}}}"#, "/routes/a/routes", "routes of a case is an array of parameters"),
      (#"{"routes":{"a":{"routes":[0]}}}"#, "/routes/a/routes/0", "a parameter is a string, like \"_0\""),
      (#"{"renamed":[]}"#, "/renamed", "renamed is an object from old to new case name"),
      (#"{"renamed":{"a":{}}}"#, "/renamed/a", "the new name is a case name, a string, not an object"),
      (#"{"renamed":{"a":""}}"#, "/renamed/a", "a case name must not be empty"),
      (#"{"renamed":{"a":"b","b":"c","c":"a"}}"#, "/renamed/a", "renamed in a circle, a to b to c to a"),
      (#"{"renamed":{"a":"a"}}"#, "/renamed/a", "renamed in a circle, a to a"),
      (#"{"renamed":{"x":"a","a":"b","b":"a"}}"#, "/renamed/x", "renamed in a circle, a to b to a"),
      (#"{"routes":{"card":{}},"renamed":{"a":"crad"}}"#, "/renamed/a", "did you mean card?"),
      (
        #"{"renamed":{"a":"b","b":"z"},"routes":{"b":{},"z":{}}}"#, "/renamed/b",
        "b is an old name and listed in routes"
      ),
      (#"{"renamed":{"a":"b","b":"z"},"routes":{"q":{}}}"#, "/renamed/a", "a ends as z, which routes does not list"),
      (#"{"renamedTabs":{"a":"b"},"tabs":[]}"#, "/renamedTabs/a", "a ends as b, which tabs does not list"),
      (#"{"renamedTabs":{"a":"b"},"tabs":["a","b"]}"#, "/renamedTabs/a", "a is an old name and listed in tabs too"),
      (#"{"unknownRoutes":"drop"}"#, "/unknownRoutes", "without routes every case would be unknown"),
      (#"{"unknownRoutes":"truncate","routes":{}}"#, "/unknownRoutes", "unknownRoutes is \"keep\" or \"drop\""),
      (#"{"stale":"dropp"}"#, "/stale", "did you mean drop?"),
      (#"{"stale":3}"#, "/stale", "stale is \"drop\" or \"truncate\" or \"keep\", not a number"),
      (#"{"stackEncoding":"navigationpath"}"#, "/stackEncoding", "did you mean navigationPath?"),
      (#"{"history":0}"#, "/history", "history is an integer from 1 to 1000"),
      (#"{"history":1001}"#, "/history", "history is an integer from 1 to 1000"),
      (#"{"history":10.0}"#, "/history", "history is an integer"),
      (#"{"history":"10"}"#, "/history", "history is an integer"),
      (#"{"maximumAgeSeconds":-1}"#, "/maximumAgeSeconds", "leave it out for no limit"),
      (#"{"maximumAgeSeconds":99999999999999999999}"#, "/maximumAgeSeconds", "leave it out for no limit"),
      (#"{"a":1,"\u0061":2}"#, "/a", "key"),
      (#"{"tabs":["\ud800"]}"#, "/tabs/0", "surrogate"),
    ]
  )
  func refused(table: String, path: String, reason: String) throws {
    let fault = try #require(faults(table).first)
    #expect(fault.path == path)
    #expect(fault.reason.contains(reason), "\(fault.reason)")
    #expect(fault.limit == nil)
  }

  @Test("all faults are found in one go, in the order of the bytes")
  func all() {
    let table = #"""
      {"renamed":{"old":"gone"},"tab":[],"routes":{"a":{"entities":{"x":1,"y":2}},"b":3},
       "links":[{"link":"x","state":{"stack":{}}},{"link":"m://{a}","state":{"values":{"q":"{z}"}}}],"history":0}
      """#
    #expect(
      faults(table).map(\.path) == [
        "/renamed/old", "/tab", "/routes/a/entities/x", "/routes/a/entities/y", "/routes/b", "/links/0/link",
        "/links/1/link", "/history",
      ]
    )
    #expect(faults(table).map(\.offset) == faults(table).map(\.offset).sorted())
  }

  @Test("a name that is too long is beyond a limit, and so is a table that is too large")
  func limits() throws {
    let long = String(repeating: "é", count: 128)
    for (table, name) in [
      (#"{"routes":{"\#(long)":{}}}"#, "case name"), (#"{"tabs":["\#(long)"]}"#, "tab id"),
      (#"{"routes":{"a":{"entities":{"x":"\#(long)"}}}}"#, "kind"), (#"{"renamed":{"a":"\#(long)"}}"#, "case name"),
    ] {
      let limit = try #require(faults(table).first?.limit)
      #expect(limit.name == name && limit.maximum == 255 && limit.actual == 256)
    }
    let room = RouteTable.maximumBytes - 12
    let whole = #"{"tabs":null"# + String(repeating: " ", count: room - 1) + "}"
    #expect(faults(whole).isEmpty)
    #expect(faults(whole + " ").first?.limit?.name == "route table")
  }

  @Test("tables with the same members in another order are the same value, with tabs in another order not")
  func equal() throws {
    func table(_ text: String) throws -> RouteTable { try RouteTable(validating: Array(text.utf8)) }
    let a = try table(#"{"tabs":["a","b"],"history":3}"#)
    #expect(a.isSameValue(as: try table(#"{ "history" : 3, "\u0074abs":["a","b"]}"#)))
    #expect(!a.isSameValue(as: try table(#"{"tabs":["b","a"],"history":3}"#)))
  }

  @Test("a table of many faults, or one long chain of renames, costs no more than its size")
  func large() {
    let chain = (0..<12_000).map { #""n\#($0)":"n\#($0 + 1)""# }.joined(separator: ",")
    #expect(faults(#"{"renamed":{\#(chain)}}"#).isEmpty)
    #expect(faults(#"{"renamed":{\#(chain)},"routes":{"q":{}}}"#).count == 12_000)
    let unknown = (0..<20_000).map { #""m\#($0)":1"# }.joined(separator: ",")
    #expect(faults("{\(unknown)}").count == 20_000)
    let gaps = (0..<12_000).map { #""{g\#($0)}""# }.joined(separator: ",")
    #expect(faults(#"{"links":[{"link":"a:b","state":{"values":{"v":[\#(gaps)]}}}]}"#).count == 100)
  }
}
