import RestoreClient
import RestoreInterface
import TestSupport
import Testing
import Varlink

/// What becomes of calls whose reply never came.
@Suite struct LostReplyTests {
  private let daemon = DaemonProcess()

  private func client(_ proxy: LossyProxy) -> SceneClient {
    SceneClient(app: "boards", socket: proxy.socket, timeout: .seconds(60))
  }

  /// Somebody else, who saves `board` over whatever is there.
  private static func other(_ board: String) -> @Sendable (VarlinkClient) throws -> Void {
    { try $0.save(#"{"stacks":{"boards":[{"board":{"id":"\#(board)"}}]}}"#, app: "boards") }
  }

  /// The boards that the scene's history holds, oldest first.
  private func history() async throws -> [String] {
    let scene = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)).scene()
    var boards: [String] = []
    for entry in try await scene.history().reversed() {
      let state = try await scene.restore(Navigation.self, revision: entry.revision).state
      guard case .board(let id)? = state.stacks["boards"]?.last else { continue }
      boards.append(id)
    }
    return boards
  }

  @Test("A save that was made and not answered is not made again")
  func madeOnce() async throws {
    let proxy = try LossyProxy(
      daemon,
      ["Save": [.lostAfterThen(Self.other("theirs")), .answered, .answered, .lostAfter]]
    )
    let scene = client(proxy).scene()
    let first = try await scene.save(Navigation.boards("1"))
    let second = try await scene.save(Navigation.boards("2"))
    let third = try await scene.save(Navigation.boards("3"))
    let revisions = try await scene.history().map(\.revision)
    #expect([revisions[0], revisions[1], revisions[3]] == [third, second, first])
    #expect(try await history() == ["1", "theirs", "2", "3"])
  }

  @Test("A save that never arrived is made")
  func neverArrived() async throws {
    let proxy = try LossyProxy(daemon, ["Save": [.lostBefore, .lostBefore, .answered, .lostBefore]])
    let scene = client(proxy).scene()
    try await scene.save(Navigation.boards("1"))
    try await scene.save(Navigation.boards("2"), ifRevision: try await scene.restore(Navigation.self)?.newest)
    #expect(try await history() == ["1", "2"])
  }

  @Test("A save that was made, and overtaken by somebody else's before its caller was back, stays overtaken")
  func overtaken() async throws {
    let proxy = try LossyProxy(daemon, ["Save": [.answered, .lostAfterThen(Self.other("theirs"))]])
    let scene = client(proxy).scene()
    let first = try await scene.save(Navigation.boards("1"))
    let mine = try await scene.save(Navigation.boards("mine"))
    #expect(mine > first)
    #expect(try await history() == ["1", "mine", "theirs"])
    // And the next one goes over theirs.
    try await scene.save(Navigation.boards("3"))
    #expect(try await history() == ["1", "mine", "theirs", "3"])
  }

