import RestoreClient
import RestoreInterface
import TestSupport
import Testing
import Varlink

/// The rules of watches, which hold with the daemon and in memory.
@Suite struct SceneChangesTests {
  /// A change in one word.
  private static func told(_ change: SceneChange) -> String {
    "\(change.event) \(change.scene ?? change.kind?.name ?? "-")"
  }

  /// The next changes.
  private static func next(_ count: Int, _ changes: inout SceneChanges.Iterator) async throws -> [SceneChange] {
    var all: [SceneChange] = []
    while all.count < count, let change = try await changes.next() { all.append(change) }
    return all
  }

  @Test("Each change is told as it happens, in order", arguments: Peer.allCases)
  func live(_ peer: Peer) async throws {
    try await peer.client { client in
      var changes = client.changes().makeAsyncIterator()
      #expect(try await changes.next()?.event == .ready)
      let revision = try await client.scene("a").save(Navigation.boards("1"))
      try await client.entities("board").put("b1")
      try await client.scene("a").close()
      try await client.scene("a").reopen()
      try await client.setRoutes(RouteTable())
      try await client.reset()
      let all = try await Self.next(7, &changes)
      #expect(
        all.map(Self.told) == [
          "saved a", "entitiesChanged board", "closed a", "reopened a", "routesChanged -", "forgotten a",
          "forgotten board",
        ]
      )
      #expect(all[0].revision == revision)
      #expect(all.map(\.revision) == all.map(\.revision).sorted())
      #expect(all.allSatisfy { $0.time.timeIntervalSinceNow < 600 && $0.time.timeIntervalSinceNow > -600 })
    }
  }

  @Test("A scene's watch hears of the scene and of what exists, not of other scenes", arguments: Peer.allCases)
  func oneScene(_ peer: Peer) async throws {
    try await peer.client { client in
      var changes = client.scene("a").changes().makeAsyncIterator()
      _ = try await changes.next()
      try await client.scene("b").save(Navigation.boards("1"))
      try await client.entities("board").put("b1")
      try await client.scene("a").save(Navigation.boards("1"))
      #expect(try await Self.next(2, &changes).map(Self.told) == ["entitiesChanged board", "saved a"])
    }
  }

  @Test("A watch after a revision first tells the last change of each since then", arguments: Peer.allCases)
  func after(_ peer: Peer) async throws {
    try await peer.client { client in
      let first = try await client.scene("a").save(Navigation.boards("1"))
      try await client.scene("b").save(Navigation.boards("1"))
      try await client.scene("b").save(Navigation.boards("2"))
      try await client.entities("board").put("b1")
      var changes = client.changes(after: first).makeAsyncIterator()
      #expect(
        try await Self.next(3, &changes).map(Self.told) == ["ready -", "saved b", "entitiesChanged board"]
      )
    }
  }

  @Test("A watch goes on over a restart: nothing is missed, and nothing comes twice")
  func restart() async throws {
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60))
    var changes = client.changes().makeAsyncIterator()
    _ = try await changes.next()
    var saved: [Int] = []
    var heard: [Int] = []
    for round in 1...4 {
      for number in 1...3 { saved.append(try await client.scene("\(number)").save(Navigation.boards("\(round)"))) }
      // Some of them are read before the end, and some after.
      heard += try await Self.next(round == 1 ? 3 : 2, &changes).map(\.revision)
      if round % 2 == 0 { daemon.stop() } else { daemon.kill() }
      daemon.start()
    }
    while heard.last != saved.last, let change = try await changes.next() { heard.append(change.revision) }
    // Of what happened while it was away a watch hears the last change of each scene.
    #expect(heard == heard.sorted() && Set(heard).count == heard.count)
    #expect(Set(heard).isSubset(of: saved) && Set(saved.suffix(3)).isSubset(of: heard))
  }

  @Test("What was erased before a restart is told as a gap")
  func gap() async throws {
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60))
    let first = try await client.scene("a").save(Navigation.boards("1"))
    try await client.scene("a").forget()
    daemon.stop()
    daemon.start()
    var changes = client.changes(after: first).makeAsyncIterator()
    let all = try await Self.next(2, &changes)
    #expect(all.map(\.event) == [.ready, .gap])
    #expect(all[1].revision > first)
  }

  @Test("A watch that the daemon let go of goes on after the revision that it names")
  func behind() async throws {
    @Sendable func event(_ type: String, _ revision: Int) -> String {
      #"{"parameters":{"event":{"type":"\#(type)","revision":\#(revision),"time":"2026-11-30T00:00:00.000Z"}},"#
        + #""continues":true}"#
    }
    let peer = try ScriptedPeer { connection in
      guard let call = connection.nextCall(), call.contains("\"more\":true") else { return }
      if call.contains("\"after\":7") {
        connection.reply(event("ready", 7))
        connection.reply(event("saved", 9))
        while connection.nextCall() != nil {}
      } else {
        connection.reply(event("ready", 4))
        connection.reply(event("saved", 5))
        connection.reply(#"{"error":"io.restored.WatchBehind","parameters":{"revision":7}}"#)
      }
    }
    var changes = SceneClient(app: "boards", socket: peer.path).changes().makeAsyncIterator()
    #expect(try await Self.next(3, &changes).map(\.revision) == [4, 5, 9])
  }

  @Test("A reader that is slow gets all that came, in order")
  func slow() async throws {
    let count = 20_000
    let peer = try ScriptedPeer { connection in
      guard connection.nextCall() != nil else { return }
      for revision in 1...count {
        connection.reply(
          #"{"parameters":{"event":{"type":"saved","revision":\#(revision),"time":"2026-11-30T00:00:00.000Z"}},"#
            + #""continues":true}"#
        )
      }
      while connection.nextCall() != nil {}
    }
    var changes = SceneClient(app: "boards", socket: peer.path).changes().makeAsyncIterator()
    var last = 0
    while last < count, let change = try await changes.next() {
      #expect(change.revision == last + 1)
      last = change.revision
    }
  }

  @Test("Without a daemon a watch does not begin; a cancelled one ends", arguments: Peer.allCases)
  func ends(_ peer: Peer) async throws {
    let missing = SceneClient(app: "boards", socket: "/nonexistent/io.restored")
    var none = missing.changes().makeAsyncIterator()
    let failure = await error { _ = try await none.next() }
    guard case .unavailable = failure else { return #expect(failure == nil) }
    try await peer.client { client in
      let isReady = AsyncStream<Void>.makeStream()
      let watch = Task {
        await error {
          for try await change in client.changes() where change.event == .ready { isReady.continuation.yield() }
        }
      }
      for await _ in isReady.stream { break }
      watch.cancel()
      #expect(await watch.value == .cancelled)
    }
  }
}
