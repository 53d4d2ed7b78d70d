import FoundationEssentials
import Glibc
import RestoreClient
import RestoreInMemory
import TestSupport
import Testing

@testable import SceneRouting

/// What another process deletes while a scene is shown.
@MainActor @Suite("Scenes that look again") struct RecheckingTests {
  private let daemon = DaemonProcess()
  private let never = Duration.seconds(3_600)

  private var client: SceneClient { SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)) }

  /// A scene that shows two boards, both of which exist.
  private func twoBoards(_ client: SceneClient, stale: StalePolicy = .drop) async throws -> Router<Boards> {
    try await client.entities("board").put(["b1", "b2"])
    let router = Router<Boards>(selected: .boards)
    await router.keep(in: client.scene(), stale: stale, saveAfter: never, confirmAfter: never)
    router.path = [.board(id: "b1"), .board(id: "b2")]
    return router
  }

  private func kept(_ router: Router<Boards>) throws -> KeptScene<Boards> {
    try #require(router.keeper as? KeptScene<Boards>)
  }

  /// What each look found, as it is told.
  private func looks(_ kept: KeptScene<Boards>) -> AsyncStream<[Dropped]>.Iterator {
    let (looks, seen) = AsyncStream<[Dropped]>.makeStream()
    kept.recheckWhenEntitiesChange { seen.yield($0) }
    return looks.makeAsyncIterator()
  }

  /// Waits for the look that finds something.
  private func next(_ looks: inout AsyncStream<[Dropped]>.Iterator) async throws -> [String] {
    while let dropped = await looks.next(isolation: #isolation) {
      if !dropped.isEmpty { return dropped.map(\.path) }
    }
    throw RestoreError.cancelled
  }

  @Test("what is deleted by another process is closed when the app looks again")
  func recheck() async throws {
    let router = try await twoBoards(client)
    let kept = try kept(router)
    #expect(try await kept.recheck().isEmpty)
    try await client.entities("board").delete(["b1"])
    #expect(try await kept.recheck().map(\.path) == ["/stacks/boards/0"])
    #expect(router.path == [.board(id: "b2")])
  }

  @Test("a modal that waits and shows what is gone never comes up")
  func waiting() async throws {
    let router = try await twoBoards(client)
    for board in ["b2", "b1"] { router.present(.newCard(boardID: board)) }
    router.present(.player, as: .cover)
    try await client.entities("board").delete(["b1"])
    _ = try await kept(router).recheck()
    #expect(router.modals.mapValues(\.modal) == [.sheet: .newCard(boardID: "b2")])
    router.dismiss()
    #expect(router.modals.mapValues(\.modal) == [.cover: .player])
  }

  @Test("a person who goes on while the app looks stays where they went, less what does not exist there")
  func goesOn() async throws {
    let router = try await twoBoards(client)
    let kept = try kept(router)
    try await client.entities("board").delete(["b1"])
    daemon.process.send(SIGSTOP)
    let looking = Task { try await kept.recheck() }
    for _ in 0..<100 { await Task.yield() }
    router.path = [.settings, .board(id: "b2"), .board(id: "b1")]
    daemon.process.send(SIGCONT)
    #expect(try await looking.value.map(\.path) == ["/stacks/boards/2"])
    #expect(router.path == [.settings, .board(id: "b2")])
  }

  @Test("asked to, a scene closes by itself what another process deletes, and says each time what went")
  func byItself() async throws {
    let router = try await twoBoards(client)
    var looks = looks(try kept(router))
    #expect(await looks.next(isolation: #isolation) == [], "the first look is at once")
    try await client.entities("board").delete(["b1"])
    #expect(try await next(&looks) == ["/stacks/boards/0"])
    #expect(router.path == [.board(id: "b2")])
    router.push(.card(boardID: "b2", cardID: 1))
    // A sync of other ids deletes too, and from the first put on a kind is checked.
    try await client.entities("card").put([2])
    #expect(try await next(&looks) == ["/stacks/boards/1"])
    try await client.entities("board").sync(["b3"])
    #expect(try await next(&looks) == ["/stacks/boards/0"])
    #expect(router.path.isEmpty)
  }

  @Test("what was deleted between the restore and the watch is closed too")
  func before() async throws {
    let router = try await twoBoards(client)
    try await client.entities("board").delete(["b2"])
    var looks = looks(try kept(router))
    #expect(try await next(&looks) == ["/stacks/boards/1"])
  }

  @Test("that goes on over a restart of the daemon, and begins once there is one")
  func restart() async throws {
    let router = try await twoBoards(client)
    daemon.kill()
    var looks = looks(try kept(router))
    daemon.start()
    #expect(await looks.next(isolation: #isolation) == [])
    daemon.kill()
    daemon.start()
    try await client.entities("board").delete(["b1"])
    #expect(try await next(&looks) == ["/stacks/boards/0"])
  }

  @Test("where stale routes are kept nothing is closed, and it is said all the same")
  func keeps() async throws {
    let router = try await twoBoards(client, stale: .keep)
    var looks = looks(try kept(router))
    try await client.entities("board").delete(["b1"])
    #expect(try await next(&looks) == ["/stacks/boards/0"])
    #expect(router.path.count == 2)
  }

  @Test("a thousand deletions are no more looks than that, and the last one sees the last deletion")
  func burst() async throws {
    let client = SceneClient.inMemory(app: "boards")
    let router = try await twoBoards(client)
    try await client.entities("board").put((0..<1_000).map { "x\($0)" })
    var count = 0
    let (told, seen) = AsyncStream<[Dropped]>.makeStream()
    try kept(router).recheckWhenEntitiesChange {
      count += 1
      if !$0.isEmpty { seen.yield($0) }
    }
    for number in 0..<1_000 { try await client.entities("board").delete(["x\(number)"]) }
    try await client.entities("board").delete(["b1"])
    for await dropped in told {
      #expect(dropped.map(\.id) == ["b1"])
      break
    }
    #expect(count <= 1_002)
    #expect(router.path == [.board(id: "b2")])
  }

  @Test("a scene that is kept no more watches no more, nor does one whose router is gone")
  func ends() async throws {
    var router: Router<Boards>? = try await twoBoards(client)
    let asking = try daemon.client()
    let before = try asking.openConnections()
    var looks = try looks(kept(router!))
    _ = await looks.next(isolation: #isolation)
    #expect(try asking.openConnections() == before + 1)
    try kept(router!).abandon()
    // Its connection ends when the task that reads it has been cancelled.
    while try asking.openConnections() != before { await Task.yield() }
    try kept(router!).recheckWhenEntitiesChange()
    #expect(try kept(router!).entityWatch == nil)

    router = try await twoBoards(client)
    var others = try self.looks(kept(router!))
    _ = await others.next(isolation: #isolation)
    router = nil
    while try asking.openConnections() > before + 1 { await Task.yield() }
  }
}
