import SceneRouting
import Testing

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
