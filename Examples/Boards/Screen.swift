import SceneRouting

/// What one window shows: a pure function of router, model and size.
@MainActor struct Screen {
  let router: Router<Boards>
  let model: Model
  let size: Terminal.Size
  /// Which window this is, and of how many.
  let place: (index: Int, count: Int)
  /// What a person is to be told.
  let note: String

  /// The entries that the cursor moves over.
  enum Entry: Hashable {
    case route(Boards.Route, String)
    case logOut
  }

  var lines: [Line] {
    guard router.hasRoot else { return framed(path: "", ["Logged out.", "", "Press Enter to log in."]) }
    var body = bodyLines
    if let modal = topModal { body = over(body, box(modal)) }
    return framed(path: path, body)
  }

  // MARK: Around

  private func framed(path: String, _ body: [Line]) -> [Line] {
    let rule = Line(String(repeating: "-", count: size.columns))
    let space = max(0, size.rows - 6)
    let filled = (body + Array(repeating: Line(""), count: space)).prefix(space)
    let all = [bar, Line(" " + path), rule] + filled + [rule, Line(note, .note), Line(help)]
    return all.prefix(size.rows).map { $0.fitted(to: size.columns) }
  }

  private func framed(path: String, _ body: [String]) -> [Line] { framed(path: path, body.map { Line("  " + $0) }) }

  private var bar: Line {
    let tabs = Boards.Tab.allCases.enumerated().map { number, tab in
      let badge = router.badges[tab].map { " (\($0))" } ?? ""
      let name = "\(number + 1) \(tab.title)\(badge)"
      return router.hasRoot && router.selectedTab == tab ? "[\(name)]" : " \(name) "
    }
    let left = " Boards  " + tabs.joined(separator: " ")
    let right = "window \(place.index + 1) of \(place.count) "
    let gap = max(1, size.columns - left.count - right.count)
    return Line(left + String(repeating: " ", count: gap) + right, .bar)
  }

  private var path: String {
    ([router.selectedTab.title] + router.path.map(title)).joined(separator: " > ")
  }

  private func title(_ route: Boards.Route) -> String {
    switch route {
    case .board(let id): model.board(id)?.title ?? id
    case .card(_, let id): model.card(id)?.title ?? id
    }
  }

  private var help: String {
    if !router.hasRoot { return "Ret log in|^Z bg|q quit" }
    switch topModal {
    case .newCard, .openLink: return "type|Ret done|Esc cancel"
    case .deleteCard, .discardDraft: return "y yes|Esc no"
    case nil:
      return size.columns < 120
        ? "jk move|Ret open|Esc back|123 tab|a add|d del|o link|nwx win|L out|^Z bg|q quit"
        : "j k move | Return open | Esc back | 1 2 3 tab | a add | d delete | o link | n w x new, next, close window"
          + " | L log out | ^Z | q"
    }
  }

  // MARK: The body

  /// What the cursor moves over on the screen that is shown.
  var entries: [Entry] {
    switch (router.path.last, router.selectedTab) {
    case (.board(let id), _):
      return (model.board(id)?.cards ?? []).map { .route(.card(boardID: id, cardID: $0.id), $0.title) }
    case (.card, _): return []
    case (nil, .boards): return model.boards.map { .route(.board(id: $0.id), "\($0.title) (\($0.cards.count))") }
    case (nil, .inbox):
      return model.cards.reversed().compactMap { card in
        model.board(of: card.id).map { .route(.card(boardID: $0.id, cardID: card.id), "\($0.title): \(card.title)") }
      }
    case (nil, .settings): return [.logOut]
    }
  }

  /// The cursor's place among the entries.
  var cursor: Int { min(router.values.cursors[cursorKey] ?? 0, max(0, entries.count - 1)) }

  /// Under which name the cursor of this screen is kept.
  var cursorKey: String { ([router.selectedTab.rawValue] + router.path.map(title)).joined(separator: "/") }

  private var bodyLines: [Line] {
    if case .card(_, let id) = router.path.last {
      Crash.ifAsked(toShow: id)
      return [Line(""), Line("  " + (model.card(id)?.title ?? "")), Line(""), Line("  Card \(id). d deletes it.")]
    }
    if entries.isEmpty { return [Line(""), Line("  Nothing here.")] }
    // The entry under the cursor is always in sight.
    let visible = max(1, size.rows - 7)
    let first = max(0, cursor - visible + 1)
    return [Line("")]
      + entries.enumerated().dropFirst(first).prefix(visible).map { index, entry in
        let isSelected = index == cursor
        return Line((isSelected ? "> " : "  ") + text(entry), isSelected ? .selected : .plain)
      }
  }

  private func text(_ entry: Entry) -> String {
    switch entry {
    case .route(_, let title): title
    case .logOut: "Log out"
    }
  }

  // MARK: Modals

  /// The modal on top.
  var topModal: Boards.Modal? { router.modals.isEmpty ? nil : router.state.presented.last.flatMap { router[$0] } }

  private func box(_ modal: Boards.Modal) -> [String] {
    switch modal {
    case .newCard(let board):
      ["New card on \(model.board(board)?.title ?? board)", "", "Title: \(router.values.draft)_"]
    case .openLink: ["Open a link", "", "boards://\(router.values.draft)_"]
    case .discardDraft: ["Discard what you typed?", "", "y: discard it    Esc: go on"]
    case .deleteCard(_, let card):
      ["Delete \"\(model.card(card)?.title ?? card)\"?", "", "y: delete it    Esc: keep it"]
    }
  }

  private func over(_ body: [Line], _ content: [String]) -> [Line] {
    let width = min(size.columns - 4, 60)
    let edge = Line("  +" + String(repeating: "-", count: max(0, width - 2)) + "+")
    let inside = content.map { text in
      Line("  | " + Line(text).fitted(to: max(0, width - 4)).text + " |")
    }
    return Array(body.prefix(2)) + [edge] + inside + [edge]
  }
}
