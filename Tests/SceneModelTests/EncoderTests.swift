import Foundation
import SceneModel
import Testing

/// Routes as Swift's synthesized `Codable` writes them, in every shape that an app's enum may have.
private indirect enum AppRoute: Codable, Hashable {
  struct Filter: Codable, Hashable {
    var boardID: String?
    var words: [String]
  }

  case home
  case board(id: String)
  case card(boardID: String, cardID: Int)
  case cards(cardIDs: [Int])
  case search(String)
  case pair(String, Int)
  case filter(Filter)
  case profile(userID: UUID?)
  case due(Date, cardID: Int)
  case checkout(AppRoute, then: [AppRoute])
}

private enum TextTab: String, Codable, Hashable { case boards, inbox }
private enum NumberTab: Int, Codable, Hashable { case boards, inbox }
private enum PlainTab: Codable, Hashable { case boards, inbox }

/// What an app saves, whatever its tabs are.
private struct AppState<Tab: Codable & Hashable>: Codable, Equatable {
  var selectedTab: Tab?
  var stacks: [Tab: [AppRoute]]
  var modals: [String: AppRoute]?
}

private let user = UUID()
private let entities = ["board": ["b1"], "card": ["7"], "user": [user.uuidString]]
private let table = #"""
  {"routes":{"home":{},"board":{},"card":{},"cards":{},"search":{"entities":{}},"pair":{},
    "filter":{"entities":{"_0.boardID":"board"}},"profile":{},"due":{},"checkout":{"routes":["_0","then"]}},
   "unknownRoutes":"drop"}
  """#

/// Saves with the encoder, restores, and decodes what came back with the decoder of the same types.
private func roundTrip<State: Codable>(_ state: State, table: String? = nil) throws -> (State, Restoration) {
  let bytes = Array(try JSONEncoder().encode(state))
  let result = try restore(String(decoding: bytes, as: UTF8.self), entities, table: table)
  return (try JSONDecoder().decode(State.self, from: Data(result.state)), result)
}

@Suite("States as Swift's encoders write them")
struct SwiftEncoderTests {
  private let whole: [AppRoute] = [
    .home, .board(id: "b1"), .card(boardID: "b1", cardID: 7), .cards(cardIDs: [7, 7]), .cards(cardIDs: []),
    .search("b9"), .pair("a", 1), .filter(.init(boardID: "b1", words: ["x"])), .filter(.init(words: [])),
    .profile(userID: user), .profile(userID: nil),
    .due(Date(timeIntervalSinceReferenceDate: 721_692_800.1229999), cardID: 7),
    .checkout(.card(boardID: "b1", cardID: 7), then: [.home, .board(id: "b1")]),
  ]
  private let stale: [AppRoute] = [
    .board(id: "gone"), .card(boardID: "b1", cardID: 8), .card(boardID: "gone", cardID: 7), .cards(cardIDs: [7, 8]),
    .filter(.init(boardID: "gone", words: [])), .profile(userID: UUID()),
    .due(Date(timeIntervalSinceReferenceDate: 0.1), cardID: 8), .checkout(.board(id: "gone"), then: []),
    .checkout(.home, then: [.home, .checkout(.home, then: [.card(boardID: "gone", cardID: 7)])]),
  ]

  @Test("what resolves comes back byte for byte, with a table and without")
  func resolves() throws {
    for table in [nil, table] {
      let state = AppState<TextTab>(stacks: [.boards: whole])
      let (back, result) = try roundTrip(state, table: table)
      #expect(back == state)
      #expect(result.dropped.isEmpty)
    }
  }

  @Test("what is gone goes, and the decoder reads the rest")
  func drops() throws {
    var mixed: [AppRoute] = []
    for (place, route) in whole.enumerated() {
      mixed.append(route)
      if place < stale.count { mixed.append(stale[place]) }
    }
    let (back, result) = try roundTrip(AppState<TextTab>(stacks: [.inbox: mixed]), table: table)
    #expect(back.stacks[.inbox] == whole)
    #expect(result.dropped.count == stale.count)
    #expect(result.dropped.allSatisfy { $0.reason == .entityMissing })
  }

  @Test("tabs that are string, integer or plain enums keep their form, renamed and unlisted ones too")
  func tabs() throws {
    let names = #"{"tabs":["inbox","1"],"renamedTabs":{"boards":"inbox","0":"1"}}"#
    let (text, _) = try roundTrip(AppState<TextTab>(selectedTab: .boards, stacks: [.boards: [.home]]), table: names)
    #expect(text == AppState(selectedTab: .inbox, stacks: [.inbox: [.home]]))
    let (number, _) = try roundTrip(AppState<NumberTab>(selectedTab: .boards, stacks: [.boards: [.home]]), table: names)
    #expect(number == AppState(selectedTab: .inbox, stacks: [.inbox: [.home]]))
    let (plain, _) = try roundTrip(AppState<PlainTab>(selectedTab: .boards, stacks: [.boards: [.home]]), table: names)
    #expect(plain == AppState(selectedTab: .inbox, stacks: [.inbox: [.home]]))

    let both = AppState<PlainTab>(
      selectedTab: .boards,
      stacks: [.boards: [.card(boardID: "b1", cardID: 7), .board(id: "gone")], .inbox: [.home]],
      modals: ["sheet": .board(id: "gone")]
    )
    let (kept, result) = try roundTrip(both, table: table)
    #expect(kept.stacks == [.boards: [.card(boardID: "b1", cardID: 7)], .inbox: [.home]])
    #expect(kept.selectedTab == .boards && kept.modals == [:])
    #expect(result.dropped.count == 2)
    let (listed, _) = try roundTrip(both, table: #"{"tabs":["inbox"]}"#)
    #expect(listed.stacks == [.inbox: [.home]] && listed.selectedTab == .inbox)
  }

  @Test("the same state in another order of pairs is the same, and each order restores")
  func order() throws {
    let pairs = [#"{"boards":{}},[{"home":{}}]"#, #"{"inbox":{}},[]"#]
    let states = try [pairs, pairs.reversed()].map {
      try SceneState(validating: Array(#"{"stacks":[\#($0.joined(separator: ","))]}"#.utf8))
    }
    #expect(states[0].isSameValue(as: states[1]))
    #expect(states[0].valueHash == states[1].valueHash)
  }
}

// MARK: - Navigation paths

// Not private: of such a type the optimiser knows another name than the runtime.
/// A value that a path holds.
protocol Destination: Codable, Hashable {}
struct BoardRoute: Destination { var id: String }
struct CardRoute: Destination {
  var boardID: String
  var cardID: Int
  var opened: Date?
}
enum Note: Destination { case text(String), board(boardID: String) }

/// A type-erased path that encodes itself as SwiftUI's `NavigationPath.CodableRepresentation` does: pairs of a type's
/// name and the value's JSON, the value pushed last first.
private struct ErasedPath: Codable, Equatable {
  var values: [any Destination]

  static var types: [any Destination.Type] { [BoardRoute.self, CardRoute.self, Note.self] }

  init(_ values: [any Destination]) { self.values = values }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    values = []
    while !container.isAtEnd {
      let name = try container.decode(String.self)
      let json = try container.decode(String.self)
      guard let type = Self.types.first(where: { _typeName($0) == name }) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no type \(name)")
      }
      values.insert(try JSONDecoder().decode(type, from: Data(json.utf8)), at: 0)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for value in values.reversed() {
      try container.encode(_typeName(type(of: value)))
      try container.encode(String(decoding: JSONEncoder().encode(value), as: UTF8.self))
    }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.values.map { erased($0) } == right.values.map { erased($0) }
  }

  private static func erased(_ value: some Hashable) -> AnyHashable { AnyHashable(value) }
}

private struct PathState: Codable { var stacks: [String: ErasedPath] }

@Suite("States as a navigation path writes them")
struct PathEncoderTests {
  private let card = CardRoute(boardID: "b1", cardID: 7, opened: Date(timeIntervalSinceReferenceDate: 1.5))
  private let board = BoardRoute(id: "b1")

  private func table(_ more: String = "") -> String {
    let (board, note) = (_typeName(BoardRoute.self), _typeName(Note.self))
    return #"""
      {"stackEncoding":"navigationPath","routes":{"\#(board)":{"entities":{"id":"board"}},
       "\#(_typeName(CardRoute.self))":{},"\#(note)":{"entities":{"board.boardID":"board"}}}\#(more)}
      """#
  }

  private func path(_ values: [any Destination], _ table: String) throws -> (ErasedPath?, Restoration) {
    let (state, result) = try roundTrip(PathState(stacks: ["main": ErasedPath(values)]), table: table)
    return (state.stacks["main"], result)
  }

  @Test("a path comes back as it was, or without what is gone, from the root up")
  func paths() throws {
    let whole: [any Destination] = [board, card, Note.text("\"é\""), Note.board(boardID: "b1")]
    let (back, result) = try path(whole, table())
    #expect(back == ErasedPath(whole))
    #expect(result.dropped.isEmpty && result.renamed == 0 && result.unknown == 0)
    let gone: [any Destination] = [
      board, CardRoute(boardID: "b1", cardID: 8), card, Note.board(boardID: "gone"), BoardRoute(id: "gone"),
    ]
    #expect(try path(gone, table()).0 == ErasedPath([board, card]))
    #expect(try path(gone, table()).1.paths == ["/stacks/main/6", "/stacks/main/2", "/stacks/main/0"])
    #expect(try path(gone, table(#","stale":"truncate""#)).0 == ErasedPath([board]))
    #expect(try path(gone, table(#","stale":"keep""#)).0 == ErasedPath(gone))
  }

  @Test("a type that was renamed decodes as the new one")
  func renamed() throws {
    let state = #"{"stacks":{"main":["Old.Board","{\"id\":\"b1\"}"]}}"#
    let result = try restore(
      state,
      entities,
      table: table(#","renamed":{"Old.Board":"\#(_typeName(BoardRoute.self))"}"#)
    )
    let back = try JSONDecoder().decode(PathState.self, from: Data(result.state))
    #expect(back.stacks["main"] == ErasedPath([board]))
  }
}
