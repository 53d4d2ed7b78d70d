import RestoreClient
import TestSupport
import Testing

/// Lists that are shown while they are asked for.
@Suite struct RevalidatingTests {
  @Test("A list comes as it was, and then as it is", arguments: Peer.allCases)
  func scenes(_ peer: Peer) async throws {
    try await peer.client { client in
      try await client.scene("a").save(Navigation.boards("1"))
      func lists() async throws -> [String] {
        var all: [String] = []
        for try await list in client.revalidatedScenes() {
          all.append((list.isFresh ? "fresh " : "stale ") + list.value.map(\.scene).joined(separator: ","))
        }
        return all
      }
      #expect(try await lists() == ["fresh a"])
      try await client.scene("b").save(Navigation.boards("1"))
      #expect(try await lists() == ["stale a", "fresh b,a"])
      try await client.reset()
      #expect(try await lists() == ["fresh "])
    }
  }

  @Test("Where there is no daemon any more, what is known comes before the error")
  func away() async throws {
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(1))
    while await error({ try await client.entities("board").put(["b1"]) }) != nil {}
    while await error({ _ = try await client.entities("board").list() }) != nil {}
    daemon.kill()
    var known: [[String]] = []
    let failure = await error {
      for try await list in client.entities("board").revalidatedList() { known.append(list.value) }
    }
    guard case .unavailable = failure else { return #expect(failure == nil) }
    #expect(known == [["b1"]])
  }
}
