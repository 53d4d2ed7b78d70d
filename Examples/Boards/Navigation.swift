import FoundationEssentials
import SceneRouting

/// All that this app navigates by.
enum Boards: Navigation {
  enum Tab: String, SceneTab, CaseIterable {
    case boards, inbox, settings

    var title: String {
      switch self {
      case .boards: "Boards"
      case .inbox: "Inbox"
      case .settings: "Settings"
      }
    }
  }

  /// Screens that are pushed.
  ///
  /// What they refer to goes by the names of their parameters.
  enum Route: SceneRoute {
    case board(id: String)
    case card(boardID: String, cardID: String)
  }

  enum Modal: SceneRoute {
    case newCard(boardID: String)
    case discardDraft
    case deleteCard(boardID: String, cardID: String)
    case openLink
  }

  struct Values: SceneValues {
    /// What was typed and not sent yet.
    var draft = ""
    /// The entry that the cursor is on, by screen.
    var cursors: [String: Int] = [:]
  }

  /// `boards://board/ID`, `boards://card/BOARD/CARD`, `boards://new/BOARD`, `boards://inbox`.
  static func destination(of url: URL) -> Destination<Boards>? {
    guard url.scheme == "boards" else { return nil }
    let names = url.pathComponents.filter { $0 != "/" }
    switch (url.host, names.count) {
    case ("board", 1): return Destination(.boards, [.board(id: names[0])])
    case ("card", 2):
      return Destination(.boards, [.board(id: names[0]), .card(boardID: names[0], cardID: names[1])])
    case ("new", 1): return Destination(.boards, [.board(id: names[0])], modal: .newCard(boardID: names[0]))
    case ("inbox", 0): return Destination(.inbox)
    default: return nil
    }
  }
}
