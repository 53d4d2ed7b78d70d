import FoundationEssentials
import Observation
import SceneRouting
import Synchronization
import Testing

/// Each test has the number of the rule in `docs/NAVIGATION.md` that it holds.
@MainActor @Suite("Rules of navigation, without any user interface") struct NavigationRulesTests {
  private let router = Router<Boards>(selected: .boards)

  private var sheet: Boards.Modal { .newCard(boardID: "b1") }

  // MARK: The shape of an app

  @Test("rule 1: navigation is one value, which is compared, linked to, saved and set")
  func rule1() throws {
    router.push(.board(id: "b1"))
    router.present(sheet)
    let other = Router<Boards>(selected: .settings)
    other.state = try decoded(text(router.state))
    #expect(other.state == router.state)
  }

  @Test("rule 2: an app with a single flow has a single stack, and no tab to choose")
  func rule2() {
    enum Reader: Navigation {
      enum Route: SceneRoute { case page(id: Int) }
    }
    let router = Router<Reader>()
    router.push(.page(id: 1))
    #expect(router.stacks == [.main: [.page(id: 1)]])
  }

  @Test("rule 3: every section has a stack of its own")
  func rule3() {
    for tab in Boards.Tab.allCases {
      router.select(tab)
      router.push(.list(tab.rawValue))
    }
    #expect(router.stacks == [.boards: [.list("boards")], .inbox: [.list("inbox")], .settings: [.list("settings")]])
  }

  @Test("rule 4: a split view's selection is the router's, and only the last column has a stack")
  func rule4() {
    router.sidebarSelection = .board(id: "b1")
    router.push(.settings)
    router.select(.list("l"), inColumn: 1)
    #expect(router.columns == [.board(id: "b1"), .list("l")])
    #expect(router.path.isEmpty, "what was pushed belonged to the old selection")
    router.push(.settings)
    router.sidebarSelection = .board(id: "b2")
    #expect(router.columns == [.board(id: "b2")])
    #expect(router.path.isEmpty)
    router.push(.settings)
    router.sidebarSelection = .board(id: "b2")
    #expect(router.path == [.settings], "selecting what is selected changes nothing")
  }

  @Test("rule 9: nothing is pushed but onto the path: every push is one step of the way back")
  func rule9() {
    router.push(.board(id: "b1"))
    router.path.append(.settings)
    router.open(link("boards://board/b1"), by: .background)
    #expect(router.path == [.board(id: "b1"), .settings, .board(id: "b1")])
    for left in [2, 1, 0] {
      #expect(router.back())
      #expect(router.path.count == left)
    }
  }

  @Test("rule 12: each way of presenting has one optional")
  func rule12() {
    #expect(router[.sheet] == nil && router[.cover] == nil && router[.alert] == nil)
    router[.sheet] = sheet
    #expect(router[.sheet] == sheet && router[.cover] == nil)
    #expect(router.modals.count == 1)
  }

  @Test("rule 13: what is presented is never on a stack")
  func rule13() {
    router.push(.settings)
    router.present(sheet)
    #expect(router.path == [.settings])
  }

  // MARK: Where a person lands

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

  // MARK: Ownership

  @Test("rule 31: a sidebar selects a route, and holds no stack")
  func rule31() {
    router.sidebarSelection = .board(id: "b1")
    router.sidebarSelection = .board(id: "b2")
    #expect(router.columns == [.board(id: "b2")])
  }

  @Test("rule 32: a stack stays when the view that shows it goes")
  func rule32() {
    struct TabView {
      let router: Router<Boards>
      @MainActor var shown: [Boards.Route] { router[.boards] }
    }
    var view: TabView? = TabView(router: router)
    router.push(.settings)
    #expect(view?.shown == [.settings])
    view = nil
    router.select(.inbox)
    router.select(.boards)
    view = TabView(router: router)
    #expect(view?.shown == [.settings])
  }

  @Test("rule 33: selecting the selected tab leads to its root")
  func rule33() {
    router.path = [.board(id: "b1"), .settings]
    router.selectedTab = .inbox
    router.selectedTab = .boards
    #expect(router.path.count == 2)
    router.selectedTab = .boards
    #expect(router.path.isEmpty)
  }

