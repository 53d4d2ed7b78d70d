import FoundationEssentials
import Glibc
import RestoreClient
import TestSupport
import Testing

@testable import SceneRouting

/// The scenes of an app, kept by a real daemon.
///
/// Delays are an hour where a test says itself when to save, so that nothing is saved but for what it does.
@MainActor @Suite struct KeptSceneTests {
  private let daemon = DaemonProcess()
  private let never = Duration.seconds(3_600)

  private var client: SceneClient { SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)) }

  private func newRouter() -> Router<Boards> { Router(selected: .boards) }

  /// Starts the app: a router that is kept, and saves only when told.
  @discardableResult private func start(_ router: Router<Boards>, _ scene: String = "main", opening url: URL? = nil)
    async -> KeptScene<Boards>
  {
    await router.keep(in: client.scene(scene), opening: url, saveAfter: never, confirmAfter: never)
  }

  /// What a start in another process would show now.
  private func saved(_ scene: String = "main") async throws -> SceneState<Boards>? {
    try await client.scene(scene).restore(SceneState<Boards>.self)?.state
  }

  @Test("rule 28: what was saved when the app was sent to the background is there at the next start")
  func background() async throws {
    let router = newRouter()
    let kept = await start(router)
    #expect(kept.origin == .fresh && kept.tableFailure == nil)
    router.select(.inbox)
    router.push(.settings)
    router.values.draft = "Dear"
    router.present(.newCard(boardID: "b1"))
    router[inside: .sheet] = [.list("l")]
    kept.enteredBackground()
    try await kept.flush()
    kept.abandon()

    let again = newRouter()
    let back = await start(again)
    #expect(again.state == router.state)
    #expect(back.origin == .restored(revision: try await client.scenes()[0].revision))
  }

  @Test("each change is saved by itself, a moment later")
  func byItself() async throws {
    let router = newRouter()
    let kept = await router.keep(in: client.scene(), saveAfter: .milliseconds(1), confirmAfter: never)
    router.push(.settings)
    await kept.timer?.value
    try await kept.scene.flush()
    #expect(try await saved() == router.state)
    router.push(.list("l"))
    await kept.timer?.value
    try await kept.scene.flush()
    #expect(try await saved() == router.state)
  }

  @Test("a thousand pushes in a burst are at most five saves, and the last state is what is on disk")
  func burst() async throws {
    let router = newRouter()
    let kept = await router.keep(in: client.scene(), confirmAfter: never)
    let watch = try WatchStream(daemon, app: "boards", scene: "main")
    for number in 0..<1_000 { router.push(.list("\(number)")) }
    await kept.timer?.value
    try await kept.scene.flush()
    #expect(try await saved()?[.boards].count == 1_000)
    #expect(try await saved() == router.state)
    // Numbers are given to changes in turn: so many there were since the watch began.
    let begun = try watch.nextEvent().revision
    let last = try await client.scenes()[0].revision
    #expect(last > begun && last - begun <= 5)
  }

  @Test("without a daemon the app starts all the same, and what changes is saved when there is one")
  func noDaemon() async throws {
    daemon.kill()
    let router = newRouter()
    let kept = await start(router)
    guard case .failed(.unavailable) = kept.origin else { throw Unexpected(what: kept.origin) }
    router.push(.settings)
    await #expect(throws: RestoreError.self) { try await kept.flush() }
    daemon.start()
    try await kept.flush()
    #expect(try await saved() == router.state)
  }

  @Test("what could not be restored is not saved over before a change, and is in the history after it")
  func failedRestore() async throws {
    let router = newRouter()
    let kept = await start(router)
    router.push(.settings)
    try await kept.flush()
    let old = try await client.scenes()[0].revision
    kept.abandon()
    daemon.kill()
    let again = newRouter()
    again.select(.inbox)
    let failed = await start(again)
    guard case .failed(.unavailable) = failed.origin else { throw Unexpected(what: failed.origin) }
    daemon.start()
    try await failed.flush()
    #expect(try await client.scenes()[0].revision == old, "the person has changed nothing since")
    again.push(.settings)
    try await failed.flush()
    #expect(try await saved() == again.state)
    #expect(try await client.scene().history().map(\.revision).contains(old))
  }

  @Test("a window that is closed without a service keeps what was to be saved")
  func closedWithoutService() async throws {
    let router = newRouter()
    let impatient = SceneClient(app: "boards", socket: daemon.socket, timeout: .milliseconds(500))
    let kept = await router.keep(in: impatient.scene(), saveAfter: never, confirmAfter: never)
    router.push(.settings)
    try await kept.flush()
    daemon.kill()
    router.push(.list("last"))
    await #expect(throws: RestoreError.self) { try await kept.close() }
    daemon.start()
    try await impatient.flush()
    #expect(try await saved() == router.state)
  }

  @Test("a state that the service refuses is not tried again, and what was saved before stays")
  func refused() async throws {
    let router = newRouter()
    let kept = await start(router)
    router.push(.settings)
    try await kept.flush()
    let good = router.state
    router.path = (0...4_096).map { .list("\($0)") }
    await #expect(throws: RestoreError.limitExceeded(limit: "routes", maximum: 4_096, actual: 4_097)) {
      try await kept.flush()
    }
    #expect(kept.timer == nil)
    #expect(try await saved() == good)
    router.path = [.list("short")]
    try await kept.flush()
    #expect(try await saved() == router.state)
  }

  @Test("rule 29: an app that is opened by a link is restored first, and then follows the link")
  func launchByLink() async throws {
    let router = newRouter()
    let kept = await start(router)
    router.select(.inbox)
    router.push(.settings)
    await kept.end()

    let again = newRouter()
    await start(again, opening: link("boards://board/b1"))
    #expect(again.selectedTab == .boards && again.path == [.board(id: "b1")])
    #expect(again[.inbox] == [.settings], "what was restored is still there")
  }

  @Test("rule 30: routes to what no longer exists are left out at the start, and named")
  func dropped() async throws {
    let router = newRouter()
    try await client.entities("board").put(["b1"])
    try await client.entities("card").put([1, 2])
    let kept = await start(router)
    router.path = [.board(id: "b1"), .card(boardID: "b1", cardID: 1), .card(boardID: "b1", cardID: 2)]
    await kept.end()
    try await client.entities("card").delete([1])

    let again = newRouter()
    let back = await start(again)
    #expect(again.path == [.board(id: "b1"), .card(boardID: "b1", cardID: 2)])
    #expect(back.dropped.map(\.path) == ["/stacks/boards/1"])
    #expect(back.dropped.first?.kind == "card" && back.dropped.first?.id == "1")
  }

  @Test("with truncate what stood above a route that is gone goes with it, at the start and when it is deleted")
  func truncated() async throws {
    let router = newRouter()
    let kept = await router.keep(in: client.scene(), stale: .truncate, saveAfter: never, confirmAfter: never)
    router.path = [.board(id: "b1"), .list("l"), .board(id: "b2"), .settings]
    await kept.end()
    try await client.entities("board").put(["b1"])

    let again = newRouter()
    await again.keep(in: client.scene(), stale: .truncate, saveAfter: never, confirmAfter: never)
    #expect(again.path == [.board(id: "b1"), .list("l")])
    again.entityWasDeleted("board", "b1")
    #expect(again.path.isEmpty)
  }

  @Test("a pushed flow that is restored ends where it began, though a route below it was left out")
  func flowAfterDrop() async throws {
    let router = Router<Boards>(selected: .boards, flowStyle: .push)
    try await client.entities("board").put(["b1", "b2"])
    let kept = await start(router)
    router.path = [.board(id: "b1"), .board(id: "b2")]
    router.beginFlow(cover: .player, orPush: .list("flow"))
    router.push(.settings)
    await kept.end()
    try await client.entities("board").delete(["b1"])

    let again = Router<Boards>(selected: .boards, flowStyle: .push)
    await start(again)
    #expect(again.path == [.board(id: "b2"), .list("flow"), .settings])
    again.endFlow()
    #expect(again.path == [.board(id: "b2")])
  }

  @Test("with keep stale routes stay and are named, and a flow above them still ends where it began")
  func staleKept() async throws {
    let router = Router<Boards>(selected: .boards, flowStyle: .push)
    let kept = await start(router)
    router.path = [.board(id: "b1"), .settings]
    router.beginFlow(cover: .player, orPush: .list("flow"))
    await kept.end()
    try await client.entities("board").put([String]())

    let again = Router<Boards>(selected: .boards, flowStyle: .push)
    let back = await again.keep(in: client.scene(), stale: .keep, saveAfter: never, confirmAfter: never)
    #expect(again.state == router.state && back.dropped.map(\.path) == ["/stacks/boards/0"])
    #expect(again.entityWasDeleted("board", "b1").count == 1)
    again.endFlow()
    #expect(again.path == [.board(id: "b1"), .settings])
  }

  @Test("what this release cannot read is left out and named, and the rest comes back")
  func skipped() async throws {
    let json = #"{"selectedTab":"home","stacks":{"boards":[{"project":{"id":"b1"}},{"later":{}},{"settings":{}}]}}"#
    try daemon.client().save(json, app: "boards")
    let router = newRouter()
    let kept = await start(router)
    #expect(router.selectedTab == .boards)
    #expect(router.path == [.board(id: "b1"), .settings], "a renamed case is read by its new name")
    #expect(kept.skipped.map(\.path) == ["/stacks/boards/1"])
  }

  @Test("whoever is faster than the restore stays where they went, and the saved state stays in the history")
  func overtaken() async throws {
    let first = newRouter()
    first.push(.board(id: "b1"))
    let kept = await start(first)
    first.push(.settings)
    await kept.end()
    let revision = try await client.scenes()[0].revision

    daemon.process.send(SIGSTOP)
    let router = newRouter()
    let keeping = Task { await start(router) }
    while !router.isRestoring { await Task.yield() }
    router.push(.list("mine"))
    daemon.process.send(SIGCONT)
    let back = await keeping.value
    #expect(back.origin == .overtaken(revision: revision))
    #expect(router.path == [.list("mine")])
    try await back.flush()
    #expect(try await saved() == router.state)
    #expect(try await client.scene().restore(SceneState<Boards>.self, revision: revision).state == first.state)
  }

  @Test("rule 97: every window keeps a scene of its own")
  func twoWindows() async throws {
    let (left, right) = (newRouter(), newRouter())
    let keptLeft = await start(left, "left")
    let keptRight = await start(right, "right")
    left.push(.settings)
    right.select(.inbox)
    await keptLeft.end()
    await keptRight.end()
    #expect(try await saved("left") == left.state)
    #expect(try await saved("right") == right.state)
    #expect(Set(try await client.scenes().map(\.scene)) == ["left", "right"])
  }

  @Test("a closed window is not among those to reopen, and its place is kept")
  func close() async throws {
    let router = newRouter()
    let kept = await start(router)
    router.push(.settings)
    try await kept.close()
    router.push(.list("after"))
    #expect(try await client.scenes().isEmpty)
    #expect(try await client.scenes(closed: true).map(\.scene) == ["main"])
    #expect(try await saved()?[.boards] == [.settings])
  }

  @Test("after a logout nothing that was to be saved lands, in any window; after the next login it does again")
  func logOut() async throws {
    let (left, right) = (newRouter(), newRouter())
    let keptLeft = await start(left, "left")
    let keptRight = await start(right, "right")
    left.push(.settings)
    try await keptLeft.flush()
    left.push(.list("secret"))
    right.push(.list("secret"))
    keptLeft.handOver()
    keptRight.handOver()
    try await keptLeft.logOut()
    try await keptLeft.flush()
    try await keptRight.flush()
    #expect(!left.hasRoot && !right.hasRoot && right.path.isEmpty)
    #expect(try await client.scenes().isEmpty)

    left.setUpRoot()
    left.push(.settings)
    try await keptLeft.flush()
    #expect(try await saved("left") == left.state)
  }

  private struct Unexpected: Error { let what: KeptScene<Boards>.Origin }
}