  @Test("A save of which the history cannot be asked whether it was made is not made again")
  func unknown() async throws {
    let proxy = try LossyProxy(
      daemon,
      [
        "Save": [.answered, .lostAfterThen(Self.other("theirs"))],
        "io.restored.Restore": Array(repeating: .lostBefore, count: 100),
      ]
    )
    let scene = client(proxy).scene()
    try await scene.save(Navigation.boards("1"))
    let failure = await error { try await scene.save(Navigation.boards("mine")) }
    guard case .unavailable(proxy.socket, _) = failure else { return #expect(failure == nil) }
    #expect(try await history() == ["1", "mine", "theirs"])
  }

  @Test("A save that never arrived goes over what somebody else saved meanwhile")
  func later() async throws {
    let proxy = try LossyProxy(daemon, ["Save": [.answered, .lostBeforeThen(Self.other("theirs"))]])
    let scene = client(proxy).scene()
    try await scene.save(Navigation.boards("1"))
    try await scene.save(Navigation.boards("mine"))
    #expect(try await history() == ["1", "theirs", "mine"])
  }

  @Test("With a condition, a save that never arrived is refused after somebody else's")
  func conditional() async throws {
    let proxy = try LossyProxy(daemon, ["Save": [.answered, .lostBeforeThen(Self.other("theirs"))]])
    let scene = client(proxy).scene()
    let first = try await scene.save(Navigation.boards("1"))
    let refusal = await error { try await scene.save(Navigation.boards("mine"), ifRevision: first) }
    guard case .revisionConflict("main", first, let actual) = refusal else { return #expect(refusal == nil) }
    #expect(try await scene.restore(Navigation.self)?.newest == actual)
    #expect(try await history() == ["1", "theirs"])
  }

  @Test("With a condition, a save that was made before somebody else's is answered with its own revision")
  func conditionalMade() async throws {
    let proxy = try LossyProxy(daemon, ["Save": [.answered, .lostAfterThen(Self.other("theirs"))]])
    let scene = client(proxy).scene()
    let first = try await scene.save(Navigation.boards("1"))
    let mine = try await scene.save(Navigation.boards("mine"), ifRevision: first)
    #expect(try await scene.restore(Navigation.self, revision: mine).state == .boards("mine"))
    #expect(try await history() == ["1", "mine", "theirs"])
  }

  @Test("Somebody else's saves in between are gone over, as a save without a condition says")
  func unconditional() async throws {
    let scene = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)).scene()
    try await scene.save(Navigation.boards("1"))
    try Self.other("theirs")(try daemon.client())
    try await scene.save(Navigation.boards("2"))
    #expect(try await history() == ["1", "theirs", "2"])
    try await scene.forget()
    try await scene.save(Navigation.boards("3"))
    #expect(try await history() == ["3"])
  }

  @Test("A save that a stalled daemon carries out late does not go over a newer one")
  func late() async throws {
    let proxy = try LossyProxy(daemon, ["late": [.held]])
    let hasty = SceneClient(app: "boards", socket: proxy.socket, timeout: .seconds(1)).scene()
    while await error({ try await hasty.save(Navigation.boards("1")) }) != nil {}
    #expect(await error { try await hasty.save(Navigation.boards("late")) } == .timedOut)
    while await error({ try await hasty.save(Navigation.boards("newer")) }) != nil {}
    let late = try #require(proxy.calls.first { $0.contains("late") })
    let connection = try daemon.client()
    try connection.send(frame: Array(late.utf8) + [0])
    #expect(try connection.receive().error == "io.restored.RevisionConflict")
    #expect(try await history() == ["1", "newer"])
  }

  @Test("Calls that may be made twice are, and those that may not are not")
  func repeated() async throws {
    let proxy = try LossyProxy(
      daemon,
      [
        "PutEntities": [.lostAfter], "CloseScene": [.lostAfter], "ReopenScene": [.lostAfter],
        "ForgetScene": [.lostAfter],
      ]
    )
    let client = client(proxy)
    try await client.entities("board").put(["b1"])
    #expect(try await client.entities("board").list() == ["b1"])
    for window in ["a", "b"] {
      try await client.scene(window).save(Navigation.boards("b1"))
      try await client.scene(window).close()
    }
    let failure = await error { try await client.reopenLastClosed() }
    guard case .unavailable(proxy.socket, let reason) = failure else { return #expect(failure == nil) }
    #expect(reason.contains("before it replied"))
    // Done once: the other one is still closed.
    #expect(try await client.scenes(closed: true).map(\.scene) == ["a"])
    try await client.scene("a").forget()
    #expect(try await client.scenes(closed: true).isEmpty)
  }

  @Test("A daemon that ends at each call is not asked for ever")
  func givesUp() async throws {
    let proxy = try LossyProxy(daemon, ["ListScenes": Array(repeating: .lostBefore, count: 100)])
    let failure = await error { _ = try await client(proxy).scenes() }
    guard case .unavailable = failure else { return #expect(failure == nil) }
    #expect(proxy.calls.count < 10)
  }
}
