import FoundationEssentials
import SceneRouting

/// A small app, as the tests know it.
enum Boards: Navigation {
  enum Tab: String, SceneTab, CaseIterable { case boards, inbox, settings }

  enum Route: SceneRoute {
    case board(id: String)
    case card(boardID: String, cardID: Int)
    case list(String)
    case settings
    indirect case checkout(Route)

    var references: References {
      switch self {
      case .board(let id): ["board": id]
      case .card(let board, let card): ["board": board, "card": card]
      case .list, .settings: [:]
      case .checkout(let after): .routes(after)
      }
    }

    static var examples: [Route] {
      [.board(id: "b"), .card(boardID: "b", cardID: 1), .list("l"), .settings, .checkout(.board(id: "b"))]
    }
  }

  enum Modal: SceneRoute {
    case newCard(boardID: String)
    case player
    case discard
  }

  struct Values: SceneValues {
    var draft = ""
  }

  static let renamed = ["project": "board"]
  static let renamedTabs = ["home": "boards"]

  static func destination(of url: URL) -> Destination<Boards>? {
    guard url.scheme == "boards" else { return nil }
    let id = url.lastPathComponent
    switch url.host {
    case "board": return Destination(.boards, [.board(id: id)])
    case "card":
      guard let card = Int(id), let board = url.pathComponents.dropFirst().first else { return nil }
      return Destination(.boards, [.board(id: board), .card(boardID: board, cardID: card)])
    case "settings": return Destination(.settings)
    case "new": return Destination(modal: .newCard(boardID: id))
    default: return nil
    }
  }
}

/// The JSON of a value as it is saved.
func text(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// A state as a restore decodes it.
func decoded<Nav: Navigation>(_ text: String, _: Nav.Type = Boards.self) throws -> SceneState<Nav> {
  try JSONDecoder().decode(SceneState<Nav>.self, from: Data(text.utf8))
}

/// A link; the tests write only valid ones.
func link(_ text: String) -> URL {
  guard let url = URL(string: text) else { fatalError("no URL: \(text)") }
  return url
}