  @Test("rule 40: whoever presented a modal closes it by setting the router's optional to nil")
  func rule40() {
    router.push(.settings)
    router.present(sheet)
    router[.sheet] = nil
    #expect(router.modals.isEmpty && router.path == [.settings])
  }

  @Test("rule 41: dismissing one modal and dismissing all are two things")
  func rule41() {
    router.present(sheet)
    router.present(.discard, as: .alert)
    router.present(.player, as: .cover)
    router.dismiss(.alert)
    #expect(router.state.presented == [.sheet])
    router.dismissAll()
    #expect(router.modals.isEmpty, "nor does what waited come up")
  }

  @Test("rule 42: the next modal is presented only after the last was dismissed")
  func rule42() {
    router.present(sheet)
    router.present(.player, as: .cover)
    #expect(router.state.presented == [.sheet])
    router.dismiss()
    #expect(router.state.presented == [.cover])
  }

  // MARK: Modules

  @Test("rule 46: a feature navigates by a protocol of its own, and knows neither router nor routes")
  func rule46() {
    // The feature's side.
    @MainActor protocol ShowsCards { func showCard(_ card: Int, on board: String) }
    @MainActor func tap(_ navigation: any ShowsCards) { navigation.showCard(7, on: "b1") }
    // The app's side.
    struct Coordinator: ShowsCards {
      let router: Router<Boards>
      func showCard(_ card: Int, on board: String) { router.push(.card(boardID: board, cardID: card)) }
    }
    tap(Coordinator(router: router))
    #expect(router.path == [.card(boardID: "b1", cardID: 7)])
  }

  @Test("rule 56: one optional both selects and clears")
  func rule56() {
    router.sidebarSelection = .settings
    #expect(router.columns == [.settings])
    router.sidebarSelection = nil
    #expect(router.columns.isEmpty)
  }

  @Test("rule 57: in a window too narrow for columns, columns and stack are one path")
  func rule57() {
    router.sidebarSelection = .board(id: "b1")
    router.push(.settings)
    #expect(router.state.collapsedPath == [.board(id: "b1"), .settings])
  }

  // MARK: What to keep from

  @Test("rule 63: no stack is shared between tabs")
  func rule63() {
    router.push(.settings)
    router.select(.inbox)
    #expect(router.path.isEmpty)
    router.popToRoot()
    #expect(router[.boards] == [.settings])
  }

  @Test("rule 64: from wherever pushes and sheets led, steps back lead to the root")
  func rule64() {
    router.path = [.board(id: "b1"), .settings]
    router.present(sheet)
    router[inside: .sheet] = [.list("l")]
    var steps = 0
    while router.back() { steps += 1 }
    #expect(steps == 4)
    #expect(router.state == SceneState(selectedTab: .boards))
  }

  @Test("rule 79: a modal with unsaved changes is left only by its own buttons")
  func rule79() {
    router.present(sheet)
    router.holdOpen()
    router.back()
    router.open(link("boards://settings"))
    #expect(router[.sheet] == sheet && router.selectedTab == .boards)
    router.dismiss()
    #expect(router[.sheet] == nil && router.selectedTab == .settings)
  }

  @Test("rule 80: a modal has a stack of its own, which goes with it")
  func rule80() {
    router.push(.settings)
    router.present(sheet)
    router[inside: .sheet] += [.list("a"), .list("b")]
    #expect(router.path == [.settings])
    router.dismiss()
    router.present(sheet)
    #expect(router[inside: .sheet].isEmpty)
  }

  @Test("rule 82: a flow of many steps is an array, whose last steps can be replaced at once")
  func rule82() {
    router.path = [.list("cart"), .list("address"), .list("pay")]
    router.replace(last: 2, with: [.list("thanks")])
    #expect(router.path == [.list("cart"), .list("thanks")])
  }

  @Test("rule 85: popping to the root empties the path, and nothing else")
  func rule85() {
    router.path = [.settings]
    router.present(sheet)
    router.popToRoot()
    #expect(router.path.isEmpty && router[.sheet] == sheet)
  }

  @Test("rule 86: a screen knows no parent: the same route is valid on any tab, in any modal and column")
  func rule86() throws {
    let route = Boards.Route.card(boardID: "b1", cardID: 7)
    router.sidebarSelection = route
    for tab in Boards.Tab.allCases { router[tab] = [route] }
    router.present(sheet)
    router[inside: .sheet] = [route]
    #expect(try decoded(text(router.state)) == router.state)
  }

