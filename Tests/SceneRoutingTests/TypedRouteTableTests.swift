import RestoreClient
import SceneModel
import SceneRouting
import Testing

@Suite("Route tables made from types") struct TypedRouteTableTests {
  @Test("cases, references, inner routes, tabs and renames are learnt from the types")
  func table() throws {
    let table = Boards.routeTable
    #expect(Boards.routeTableFaults.isEmpty)
    #expect(table.tabs == ["boards", "inbox", "settings"])
    #expect(
      table.routes == [
        "board": RouteTable.Case(entities: ["id": "board"]),
        "card": RouteTable.Case(entities: ["boardID": "board", "cardID": "card"]),
        "list": RouteTable.Case(entities: [:]),
        "settings": RouteTable.Case(entities: [:]),
        "checkout": RouteTable.Case(entities: [:], routes: ["_0"]),
      ]
    )
    #expect(table.renamed == ["project": "board"])
    #expect(table.renamedTabs == ["home": "boards"])
    #expect(throws: Never.self) { try SceneModel.RouteTable(validating: table.json) }
  }

  enum Odd: Navigation {
    struct Place: Hashable, Codable, Sendable {
      var board: String
      var cards: [Int]
    }
    enum Route: SceneRoute {
      case at(Place)
      case pair(from: String, to: String)
      case twins(a: String, b: String)
      case silent(id: String)
      var references: References {
        switch self {
        case .at(let place): ["board": place.board, "card": place.cards[0]]
        case .pair(let from, let to): ["card": from, "card": to]
        case .twins(let a, _): ["card": a]
        case .silent: ["card": "elsewhere"]
        }
      }
      static var examples: [Route] {
        [.at(Place(board: "b", cards: [5])), .pair(from: "x", to: "y"), .twins(a: "t", b: "t"), .silent(id: "s")]
      }
    }
    static let renamed = ["old": "new", "pair": "at", "round": "and", "and": "round"]
  }

  @Test("references in nested objects and lists have dotted paths, and a kind may stand twice")
  func nested() {
    #expect(Odd.routeTable.routes?["at"] == RouteTable.Case(entities: ["_0.board": "board", "_0.cards": "card"]))
    #expect(Odd.routeTable.routes?["pair"] == RouteTable.Case(entities: ["from": "card", "to": "card"]))
  }

  @Test("what the examples do not say well is left to the names, and said in a sentence; the rest is a valid table")
  func faults() throws {
    let table = Odd.routeTable
    #expect(table.routes?["twins"] == nil && table.routes?["silent"] == nil)
    #expect(table.renamed == ["old": "new"])
    #expect(table.routes?["new"] == RouteTable.Case(), "a rename ends at a case that is listed")
    #expect(throws: Never.self) { try SceneModel.RouteTable(validating: table.json) }
    let faults = Odd.routeTableFaults
    #expect(faults.count == 5)
    #expect(faults.contains { $0.contains("twins") && $0.contains("a and b") })
    #expect(faults.contains { $0.contains("silent") && $0.contains("none of its parameters") })
    #expect(faults.contains { $0.contains("pair is renamed") })
    #expect(faults.count { $0.contains("circle") } >= 1)
  }

  @Test("an app that says nothing has a table that says nothing")
  func nothing() {
    enum Plain: Navigation {
      enum Route: SceneRoute { case note(id: Int) }
      enum Tab: String, SceneTab { case one }
    }
    #expect(Plain.routeTable == RouteTable())
  }
}
