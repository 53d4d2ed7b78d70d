import SceneRouting
import Testing

/// Each test has the number of the rule in `docs/NAVIGATION.md` that it holds.
@MainActor @Suite("Rules of where a person lands") struct LandingRulesTests {
  private let router = Router<Boards>(selected: .boards)

  private var sheet: Boards.Modal { .newCard(boardID: "b1") }

  @Test("rule 14: going back from a push leads up one level")
  func rule14() {
    router.path = [.board(id: "b1"), .list("l"), .settings]
    router.back()
    #expect(router.path == [.board(id: "b1"), .list("l")])
  }

  @Test("rule 15: a gesture closes a sheet, unless it is held open")
  func rule15() {
    router.present(sheet)
    router.holdOpen()
    #expect(!router.dismissInteractively())
    router.holdOpen(.sheet, false)
    #expect(router.dismissInteractively())
    #expect(router[.sheet] == nil)
  }

  @Test("rule 16: no gesture closes a cover")
  func rule16() {
    router.present(.player, as: .cover)
    #expect(!router.dismissInteractively(.cover) && !router.back())
    router.dismiss(.cover)
    #expect(router[.cover] == nil)
  }

  @Test("rule 17: a click outside closes a popover")
  func rule17() {
    router.present(sheet, as: .popover)
    #expect(router.dismissInteractively(.popover))
  }

  @Test("rule 18: only its buttons close an alert")
  func rule18() {
    router.present(.discard, as: .alert)
    #expect(!router.dismissInteractively(.alert) && !router.back())
    #expect(router[.alert] == .discard)
  }

  @Test("rule 19: a dialog may be walked away from")
  func rule19() {
    router.present(.discard, as: .dialog)
    #expect(router.back())
    #expect(router[.dialog] == nil)
  }

  @Test("rule 20: what is at the root depends on one fact, and the app is no modal over the login")
  func rule20() {
    let router = Router<Boards>(selected: .boards, hasRoot: false)
    #expect(!router.hasRoot && router.modals.isEmpty)
    router.setUpRoot()
    #expect(router.hasRoot && router.modals.isEmpty)
  }

  @Test("rule 21: a logout tears the whole tree down")
  func rule21() {
    router.path = [.settings]
    router.select(.inbox)
    router.sidebarSelection = .settings
    router.present(sheet)
    router.present(.player, as: .cover)
    router.open(link("boards://settings"), by: .background)
    router.values.draft = "D"
    router.tearDownRoot()
    #expect(!router.hasRoot)
    #expect(router.state == SceneState(selectedTab: .boards))
    router.setUpRoot()
    #expect(router.state == SceneState(selectedTab: .boards), "and nothing that waited comes back")
  }

  @Test("rule 22: a flow closes to the screen it began on, whether it was a cover or a push", arguments: [true, false])
  func rule22(isCover: Bool) {
    let router = Router<Boards>(selected: .boards, flowStyle: isCover ? .cover : .push)
    router.path = [.board(id: "b1"), .settings]
    let before = router.state
    router.beginFlow(cover: .player, orPush: .list("player"))
    #expect(router.isInFlow)
    if isCover { router[inside: .cover].append(.list("deeper")) } else { router.path += [.list("a"), .list("b")] }
    router.endFlow()
    #expect(router.state == before)
    #expect(!router.isInFlow)
  }

  @Test("rule 22: a pushed flow that was saved in the middle ends where it began, though routes below it are gone")
  func rule22Restored() throws {
    let router = Router<Boards>(selected: .boards, flowStyle: .push)
    router.path = [.board(id: "b1"), .board(id: "b2")]
    router.beginFlow(cover: .player, orPush: .list("one"))
    router.push(.list("two"))
    let again = Router<Boards>(selected: .inbox, flowStyle: .push)
    again.state = try decoded(text(router.state))
    again.entityWasDeleted("board", "b1")
    again.endFlow()
    #expect(again.path == [.board(id: "b2")])
  }

  @Test("rule 22: whoever walks back out of a flow is in it no more")
  func rule22Left() {
    let router = Router<Boards>(selected: .boards, flowStyle: .push)
    router.push(.settings)
    router.beginFlow(cover: .player, orPush: .list("one"))
    router.pop()
    #expect(!router.isInFlow)
    router.push(.board(id: "b1"))
    router.endFlow()
    #expect(router.path == [.settings, .board(id: "b1")])
  }

  @Test("rule 23: a view begins and ends a flow by the same two calls on every platform")
  func rule23() {
    for style in [FlowStyle.cover, .push] {
      let router = Router<Boards>(selected: .boards, flowStyle: style)
      router.beginFlow(cover: .player, orPush: .list("player"))
      #expect(router.modals.isEmpty == (style == .push))
      #expect(router.path.isEmpty == (style == .cover))
      router.endFlow()
      #expect(router.state == SceneState(selectedTab: .boards))
    }
  }
}
