import RestoreClient
import Testing

/// The rules of route tables, which hold with the daemon and in memory.
@Suite struct RouteTableTests {
  @Test("A whole table is taken; set again it writes nothing", arguments: Peer.allCases)
  func whole(_ peer: Peer) async throws {
    try await peer.client { client in
      try await client.scene().save(Navigation.boards("b1"))
      try await client.entities("board").put([String]())
      var table = RouteTable()
      table.tabs = ["boards", "inbox"]
      table.routes = ["board": .init(entities: ["id": "board"]), "card": .init(), "flow": .init(routes: ["_0"])]
      table.renamed = ["project": "board"]
      table.renamedTabs = ["home": "boards"]
      table.unknownRoutes = .drop
      table.stale = .truncate
      table.stackEncoding = .routes
      table.history = 20
      table.maximumAgeSeconds = 60
      table.links = [.init("myapp://board/{id}", state: #"{"stacks":{"boards":[{"board":{"id":"{id}"}}]}}"#)]
      let effect = try await client.setRoutes(table, dryRun: true)
      #expect(effect.changed && effect.scenes == 1 && effect.stale == 1)
      #expect(try await client.setRoutes(table) == effect)
      #expect(try await client.setRoutes(table).changed == false)
      try await client.entities("board").put("b 2")
      let link = try await client.resolveLink("MYAPP://board/b%202/", as: Navigation.self)
      #expect(link.state == Navigation(stacks: ["boards": [.board(id: "b 2")]]) && link.dropped.isEmpty)
      let none = await error { _ = try await client.resolveLink("myapp://card", as: Navigation.self) }
      #expect(none == .noMatchingLink(url: "myapp://card"))
    }
  }

  @Test("A table with a fault is refused with the place, and the one before stays", arguments: Peer.allCases)
  func refused(_ peer: Peer) async throws {
    try await peer.client { client in
      var table = RouteTable()
      table.renamed = ["a": "b", "b": "a"]
      let failure = await error { try await client.setRoutes(table) }
      guard case .invalidRoutes(let path, _) = failure else { return #expect(failure == nil) }
      #expect(path.hasPrefix("/renamed/"))
      let effect = try await client.setRoutes(RouteTable())
      #expect(effect.changed)
    }
  }
}
