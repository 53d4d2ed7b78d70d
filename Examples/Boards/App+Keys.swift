import FoundationEssentials
import SceneRouting

/// What each key does: it changes the router or the model, never a view.
extension App {
  func take(_ key: Terminal.Key) {
    guard isReady else { return }
    if key == .suspend { return later { await $0.suspend() } }
    if !router.hasRoot { return takeLoggedOut(key) }
    window.note = ""
    switch screen.topModal {
    case .newCard(let board): type(key, in: .sheet) { app, title in app.addCard(title, to: board) }
    case .openLink:
      type(key, in: .sheet) { app, text in
        let isKnown = URL(string: "boards://" + text).map { app.router.open($0) } ?? false
        if !isKnown { app.window.note = "No such place: boards://\(text)" }
      }
    case .discardDraft: answer(key) { $0.endTyping(in: .sheet) }
    case .deleteCard(_, let card): answer(key) { $0.deleteCard(card) }
    case nil: takeOnScreen(key)
    }
    isDrawn = false
  }

  private func later(_ work: @escaping @MainActor (App) async -> Void) {
    Task { await work(self) }
  }

  private func takeLoggedOut(_ key: Terminal.Key) {
    switch key {
    case .enter: later { await $0.logIn() }
    case .character("q"): later { await $0.quit() }
    default: break
    }
  }

  private func takeOnScreen(_ key: Terminal.Key) {
    switch key {
    case .up, .character("k"): move(-1)
    case .down, .character("j"): move(1)
    case .enter: openEntry()
    case .escape, .backspace: router.back()
    case .character("1"): router.select(.boards)
    case .character("2"): router.select(.inbox)
    case .character("3"): router.select(.settings)
    case .character("a"): beginCard()
    case .character("d"): askToDelete()
    case .character("o"): router.present(.openLink)
    case .character("n"): later { await $0.newWindow() }
    case .character("w"): current = (current + 1) % windows.count
    case .character("x"): later { await $0.closeWindow() }
    case .character("L"): later { await $0.logOut() }
    case .character("q"): later { await $0.quit() }
    default: break
    }
  }

  private func move(_ step: Int) {
    let screen = screen
    let last = screen.entries.count - 1
    guard last > 0 else { return }
    router.values.cursors[screen.cursorKey] = min(max(0, screen.cursor + step), last)
  }

  private func openEntry() {
    let screen = screen
    guard screen.entries.indices.contains(screen.cursor) else { return }
    switch screen.entries[screen.cursor] {
    case .route(let route, _): router.push(route)
    case .logOut: later { await $0.logOut() }
    }
  }

  private func beginCard() {
    guard case .board(let id)? = router.path.last else {
      window.note = "Open a board first."
      return
    }
    router.present(.newCard(boardID: id))
  }

  private func askToDelete() {
    var route = router.path.last
    let screen = screen
    if screen.entries.indices.contains(screen.cursor), case .route(let entry, _) = screen.entries[screen.cursor] {
      route = entry
    }
    guard case .card(let board, let card)? = route else { return }
    router.present(.deleteCard(boardID: board, cardID: card), as: .dialog)
  }

  // MARK: Modals

  /// A line that is typed; one with text in it is not left by a slip.
  private func type(_ key: Terminal.Key, in presentation: Presentation, done: (App, String) -> Void) {
    switch key {
    case .character(let character): router.values.draft.append(character)
    case .backspace: _ = router.values.draft.popLast()
    case .escape:
      if router.back() { endTyping(in: presentation) } else { router.present(.discardDraft, as: .dialog) }
      return
    case .enter:
      let text = router.values.draft
      endTyping(in: presentation)
      if !text.isEmpty { done(self, text) }
      return
    default: return
    }
    router.holdOpen(presentation, !router.values.draft.isEmpty)
  }

  private func endTyping(in presentation: Presentation) {
    router.values.draft = ""
    router.dismiss(presentation)
  }

  private func answer(_ key: Terminal.Key, yes: (App) -> Void) {
    switch key {
    case .character("y"):
      router.dismiss(.dialog)
      yes(self)
    case .escape, .backspace, .character("n"): router.back()
    default: break
    }
  }
}
