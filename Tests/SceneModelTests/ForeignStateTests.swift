import Foundation
import SceneModel
import Testing

private let entities = ["board": ["b1"], "card": ["7"], "user": ["u1"]]

/// Restores a state and decodes what came back.
private func decoded<State: Decodable>(
  _ type: State.Type,
  _ state: String,
  table: String? = nil,
  _ policy: StalePolicy? = nil
) throws -> (State, Restoration) {
  let result = try restore(state, entities, policy, table: table)
  return (try JSONDecoder().decode(State.self, from: Data(result.state)), result)
}

// MARK: - React Navigation

/// A navigator's state, live or partial, with what React Navigation documents of it.
private struct NavigatorState: Decodable {
  struct Route: Decodable {
    var key: String?
    var name: String
    var params: [String: Parameter]?
    var path: String?
    var state: NavigatorState?
  }
  enum Parameter: Decodable, Equatable {
    case text(String), number(Double), other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .other
      }
    }
  }
  var type: String?
  var key: String?
  var routeNames: [String]?
  var routes: [Route]
  var index: Int?
  var stale: Bool?
  var preloadedRoutes: [Route]?
}

private struct ReactState: Decodable { var stacks: [String: NavigatorState] }

@Suite("States as React Navigation writes them")
struct ReactNavigationTests {
  private let live = #"""
    {"stacks":{"main":{
      "stale":false,"type":"stack","key":"stack-1","routeNames":["Tabs","Card","Profile","Checkout"],"index":2,
      "preloadedRoutes":[{"key":"Card-9","name":"Card","params":{"cardID":"gone"}}],
      "routes":[
        {"key":"Tabs-1","name":"Tabs","state":{
          "stale":false,"type":"tab","key":"tab-1","index":1,"history":[{"type":"route","key":"Inbox-1"}],
          "routeNames":["Boards","Board","Inbox"],"routes":[
            {"key":"Board-1","name":"Board","params":{"id":"gone"}},
            {"key":"Inbox-1","name":"Inbox"},
            {"key":"Board-2","name":"Board","params":{"id":"b1"}}]}},
        {"key":"Card-1","name":"Card","params":{"cardID":7,"screen":"Card"}},
        {"key":"Card-2","name":"Card","params":{"cardID":"gone"}},
        {"key":"Profile-1","name":"Profile","params":{"userID":"u1"},"path":"/profile"}]}}}
    """#
  private let table = #"""
    {"routes":{"Tabs":{},"Boards":{},"Board":{},"Inbox":{},"Card":{"entities":{"cardID":"card"}},"Account":{}},
     "renamed":{"Profile":"Account"},"unknownRoutes":"drop"}
    """#

  @Test("a live state keeps all but its stale routes, at every depth, and selects what it did")
  func drops() throws {
    for table in [nil, table] {
      let (state, result) = try decoded(ReactState.self, live, table: table)
      let main = try #require(state.stacks["main"])
      #expect(main.routes.map(\.key) == ["Tabs-1", "Card-1", "Profile-1"])
      #expect(main.index == 1, "the nearest one left before the dropped one")
      #expect(main.routes[0].state?.routes.map(\.key) == ["Inbox-1", "Board-2"])
      #expect(main.routes[0].state?.index == 0)
      #expect(main.preloadedRoutes?.count == 1, "only routes loses elements")
      #expect(main.routes[2].name == (table == nil ? "Profile" : "Account"))
      #expect(main.routes[2].path == "/profile" && main.routeNames?.count == 4)
      #expect(result.paths == ["/stacks/main/routes/0/state/routes/0", "/stacks/main/routes/2"])
    }
  }

  @Test("truncate takes what is above on a stack, and spares what stands beside in tabs")
  func truncates() throws {
    let (state, _) = try decoded(ReactState.self, live, table: table, .truncate)
    let main = try #require(state.stacks["main"])
    #expect(main.routes.map(\.key) == ["Tabs-1", "Card-1"])
    #expect(main.routes[0].state?.routes.map(\.key) == ["Inbox-1", "Board-2"])
  }

  @Test("a partial state, as a link config makes it, is read alike")
  func partial() throws {
    let partial = #"""
      {"stacks":{"main":{"routes":[{"name":"Tabs","state":{"routes":[{"name":"Board","params":{"id":"b1"}},
        {"name":"Settings","state":{"routes":[{"name":"Card","params":{"cardID":"gone"}}]}}]}}]}}}
      """#
    let (state, result) = try decoded(ReactState.self, partial, table: table)
    let tabs = try #require(state.stacks["main"]?.routes.first?.state)
    #expect(tabs.routes.map(\.name) == ["Board"])
    #expect(tabs.index == nil)
    #expect(result.dropped.map(\.reason) == [.unknownRoute], "what stands inside is not reported")
  }
}

// MARK: - kotlinx.serialization

/// A sealed class as kotlinx.serialization writes it: the serial name in `type`.
private enum KotlinRoute: Decodable, Equatable {
  case home
  case card(boardID: String, cardID: Int)
  case profile(name: String)

  private enum Key: CodingKey { case type, boardId, cardId, name }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .type) {
    case "com.example.Home": self = .home
    case "com.example.nav.Card":
      self = .card(
        boardID: try container.decode(String.self, forKey: .boardId),
        cardID: try container.decode(Int.self, forKey: .cardId)
      )
    case "com.example.Profile": self = .profile(name: try container.decode(String.self, forKey: .name))
    case let type:
      throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "no class \(type)")
    }
  }
}

// MARK: - serde

/// An enum as serde writes it, externally tagged: unit, newtype, tuple and struct variants.
private enum SerdeRoute: Decodable, Equatable {
  case home
  case search(String)
  case span(String, Int)
  case card(boardID: String, cardID: Int)

  private enum Key: String, CodingKey { case Search, Span, Card }
  private enum CardKey: String, CodingKey { case board = "board_id", card = "card_id" }

  init(from decoder: any Decoder) throws {
    if let unit = try? decoder.singleValueContainer().decode(String.self) {
      guard unit == "Home" else {
        throw DecodingError.typeMismatch(Self.self, .init(codingPath: [], debugDescription: unit))
      }
      self = .home
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .Search) {
      self = .search(text)
    } else if container.contains(.Span) {
      var tuple = try container.nestedUnkeyedContainer(forKey: .Span)
      self = .span(try tuple.decode(String.self), try tuple.decode(Int.self))
    } else {
      let card = try container.nestedContainer(keyedBy: CardKey.self, forKey: .Card)
      self = .card(
        boardID: try card.decode(String.self, forKey: .board),
        cardID: try card.decode(Int.self, forKey: .card)
      )
    }
  }
}

private struct FlatState<Route: Decodable>: Decodable { var stacks: [String: [Route]] }

@Suite("States as kotlinx.serialization and serde write them")
struct TaggedStateTests {
  @Test("kotlinx's polymorphic routes are read by their class, renamed and dropped")
  func kotlinx() throws {
    let state = #"""
      {"stacks":{"main":[{"type":"com.example.Home"},{"type":"com.example.Card","boardId":"b1","cardId":7},
        {"type":"com.example.Card","boardId":"b1","cardId":8},{"name":"Anna","type":"com.example.Profile"},
        {"type":"com.example.Beta","x":1}]}}
      """#
    let table = #"""
      {"routes":{"com.example.Home":{},"com.example.nav.Card":{},"com.example.Profile":{}},
       "renamed":{"com.example.Card":"com.example.nav.Card"},"unknownRoutes":"drop"}
      """#
    let (back, result) = try decoded(FlatState<KotlinRoute>.self, state, table: table)
    #expect(back.stacks["main"] == [.home, .card(boardID: "b1", cardID: 7), .profile(name: "Anna")])
    #expect(result.dropped.map(\.reason) == [.entityMissing, .unknownRoute])
    #expect(result.dropped.map(\.route) == ["com.example.nav.Card", "com.example.Beta"])
  }

  @Test("serde's variants are read in all four forms")
  func serde() throws {
    let state = #"""
      {"stacks":{"main":["Home",{"Search":"x"},{"Span":["u1",7]},{"Span":["gone",7]},{"Old":{"board_id":"b1","card_id":7}},
        {"Card":{"board_id":"b1","card_id":8}},"Gone"]}}
      """#
    let table = #"""
      {"routes":{"Home":{},"Search":{},"Span":{"entities":{"_0":"user"}},"Card":{}},"renamed":{"Old":"Card"},
       "unknownRoutes":"drop"}
      """#
    let (back, result) = try decoded(FlatState<SerdeRoute>.self, state, table: table)
    #expect(back.stacks["main"] == [.home, .search("x"), .span("u1", 7), .card(boardID: "b1", cardID: 7)])
    #expect(result.dropped.map(\.id) == ["gone", "8", nil])
  }
}
