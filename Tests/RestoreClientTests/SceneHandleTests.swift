import Foundation
import RestoreClient
import Testing

/// The rules of scenes, which hold with the daemon and in memory.
@Suite struct SceneHandleTests {
  @Test("What was saved comes back, equal, with its revision and its time", arguments: Peer.allCases)
  func roundTrip(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene()
      let state = Navigation(
        selectedTab: "boards",
        stacks: ["boards": [.card(boardID: "b1", cardID: 9_007_199_254_740_993)]]
      )
      let before = Date()
      let revision = try await scene.save(state)
      let back = try #require(try await scene.restore(Navigation.self))
      #expect(back.state == state)
      #expect(back.revision == revision && back.newest == revision)
      #expect(abs(try #require(back.savedAt).timeIntervalSince(before)) < 600)
      #expect(back.dropped.isEmpty && back.guardOutcome == .normal && back.unconfirmedLaunches == nil)
    }
  }

  @Test("Nothing saved is nothing to restore, and no error", arguments: Peer.allCases)
  func firstStart(_ peer: Peer) async throws {
    try await peer.client { client in
      #expect(try await client.scene().restore(Navigation.self) == nil)
      #expect(try await client.scene().restore(Navigation.self, launch: true) == nil)
      #expect(try await client.scenes().isEmpty)
      try await client.scene("never saved").close()
      try await client.scene("never saved").forget()
    }
  }

  @Test("An equal state makes no new revision, whatever the order of a dictionary", arguments: Peer.allCases)
  func equalSaves(_ peer: Peer) async throws {
    try await peer.client { client in
      let tabs = (1...40).map { "tab \($0)" }
      func state(_ order: some Sequence<String>) -> Navigation {
        Navigation(stacks: Dictionary(uniqueKeysWithValues: order.map { ($0, [.board(id: $0)]) }))
      }
      let first = try await client.scene().save(state(tabs))
      for _ in 1...5 { #expect(try await client.scene().save(state(tabs.shuffled())) == first) }
      #expect(try await client.scene().history().count == 1)
    }
  }

  @Test(
    "A save over a revision that is no longer the newest is refused, with the one that is",
    arguments: Peer.allCases
  )
  func conflict(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene("window 1")
      let first = try await scene.save(Navigation.boards("b1"), ifRevision: 0)
      let second = try await scene.save(Navigation.boards("b2"), ifRevision: first)
      let refusal = await error { try await scene.save(Navigation.boards("b3"), ifRevision: first) }
      #expect(refusal == .revisionConflict(scene: "window 1", expected: first, actual: second))
      #expect(try await scene.restore(Navigation.self)?.state == .boards("b2"))
    }
  }

  @Test("A route to what does not exist is left out and named; kept, it is only named", arguments: Peer.allCases)
  func stale(_ peer: Peer) async throws {
    try await peer.client { client in
      try await client.entities("board").put(["b1"])
      try await client.scene().save(Navigation.boards("b1", "b2"))
      let back = try #require(try await client.scene().restore(Navigation.self))
      #expect(back.state == .boards("b1"))
      #expect(
        back.dropped == [
          Dropped(path: "/stacks/boards/1", reason: .entityMissing, route: "board", kind: "board", id: "b2")
        ]
      )
      #expect("\(back.dropped[0])" == "/stacks/boards/1: board: there is no board b2")
      let kept = try #require(try await client.scene().restore(Navigation.self, stale: .keep))
      #expect(kept.state == .boards("b1", "b2") && kept.dropped == back.dropped)
      let checked = try await client.check(Navigation.boards("b2"))
      #expect(checked.state == Navigation(selectedTab: "boards", stacks: ["boards": []]))
      #expect(checked.emptied == ["boards"] && checked.dropped.count == 1)
    }
  }

  @Test("The fourth launch without a confirm is led out of a state that crashes", arguments: Peer.allCases)
  func guarded(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene()
      let good = try await scene.save(Navigation.boards("good"))
      #expect(try await scene.restore(Navigation.self, launch: true)?.unconfirmedLaunches == 1)
      try await scene.confirm()
      let bad = try await scene.save(Navigation.boards("bad"))
      for count in 1...3 {
        let back = try #require(try await scene.restore(Navigation.self, launch: true))
        #expect(back.guardOutcome == .normal && back.unconfirmedLaunches == count)
      }
      let led = try #require(try await scene.restore(Navigation.self, launch: true))
      #expect(led.guardOutcome == .fallback(quarantined: [bad]))
      #expect(led.state == .boards("good") && led.revision == good && led.newest == bad)
      try await scene.confirm()
      #expect(try await scene.history().map(\.quarantined) == [true, false])
      #expect(try await scene.restore(Navigation.self, revision: bad).state == .boards("bad"))
    }
  }

  @Test("With nothing left to fall back on, a launch is served an empty state", arguments: Peer.allCases)
  func empty(_ peer: Peer) async throws {
    try await peer.client { client in
      let bad = try await client.scene().save(Navigation.boards("bad"))
      for _ in 1...3 { _ = try await client.scene().restore(Navigation.self, launch: true) }
      let led = try #require(try await client.scene().restore(Navigation.self, launch: true))
      #expect(led.guardOutcome == .empty(quarantined: [bad]))
      #expect(led.state == Navigation() && led.revision == 0 && led.savedAt == nil)
    }
  }

  @Test("A closed scene is off the list and can be opened again", arguments: Peer.allCases)
  func closing(_ peer: Peer) async throws {
    try await peer.client { client in
      for window in ["a", "b"] { try await client.scene(window).save(Navigation.boards(window)) }
      #expect(try await client.scenes().map(\.scene) == ["b", "a"])
      try await client.scene("a").close()
      #expect(try await client.scenes().map(\.scene) == ["b"])
      #expect(try await client.scenes(closed: true).map(\.scene) == ["a"])
      #expect(try await client.scenes(closed: true)[0].closedAt != nil)
      #expect(try await client.reopenLastClosed() == "a")
      try await client.scene("b").close()
      try await client.scene("b").reopen()
      #expect(try await client.scenes().count == 2)
      #expect(await error { try await client.reopenLastClosed() } == .sceneNotFound(scene: ""))
    }
  }

  @Test("A rollback saves an earlier revision as the newest", arguments: Peer.allCases)
  func rollback(_ peer: Peer) async throws {
    try await peer.client { client in
      let first = try await client.scene().save(Navigation.boards("b1"))
      try await client.scene().save(Navigation.boards("b2"))
      let newest = try await client.scene().rollback(to: first)
      #expect(newest > first)
      #expect(try await client.scene().restore(Navigation.self)?.state == .boards("b1"))
      let refusal = await error { try await client.scene().rollback(to: 99) }
      #expect(refusal == .revisionNotFound(scene: "main", revision: 99))
    }
  }

  @Test("Of what a person leaves behind nothing is left after a reset but the route table", arguments: Peer.allCases)
  func reset(_ peer: Peer) async throws {
    try await peer.client { client in
      var table = RouteTable()
      table.renamed = ["project": "board"]
      try await client.setRoutes(table)
      try await client.entities("board").put(["b1"])
      try await client.scene().save(Navigation.boards("b1"))
      try await client.reset(keepEntities: true)
      #expect(try await client.scenes().isEmpty)
      #expect(try await client.kinds().map(\.count) == [1])
      try await client.reset()
      #expect(try await client.kinds().isEmpty)
      #expect(try await client.setRoutes(table).changed == false)
    }
  }

  @Test("A scene that was forgotten was never there", arguments: Peer.allCases)
  func forget(_ peer: Peer) async throws {
    try await peer.client { client in
      try await client.scene().save(Navigation.boards("b1"))
      try await client.scene().forget()
      #expect(try await client.scene().restore(Navigation.self) == nil)
      #expect(await error { _ = try await client.scene().history() } == .sceneNotFound(scene: "main"))
    }
  }

  @Test("What is no state is refused with the place, and what was saved stays", arguments: Peer.allCases)
  func refused(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene()
      try await scene.save(Navigation.boards("b1"))
      let misspelt = await error { try await scene.save(["selectedtab": "boards"]) }
      guard case .invalidState(let path, let reason) = misspelt else { return #expect(misspelt == nil) }
      #expect(path == "" || path == "/selectedtab")
      #expect(reason.contains("selectedTab"))
      let infinite = await error { try await scene.save(["values": ["scroll": Double.infinity]]) }
      guard case .invalidState("/values/scroll", _) = infinite else { return #expect(infinite == nil) }
      let large = ["values": ["draft": String(repeating: "x", count: 1 << 20)]]
      let size = try JSONEncoder().encode(large).count
      #expect(
        await error { try await scene.save(large) } == .limitExceeded(limit: "state", maximum: 1 << 20, actual: size)
      )
      #expect(try await scene.restore(Navigation.self)?.state == .boards("b1"))
    }
  }

  @Test("A state that the app's types cannot read says where, and stays", arguments: Peer.allCases)
  func undecodable(_ peer: Peer) async throws {
    try await peer.client { client in
      let revision = try await client.scene().save(["stacks": ["boards": [["later": ["id": 1]]]]])
      let failure = await error { _ = try await client.scene().restore(Navigation.self) }
      guard case .undecodable(let reason, revision) = failure else { return #expect(failure == nil) }
      #expect(reason.hasPrefix("at \"/stacks/boards/0\": "))
      #expect(try await client.scenes().map(\.revision) == [revision])
    }
  }

  @Test("Names that no scene can have are refused by name", arguments: Peer.allCases)
  func names(_ peer: Peer) async throws {
    try await peer.client { client in
      let state = Navigation.boards("b")
      let none = client.scene("")
      #expect(await error { try await none.save(state) } == .invalidParameter("scene"))
      let long = client.scene(String(repeating: "x", count: 256))
      let refusal = await error { try await long.save(state) }
      #expect(refusal == .limitExceeded(limit: "scene", maximum: 255, actual: 256))
    }
  }
}