/// Launch and Confirm as a kept scene makes them.
@MainActor @Suite("The guard of kept scenes") struct KeptSceneGuardTests {
  private let daemon = DaemonProcess()
  private let never = Duration.seconds(3_600)

  private var scene: SceneHandle { SceneClient(app: "boards", socket: daemon.socket).scene() }

  private func launch(_ router: Router<Boards> = Router(selected: .boards)) async -> KeptScene<Boards> {
    await router.keep(in: scene, saveAfter: never, confirmAfter: never)
  }

  @Test("a state that crashes the app at each start is served three times, then the last one that was shown is")
  func fallsBack() async throws {
    let router = Router<Boards>(selected: .boards)
    let first = await launch(router)
    router.push(.settings)
    await first.end()
    let good = try await scene.client.scenes()[0].revision
    // Launched and ended in good order: that revision is confirmed.
    let second = await launch(router)
    router.push(.list("crashes"))
    try await second.flush()
    await second.confirm()
    second.abandon()
    let bad = try await scene.client.scenes()[0].revision

    for _ in 0..<3 {
      let crashing = Router<Boards>(selected: .boards)
      let kept = await launch(crashing)
      #expect(kept.origin == .restored(revision: bad))
      #expect(crashing.path.last == .list("crashes"))
      kept.abandon()
    }
    let led = Router<Boards>(selected: .boards)
    let kept = await launch(led)
    #expect(kept.origin == .fallback(revision: good, quarantined: [bad]))
    #expect(led.path == [.settings])
    await kept.end()
    #expect(await launch().origin == .fallback(revision: good, quarantined: [bad]), "until something is saved")
  }

