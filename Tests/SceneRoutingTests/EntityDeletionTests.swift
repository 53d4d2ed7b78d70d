import SceneRouting
import Testing

@MainActor @Suite("Entities that are deleted while they are shown") struct EntityDeletionTests {
  private let router = Router<Boards>(selected: .boards)

  @Test("a deleted entity closes what shows it, on every tab, in columns and in modals, and nothing else")
  func everywhere() {
    router.sidebarSelection = .board(id: "b1")
    router[.boards] = [.board(id: "b1"), .card(boardID: "b1", cardID: 7), .settings]
    router[.inbox] = [.checkout(.board(id: "b1")), .board(id: "b2"), .list("b1")]
    router.present(.newCard(boardID: "b1"))
    let dropped = router.entityWasDeleted("board", "b1")
    #expect(router[.boards] == [.settings])
    #expect(router[.inbox] == [.board(id: "b2"), .list("b1")])
    #expect(router.sidebarSelection == nil)
    #expect(router.modals.isEmpty)
    #expect(
      dropped.map(\.path) == [
        "/stacks/boards/0", "/stacks/boards/1", "/stacks/inbox/0", "/sidebarSelection", "/modals/sheet",
      ]
    )
    #expect(dropped.allSatisfy { $0.kind == "board" && $0.id == "b1" })
  }

  @Test("a modal that waits and shows it never comes up; one that goes lets the next one up")
  func waiting() {
    router.present(.newCard(boardID: "b1"))
    router.present(.newCard(boardID: "b2"))
    router.present(.newCard(boardID: "b1"))
    router.present(.player, as: .cover)
    router.entityWasDeleted("board", "b1")
    #expect(router.modals.mapValues(\.modal) == [.sheet: .newCard(boardID: "b2")])
    router.dismiss()
    #expect(router.modals.mapValues(\.modal) == [.cover: .player])
  }

  @Test("of a modal's own stack only what shows it goes")
  func insideModal() {
    router.present(.player, as: .cover)
    router[inside: .cover] = [.board(id: "b2"), .board(id: "b1"), .settings]
    router.entityWasDeleted("board", "b1")
    #expect(router[inside: .cover] == [.board(id: "b2"), .settings])
  }

  @Test("what nothing shows changes nothing, and a number is not taken for another spelling of it")
  func nothingShown() {
    router[.boards] = [.card(boardID: "b1", cardID: 7)]
    #expect(router.entityWasDeleted("card", "07").isEmpty)
    #expect(router.entityWasDeleted("board", 7).isEmpty)
    #expect(router.entityWasDeleted("list", "b1").isEmpty)
    #expect(router[.boards].count == 1)
    #expect(router.entityWasDeleted("card", 7).count == 1)
    #expect(router[.boards].isEmpty)
  }

  @Test("without a word about references, their names say what shows it")
  func byName() {
    enum Notes: Navigation {
      enum Route: SceneRoute { case note(id: Int), folder(folderIDs: [String]), about }
    }
    let router = Router<Notes>()
    router.path = [.folder(folderIDs: ["f1", "f2"]), .note(id: 1), .about]
    router.entityWasDeleted("Note", 1)
    router.entityWasDeleted("folder", "f2")
    #expect(router.path == [.about])
  }
}
