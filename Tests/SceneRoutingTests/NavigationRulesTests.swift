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
