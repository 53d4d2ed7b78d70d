import Observation
import SceneRouting
import Synchronization
import Testing

@MainActor @Suite struct RouterTests {
  private let router = Router<Boards>(selected: .boards)

  @Test("pushes and pops change the selected tab's stack alone")
  func pushAndPop() {
    router.push(.board(id: "b1"))
    router.select(.inbox)
    router.push(.settings)
    #expect(router.stacks == [.boards: [.board(id: "b1")], .inbox: [.settings]])
    #expect(router.pop() == .settings)
    #expect(router.pop() == nil)
    #expect(router.stacks == [.boards: [.board(id: "b1")]])
  }

  @Test("a pop to a route takes off what is above it; to one that is not there, nothing")
  func popTo() {
    router.path = [.settings, .board(id: "b1"), .list("l"), .settings]
    #expect(router.pop(to: .board(id: "b1")))
    #expect(router.path == [.settings, .board(id: "b1")])
    #expect(!router.pop(to: .list("l")))
    #expect(router.path.count == 2)
  }

  @Test("more steps than there are can be replaced, and none")
  func replaceClamped() {
    router.path = [.settings]
    router.replace(last: 9, with: [.list("a")])
    #expect(router.path == [.list("a")])
    router.replace(last: 0, with: [.list("b")])
    router.replace(last: -1, with: [])
    #expect(router.path == [.list("a"), .list("b")])
  }

  @Test("back goes a step in the topmost modal, then closes it, then pops, and at the root does nothing")
  func back() {
    router.push(.settings)
    router.present(.newCard(boardID: "b1"))
    router[inside: .sheet].append(.list("l"))
    #expect(router.back())
    #expect(router.modals == [.sheet: PresentedModal(.newCard(boardID: "b1"))])
    #expect(router.back())
    #expect(router.modals.isEmpty && router.path == [.settings])
    #expect(router.back())
    #expect(!router.back())
  }

  @Test("a state that is set takes the place of all that there was; without a tab it shows the first")
  func stateIsSet() {
    router.select(.inbox)
    router.present(.player, as: .cover)
    router.present(.newCard(boardID: "b1"))
    var state = SceneState<Boards>()
    state[.settings] = [.settings]
    router.state = state
    #expect(router.selectedTab == .boards)
    #expect(router.modals.isEmpty)
    router.dismissAll()
    #expect(router.modals.isEmpty, "what waited was given up")
    #expect(router[.settings] == [.settings])
  }

  /// Whether a change of `change` is told to whoever has read `read`.
  private func tells(_ read: () -> Void, _ change: () -> Void) -> Bool {
    let told = Mutex(false)
    withObservationTracking(read) { told.withLock { $0 = true } }
    change()
    return told.withLock { $0 }
  }

  @Test("whoever has read a part is told of its change, and of no other part's")
  func observation() {
    #expect(tells({ _ = router.path }, { router.push(.settings) }))
    #expect(tells({ _ = router.selectedTab }, { router.select(.inbox) }))
    #expect(tells({ _ = router.modals }, { router.present(.discard, as: .alert) }))
    #expect(tells({ _ = router.badges }, { router.open(link("boards://settings"), by: .background) }))
    #expect(tells({ _ = router.sidebarSelection }, { router.sidebarSelection = .settings }))
    #expect(tells({ _ = router.values }, { router.values.draft = "D" }))
    #expect(tells({ _ = router.hasRoot }, { router.tearDownRoot() }))
    #expect(tells({ _ = router.state }, { router.push(.settings) }))
    router.setUpRoot()
    #expect(tells({ _ = router.isHeldOpen(.alert) }, { router.holdOpen(.alert) }))
    #expect(!tells({ _ = router.modals }, { router.push(.settings) }))
    #expect(!tells({ _ = (router.modals, router.path, router.columns) }, { router.select(.settings) }))
    #expect(!tells({ _ = router.selectedTab }, { router.select(router.selectedTab) }))
    #expect(!tells({ _ = (router.values, router.columns) }, { router.open(link("boards://board/b1")) }))
    #expect(!tells({ _ = router.path }, { router.values.draft = "E" }))
    #expect(!tells({ _ = router.selectedTab }, { router.push(.settings) }))
  }

  @Test("a single-stack app needs no tab of its own")
  func onlyTab() throws {
    enum Notes: Navigation {
      enum Route: SceneRoute { case note(id: Int) }
    }
    let router = Router<Notes>()
    router.push(.note(id: 1))
    #expect(try text(router.state) == #"{"selectedTab":"main","stacks":{"main":[{"note":{"id":1}}]}}"#)
  }

  @Test("tabs that are made at run time are known by their names")
  func madeTabs() throws {
    struct Pane: SceneTab { var rawValue: String }
    enum Editor: Navigation {
      enum Route: SceneRoute { case file(id: Int) }
      typealias Tab = Pane
    }
    let router = Router<Editor>(selected: Pane(rawValue: "left"))
    router.push(.file(id: 1))
    #expect(try decoded(text(router.state), Editor.self) == router.state)
    #expect(Editor.routeTable.tabs == nil)
  }
}
