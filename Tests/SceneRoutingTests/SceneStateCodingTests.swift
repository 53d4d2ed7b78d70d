import SceneRouting
import Testing

@Suite("States as they are saved and read back") struct SceneStateCodingTests {
  private func full() -> SceneState<Boards> {
    var state = SceneState<Boards>(selectedTab: .boards)
    state[.boards] = [.board(id: "b1"), .card(boardID: "b1", cardID: 7)]
    state[.inbox] = [.checkout(.list("mine"))]
    state.select(.board(id: "b2"), inColumn: 0)
    state[.boards] = [.board(id: "b1"), .card(boardID: "b1", cardID: 7)]
    state.values.draft = "Dear"
    state.open(Destination(.settings), by: .background)
    return state
  }

  @Test("a state is written with names for tabs and ways of presenting, in objects with sorted keys")
  func written() throws {
    var state = full()
    state.open(Destination(modal: .newCard(boardID: "b1")))
    #expect(
      try text(state) == #"{"modals":{"sheet":{"newCard":{"boardID":"b1"}}},"selectedTab":"boards","#
        + #""sidebarSelection":{"board":{"id":"b2"}},"#
        + #""stacks":{"boards":[{"board":{"id":"b1"}},{"card":{"boardID":"b1","cardID":7}}],"#
        + #""inbox":[{"checkout":{"_0":{"list":{"_0":"mine"}}}}]},"#
        + #""values":{"app":{"draft":"Dear"},"badges":{"settings":1}}}"#
    )
  }

  @Test("what is written is read back as the same state, and as the same bytes")
  func roundTrip() throws {
    let state = full()
    let back = try decoded(text(state))
    #expect(back == state)
    #expect(back.skipped.isEmpty)
    #expect(try text(back) == text(state))
  }

  @Test("a state with nothing open is written with its empty stacks, and read back")
  func empty() throws {
    #expect(try text(SceneState<Boards>()) == #"{"stacks":{}}"#)
    #expect(try decoded(#"{"stacks":{}}"#) == SceneState<Boards>())
    #expect(try decoded(#"{"stacks":[]}"#) == SceneState<Boards>())
    #expect(try decoded(#"{"stacks":null,"selectedTab":null,"modals":null,"values":null}"#) == SceneState<Boards>())
  }

  @Test("an emptied stack is no stack: equal states are equal however they came to be")
  func emptied() throws {
    var state = SceneState<Boards>(selectedTab: .boards)
    state[.boards].append(.settings)
    state.pop(on: .boards)
    #expect(state == SceneState<Boards>(selectedTab: .boards))
    #expect(try decoded(#"{"stacks":{"boards":[]},"selectedTab":"boards"}"#) == state)
  }

  @Test("of a stack only the elements that cannot be read are left out, with their places and reasons")
  func lossy() throws {
    let state = try decoded(
      #"{"stacks":{"boards":[null,{"board":{"id":"b1"}},{"gone":{}},7,{"board":{"id":9}},[[]],{"settings":{}}]}}"#
    )
    #expect(state[.boards] == [.board(id: "b1"), .settings])
    #expect(state.skipped.map(\.path) == [0, 2, 3, 4, 5].map { "/stacks/boards/\($0)" })
    #expect(state.skipped.allSatisfy { !$0.reason.isEmpty })
  }

  @Test("an unknown tab, column, modal or value is left out alone and reported")
  func lossyMembers() throws {
    let state = try decoded(
      #"{"selectedTab":"a/b","stacks":{"a/b":[],"inbox":[{"settings":{}}],"settings":7},"#
        + #""sidebarSelection":[{"board":{"id":"b1"}},{"gone":{}}],"#
        + #""modals":{"sheet":{"gone":{}},"cover":[{"player":{}},{"gone":{}},{"settings":{}}]},"#
        + #""values":{"app":{"draft":1},"badges":{"inbox":2,"gone":1}}}"#
    )
    #expect(state.selectedTab == nil)
    #expect(state.stacks == [.inbox: [.settings]])
    #expect(state.columns == [.board(id: "b1")])
    #expect(state.modals == [.cover: PresentedModal(.player, stack: [.settings])])
    #expect(state.badges == [.inbox: 2])
    #expect(
      state.skipped.map(\.path) == [
        "/selectedTab", "/stacks/a~1b", "/stacks/settings", "/sidebarSelection/1", "/modals/cover/1",
        "/modals/sheet", "/values/app",
      ]
    )
  }

  @Test("the flat arrays that Swift writes for a dictionary whose keys are an enum are read too")
  func pairs() throws {
    let state = try decoded(
      #"{"selectedTab":{"inbox":{}},"stacks":["boards",[{"settings":{}}],{"inbox":{}},[{"gone":{}}],3,[]],"#
        + #""modals":["sheet",{"newCard":{"boardID":"b1"}}]}"#
    )
    #expect(state.selectedTab == .inbox)
    #expect(state.stacks == [.boards: [.settings]])
    #expect(state.modals == [.sheet: PresentedModal(.newCard(boardID: "b1"))])
    #expect(state.skipped.map(\.path) == ["/stacks/3/0", "/stacks/5"])
  }

  @Test("what stands in values under a tab's old name is read under its new one")
  func renamedTabs() throws {
    let state = try decoded(
      #"{"stacks":{"boards":[{"settings":{}},{"settings":{}}]},"#
        + #""values":{"badges":{"home":3},"flows":[{"tab":"home","depth":1}]}}"#
    )
    #expect(state.badges == [.boards: 3])
    #expect(state.isInFlow)
  }

  @Test("a value that is no object is no state")
  func noState() {
    #expect(throws: (any Error).self) { try decoded("[]") as SceneState<Boards> }
    #expect(throws: (any Error).self) { try decoded("7") as SceneState<Boards> }
  }

  @Test("columns without a selection keep the places of those after them")
  func columns() throws {
    var state = SceneState<Boards>()
    state.select(.board(id: "b1"), inColumn: 1)
    #expect(try text(state) == #"{"sidebarSelection":[null,{"board":{"id":"b1"}}],"stacks":{}}"#)
    #expect(try decoded(text(state)) == state)
  }
}