  @Test("saving does not confirm: an app that saves before it crashes is led out too, to an empty scene at last")
  func savesDoNotConfirm() async throws {
    let router = Router<Boards>(selected: .boards)
    let first = await launch(router)
    router.push(.settings)
    try await first.flush()
    first.abandon()
    for number in 0..<3 {
      let crashing = Router<Boards>(selected: .boards)
      let kept = await launch(crashing)
      crashing.push(.list("\(number)"))
      try await kept.flush()
      kept.abandon()
    }
    let led = Router<Boards>(selected: .boards)
    let kept = await launch(led)
    guard case .empty = kept.origin else {
      Issue.record("\(kept.origin)")
      return
    }
    #expect(led.state == SceneState(selectedTab: .boards))
    await kept.confirm()
    #expect(kept.isConfirmed)
  }

  @Test("an app that lives is confirmed by itself")
  func confirmsByItself() async throws {
    let router = Router<Boards>(selected: .boards)
    let first = await launch(router)
    router.push(.settings)
    await first.end()
    let kept = await router.keep(in: scene, confirmAfter: .milliseconds(1))
    #expect(try await scene.client.scenes()[0].unconfirmedLaunches <= 1)
    await kept.confirming?.value
    #expect(kept.isConfirmed)
    #expect(try await scene.client.scenes()[0].unconfirmedLaunches == 0)
    #expect(try await scene.history()[0].confirmed)
  }
}
