import SceneRouting
import Testing

@MainActor @Suite struct RouterModalTests {
  private let router = Router<Boards>(selected: .boards)

  @Test("what is presented while another modal is up comes up when that is gone, in order")
  func waits() {
    router.present(.newCard(boardID: "b1"))
    router.present(.player, as: .cover)
    router.present(.newCard(boardID: "b2"))
    #expect(router.modals.mapValues(\.modal) == [.sheet: .newCard(boardID: "b1")])
    router.dismiss()
    #expect(router.modals.mapValues(\.modal) == [.cover: .player])
    router.dismiss(.cover)
    #expect(router.modals.mapValues(\.modal) == [.sheet: .newCard(boardID: "b2")])
    router.dismiss()
    #expect(router.modals.isEmpty)
  }

  @Test("a question is asked over a modal, and only one at a time")
  func questions() {
    router.present(.newCard(boardID: "b1"))
    router.present(.discard, as: .dialog)
    router.present(.discard, as: .alert)
    #expect(router.state.presented == [.sheet, .dialog])
    router.dismiss(.dialog)
    #expect(router.state.presented == [.sheet, .alert])
    router.dismiss(.alert)
    #expect(router.state.presented == [.sheet])
  }

  @Test("where taking a modal down takes a while, the next comes up when the interface says that it is off the screen")
  func awaited() {
    let router = Router<Boards>(selected: .boards, awaitsDismissals: true)
    router.present(.newCard(boardID: "b1"))
    router.present(.player, as: .cover)
    router.dismiss()
    #expect(router.modals.isEmpty)
    router.dismissalEnded()
    #expect(router.modals.mapValues(\.modal) == [.cover: .player])
    router.open(link("boards://new/b2"))
    #expect(router.modals.isEmpty, "the link's modal waits for the cover that it closed")
    router.dismissalEnded()
    #expect(router.modals.mapValues(\.modal) == [.sheet: .newCard(boardID: "b2")])
  }

  @Test("a binding presents by a value and dismisses by nil")
  func binding() {
    router[.sheet] = .newCard(boardID: "b1")
    #expect(router[.sheet] == .newCard(boardID: "b1"))
    router[.sheet] = nil
    #expect(router.modals.isEmpty)
  }

  @Test("dismissing what is not up changes nothing, and a stack inside no modal stays empty")
  func nothingUp() {
    router.dismiss(.cover)
    router[inside: .sheet] = [.settings]
    #expect(router[inside: .sheet].isEmpty)
    #expect(!router.dismissInteractively())
    #expect(router.state == SceneState(selectedTab: .boards))
  }

  @Test("a modal that is held open keeps links waiting, and is held no longer than it is up")
  func heldOpen() {
    router.present(.newCard(boardID: "b1"))
    router.holdOpen()
    router.open(link("boards://settings"))
    #expect(router.selectedTab == .boards && router[.sheet] != nil)
    router.dismiss()
    #expect(router.selectedTab == .settings)
    router.present(.newCard(boardID: "b1"))
    #expect(router.dismissInteractively())
  }
}
