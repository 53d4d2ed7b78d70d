import Foundation
import RestoreClient
import TestSupport
import Testing
import Varlink

/// The rules of queued saves, which hold with the daemon and in memory.
@Suite struct SaveQueueTests {
  /// So long that nothing is saved but by a flush.
  private static let never = Duration.seconds(86_400)

  @Test("A thousand in a burst are at most five saves, and the last is what is kept", arguments: Peer.allCases)
  func burst(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene()
      for number in 1...1_000 { scene.enqueue(Navigation.boards("\(number)"), autosave: false) }
      try await scene.flush()
      #expect(try await scene.restore(Navigation.self)?.state == .boards("1000"))
      #expect(try await scene.history().count <= 5)
    }
  }

  @Test("The last of a burst is on disk when the flush returns")
  func onDisk() async throws {
    let daemon = DaemonProcess()
    let scene = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)).scene()
    for number in 1...1_000 { scene.enqueue(Navigation.boards("\(number)")) }
    try await scene.flush()
    daemon.kill()
    daemon.start()
    #expect(try await scene.restore(Navigation.self)?.state == .boards("1000"))
  }

  @Test("What is queued is saved by itself", arguments: Peer.allCases)
  func byItself(_ peer: Peer) async throws {
    try await peer.client { client in
      client.scene().enqueue(Navigation.boards("b1"), after: .zero)
      // No flush: only asking until it is there.
      while try await client.scene().restore(Navigation.self) == nil { await Task.yield() }
      #expect(try await client.scene().restore(Navigation.self)?.state == .boards("b1"))
    }
  }

  @Test("Scenes are saved in the order in which they were queued, each with its newest state", arguments: Peer.allCases)
  func order(_ peer: Peer) async throws {
    try await peer.client { client in
      for window in ["b", "a", "c", "b"] {
        client.scene(window).enqueue(Navigation.boards(window + "!"), after: Self.never)
      }
      client.scene("a").enqueue(Navigation.boards("newest"), after: Self.never)
      try await client.flush()
      #expect(try await client.scenes().map(\.scene) == ["c", "a", "b"])
      #expect(try await client.scene("a").restore(Navigation.self)?.state == .boards("newest"))
    }
  }

  @Test("Autosaves take each other's place in the history, and others do not", arguments: Peer.allCases)
  func autosave(_ peer: Peer) async throws {
    try await peer.client { client in
      for number in 1...3 {
        client.scene("auto").enqueue(Navigation.boards("\(number)"), after: Self.never)
        client.scene("asked").enqueue(Navigation.boards("\(number)"), autosave: false, after: Self.never)
        try await client.flush()
      }
      #expect(try await client.scene("auto").history().count == 1)
      #expect(try await client.scene("asked").history().count == 3)
    }
  }

  @Test("What is queued for a scene that is closed or forgotten never lands", arguments: Peer.allCases)
  func closed(_ peer: Peer) async throws {
    try await peer.client { client in
      for (window, end) in [("a", SceneHandle.close), ("b", SceneHandle.forget)]
        as [(String, (SceneHandle) -> () async throws(RestoreError) -> Void)]
      {
        let scene = client.scene(window)
        try await scene.save(Navigation.boards("1"))
        scene.enqueue(Navigation.boards("2"), after: Self.never)
        try await end(scene)()
        try await client.flush()
      }
      #expect(try await client.scenes().isEmpty)
      #expect(try await client.scene("a").restore(Navigation.self)?.state == .boards("1"))
      // A new window of that name is saved again.
      client.scene("a").enqueue(Navigation.boards("3"), after: Self.never)
      try await client.flush()
      #expect(try await client.scenes().map(\.scene) == ["a"])
    }
  }

  @Test("Nothing queued lands after a reset, whatever was under way", arguments: Peer.allCases)
  func reset(_ peer: Peer) async throws {
    try await peer.client { client in
      for number in 1...40 { client.scene("window \(number)").enqueue(Navigation.boards("1"), after: .zero) }
      try await client.reset()
      try await client.flush()
      #expect(try await client.scenes().isEmpty)
    }
  }

  @Test("A save overtakes what is queued; where it fails, the queued state is still there", arguments: Peer.allCases)
  func overtaken(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene()
      scene.enqueue(Navigation.boards("queued"), after: Self.never)
      try await scene.save(Navigation.boards("saved"))
      try await scene.flush()
      #expect(try await scene.restore(Navigation.self)?.state == .boards("saved"))
      scene.enqueue(Navigation.boards("queued"), after: Self.never)
      let refusal = await error { try await scene.save(["no": "state"]) }
      #expect(refusal != nil)
      try await scene.flush()
      #expect(try await scene.restore(Navigation.self)?.state == .boards("queued"))
    }
  }

  @Test("A rollback comes after what was queued before it", arguments: Peer.allCases)
  func rollback(_ peer: Peer) async throws {
    try await peer.client { client in
      let first = try await client.scene().save(Navigation.boards("1"))
      client.scene().enqueue(Navigation.boards("2"), after: Self.never)
      try await client.scene().rollback(to: first)
      try await client.flush()
      #expect(try await client.scene().restore(Navigation.self)?.state == .boards("1"))
      #expect(try await client.scene().history().count == 3)
    }
  }

  @Test("A state that is refused is told of, once, and not tried again", arguments: Peer.allCases)
  func refused(_ peer: Peer) async throws {
    try await peer.client { client in
      let scene = client.scene()
      scene.enqueue(["no": "state"], after: Self.never)
      let refusal = await error { try await scene.flush() }
      guard case .invalidState = refusal else { return #expect(refusal == nil) }
      #expect(await error { try await scene.flush() } == refusal)
      try await client.flush()
      try await scene.save(Navigation.boards("1"))
      try await scene.flush()
    }
  }

  @Test("While the daemon is away what is queued waits, and the newest is saved when it is back")
  func away() async throws {
    let daemon = DaemonProcess()
    let failures = Locked<[String]>([])
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .milliseconds(500)) { scene, _ in
      failures.withLock { $0.append(scene) }
    }
    let scene = client.scene()
    // On a busy machine half a second may be too short.
    while await error({ try await scene.save(Navigation.boards("1")) }) != nil {}
    daemon.kill()
    scene.enqueue(Navigation.boards("2"), after: Self.never)
    let failure = await error { try await scene.flush() }
    guard case .unavailable = failure else { return #expect(failure == nil) }
    #expect(failures.withLock { $0 } == ["main"])
    scene.enqueue(Navigation.boards("3"), after: Self.never)
    daemon.start()
    // Now and then the first connection takes longer than that on a busy machine.
    while await error({ try await scene.flush() }) != nil {}
    #expect(try await scene.restore(Navigation.self)?.state == .boards("3"))
    #expect(try await scene.history().count == 2)
  }

  @Test("A flush that is cancelled leaves the state queued")
  func cancelled() async throws {
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(3_600))
    let scene = client.scene()
    try await scene.save(Navigation.boards("1"))
    daemon.kill()
    scene.enqueue(Navigation.boards("2"), after: Self.never)
    let flush = Task { await error { try await scene.flush() } }
    flush.cancel()
    #expect(await flush.value == .cancelled)
    daemon.start()
    try await scene.flush()
    #expect(try await scene.restore(Navigation.self)?.state == .boards("2"))
  }

  @Test("What a client in memory kept is gone with its process, also what it had queued")
  func exitInMemory() {
    let folder = TemporaryFolder()
    let app = Finished(Files.products + "/queue-exit-app", ["memory"], environment: ["TMPDIR": folder.path])
    #expect(app.ending == .exit(3))
    #expect(app.text == "saved\n")
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == [])
  }

  @Test("What is queued is saved when the process exits")
  func exit() async throws {
    let daemon = DaemonProcess()
    let app = Finished(Files.products + "/queue-exit-app", [daemon.socket])
    #expect(app.ending == .exit(3))
    let client = SceneClient(app: "exit", socket: daemon.socket)
    #expect(try await client.scene().restore(Navigation.self)?.state == .boards("last"))
  }
}
