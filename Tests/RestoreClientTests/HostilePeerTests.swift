import Foundation
import RestoreClient
import Synchronization
import TestSupport
import Testing
import Varlink

/// What becomes of calls to a peer that does not answer, or answers what no daemon would.
@Suite struct HostilePeerTests {
  private static let revision = #"{"parameters":{"revision":7,"savedAt":"2026-11-30T00:00:00.000Z","changed":true}}"#
  private static let noRevisions = #"{"parameters":{"revisions":[]}}"#
  private static let noScenes = #"{"parameters":{"scenes":[]}}"#

  @Test("A peer that says nothing is given up after the time given, and the next call is made on a new connection")
  func mute() async throws {
    let connections = Atomic<Int>(0)
    let peer = try ScriptedPeer { connection in
      let isFirst = connections.add(1, ordering: .relaxed).newValue == 1
      while connection.nextCall() != nil { if !isFirst { connection.reply(Self.noScenes) } }
    }
    let client = SceneClient(app: "boards", socket: peer.path, timeout: .milliseconds(200))
    #expect(await error { _ = try await client.scenes() } == .timedOut)
    let patient = SceneClient(app: "boards", socket: peer.path, timeout: .seconds(60))
    #expect(try await patient.scenes().isEmpty)
  }

  @Test("A peer that never takes connections in is given up, also where nobody more may wait for it")
  func unaccepting() async throws {
    let folder = TemporaryFolder()
    let listener = try UnixSocket.listen(path: folder.file("s"), mode: 0o600)
    listen(listener.number, 0)
    let clients = (1...4).map { _ in SceneClient(app: "boards", socket: folder.file("s"), timeout: .milliseconds(200)) }
    for client in clients {
      let failure = await error { _ = try await client.scenes() }
      #expect(
        failure == .timedOut
      )
    }
  }

  @Test("A cancelled call ends at once, and its late reply is not taken for the next call's")
  func cancelled() async throws {
    let hasCall = AsyncStream<Void>.makeStream()
    let peer = try ScriptedPeer { connection in
      guard connection.nextCall() != nil else { return }
      hasCall.continuation.yield()
      guard connection.nextCall() != nil else { return }
      connection.reply(#"{"parameters":{"scenes":"the first call's"}}"#)
      connection.reply(Self.noScenes)
      while connection.nextCall() != nil {}
    }
    let client = SceneClient(app: "boards", socket: peer.path, timeout: .seconds(3_600))
    let first = Task { await error { _ = try await client.scenes() } }
    for await _ in hasCall.stream { break }
    first.cancel()
    #expect(await first.value == .cancelled)
    #expect(try await client.scenes().isEmpty)
  }

  @Test("A call that waits for the daemon, or for another save of its scene, can be cancelled")
  func cancelledWaiting() async throws {
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(3_600))
    let scene = client.scene()
    try await scene.save(Navigation.boards("1"))
    daemon.kill()
    let first = Task { await error { try await scene.save(Navigation.boards("2")) } }
    let second = Task { await error { try await scene.save(Navigation.boards("3")) } }
    let third = Task { await error { try await scene.close() } }
    let fourth = Task { await error { _ = try await client.scenes() } }
    for task in [third, second, fourth, first] {
      task.cancel()
      #expect(await task.value == .cancelled)
    }
    let never = Task { () -> RestoreError? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await error { _ = try await client.scenes() }
    }
    #expect(await never.value == .cancelled)
    daemon.start()
    #expect(try await scene.restore(Navigation.self)?.state == .boards("1"))
  }

  @Test(
    "What is no reply of the interface is said to be none, and the client goes on",
    arguments: [
      "no JSON at all", #"{"parameters":{"scenes":[]},"continues":true}"#, "{}", #"{"parameters":[]}"#,
      #"{"parameters":{"scenes":[{"scene":"main"}]}}"#,
      #"{"parameters":{"scenes":7}}"#, #"{"error":"com.example.Odd","parameters":{}}"#,
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"x"}}"#,
      #"{"error":"io.restored.RevisionConflict","parameters":{}}"#,
    ]
  )
  func malformed(_ reply: String) async throws {
    let peer = try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        connection.reply(
          call.contains("ListScenes") ? reply : call.contains("ListRevisions") ? Self.noRevisions : Self.revision
        )
      }
    }
    let client = SceneClient(app: "boards", socket: peer.path, timeout: .seconds(60))
    let failure = await error { _ = try await client.scenes() }
    guard case .unexpectedReply = failure else { return #expect(failure == nil) }
    #expect(try await client.scene().save(Navigation.boards("b1")) == 7)
  }

  @Test(
    "Errors that the interface names come with what they hold",
    arguments: [
      (
        #"{"error":"io.restored.StorageFull","parameters":{"remedy":"make room"}}"#,
        RestoreError.storageFull(remedy: "make room")
      ),
      (
        #"{"error":"io.restored.StorageFailed","parameters":{"reason":"I/O","remedy":"look"}}"#,
        .storageFailed(reason: "I/O", remedy: "look")
      ),
      (
        #"{"error":"io.restored.QuotaExceeded","parameters":{"maximum":1,"actual":2,"remedy":"less"}}"#,
        .quotaExceeded(maximum: 1, actual: 2, remedy: "less")
      ),
      (
        #"{"error":"io.restored.SceneExpired","parameters":{"scene":"s","savedAt":"t","maximumAgeSeconds":3}}"#,
        .sceneExpired(scene: "s", savedAt: "t", maximumAgeSeconds: 3)
      ),
      (#"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"app"}}"#, .invalidParameter("app")),
    ]
  )
  func errors(_ reply: String, _ expected: RestoreError) async throws {
    let peer = try ScriptedPeer(replies: [reply])
    let client = SceneClient(app: "boards", socket: peer.path, timeout: .seconds(60))
    let failure = await error { _ = try await client.scenes() }
    #expect(failure == expected)
    #expect(!"\(expected)".isEmpty)
  }
}