  @Test("rule 90: reading changes nothing and tells nobody")
  func rule90() {
    router.push(.settings)
    let told = Mutex(false)
    withObservationTracking({ _ = router.state }, onChange: { told.withLock { $0 = true } })
    let before = router.state
    _ = (router.path, router.selectedTab, router.stacks, router.modals, router.badges, router.columns, router.values)
    _ = (router[.inbox], router[.sheet], router[inside: .sheet], router.sidebarSelection, router.isInFlow)
    #expect(router.state == before)
    #expect(!told.withLock { $0 })
  }

  // MARK: State

  @Test("rule 98: the selected tab is part of what is saved")
  func rule98() throws {
    router.select(.inbox)
    #expect(try decoded(text(router.state)).selectedTab == .inbox)
  }

  @Test("rule 100: each window has a router of its own")
  func rule100() {
    let other = Router<Boards>(selected: .boards)
    router.push(.settings)
    #expect(other.path.isEmpty)
  }
}

/// Each test has the number of the rule in `docs/NAVIGATION.md` that it holds.
@MainActor @Suite("Rules of links") struct LinkRulesTests {
  private let router = Router<Boards>(selected: .boards)

  @Test("rule 24: one pure function leads from a link to a place; no user interface is needed to test it")
  func rule24() {
    #expect(Boards.destination(of: link("boards://board/b1")) == Destination(.boards, [.board(id: "b1")]))
    #expect(
      Boards.destination(of: link("boards://card/b1/7"))
        == Destination(.boards, [.board(id: "b1"), .card(boardID: "b1", cardID: 7)])
    )
    #expect(Boards.destination(of: link("boards://new/b1")) == Destination(modal: .newCard(boardID: "b1")))
  }

  @Test("rule 25: a link that is none of the app's changes nothing")
  func rule25() {
    for other in ["https://example.org/", "boards://nowhere/1", "boards://card/b1/x"] {
      #expect(!router.open(link(other)))
    }
    #expect(router.state == SceneState(selectedTab: .boards))
  }

  @Test("rule 26: a link leads to the same state as walking there")
  func rule26() {
    let walker = Router<Boards>(selected: .inbox)
    walker.select(.boards)
    walker.push(.board(id: "b1"))
    walker.push(.card(boardID: "b1", cardID: 7))
    router.path = [.list("elsewhere")]
    router.present(.discard, as: .alert)
    #expect(router.open(link("boards://card/b1/7")))
    #expect(router.state == walker.state)
    #expect(router.back() && router.path == [.board(id: "b1")])
  }

  @Test("rule 27: links wait until there is a root, and are then followed in order")
  func rule27() {
    let router = Router<Boards>(selected: .inbox, hasRoot: false)
    #expect(router.open(link("boards://board/b1")))
    #expect(router.open(link("boards://new/b2")))
    #expect(router.state == SceneState(selectedTab: .inbox))
    router.setUpRoot()
    #expect(router.selectedTab == .boards && router.path == [.board(id: "b1")])
    #expect(router[.sheet] == .newCard(boardID: "b2"))
  }

  @Test("rule 67: a person's link may switch tabs, what happens in the background leaves a badge")
  func rule67() {
    router.push(.list("l"))
    router.present(.newCard(boardID: "b1"))
    let before = (router.path, router.modals)
    router.open(link("boards://settings"), by: .background)
    router.open(link("boards://board/b1"), by: .background)
    router.open(link("boards://new/b1"), by: .background)
    #expect(router.selectedTab == .boards)
    #expect(router.path == before.0 && router.modals == before.1)
    #expect(router.badges == [.settings: 1, .boards: 2])
    router.open(link("boards://settings"))
    #expect(router.selectedTab == .settings && router.badges == [.boards: 2])
    router.select(.boards)
    #expect(router.badges.isEmpty)
  }

  @Test("rule 67: on the tab where the person is, what happens is shown on top of what they see, once")
  func rule67Here() {
    router.push(.list("l"))
    router.open(link("boards://board/b1"), by: .background)
    router.open(link("boards://board/b1"), by: .background)
    #expect(router.path == [.list("l"), .board(id: "b1")])
    #expect(router.badges.isEmpty)
  }
}
