import Foundation
import RestoreClient
import Synchronization
import TestSupport
import Testing

/// What becomes of calls while the real daemon is killed and started again.
@Suite struct RestartTests {
  @Test("A client goes on with a daemon that was killed and started again, or asked to stop")
  func restarted() async throws {
    let daemon = DaemonProcess()
    let scene = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)).scene()
    try await scene.save(Navigation.boards("1"))
    daemon.kill()
    daemon.start()
    #expect(try await scene.restore(Navigation.self)?.state == .boards("1"))
    daemon.stop()
    daemon.start()
    try await scene.save(Navigation.boards("2"))
    #expect(try await scene.history().count == 2)
  }

  @Test("A call made while the daemon is away waits for it")
  func waits() async throws {
    let daemon = DaemonProcess()
    let scene = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(60)).scene()
    try await scene.save(Navigation.boards("1"))
    daemon.kill()
    async let saved = scene.save(Navigation.boards("2"))
    async let restored = scene.client.scenes()
    daemon.start()
    let revision = try await saved
    #expect(try await restored.map(\.scene) == ["main"])
    #expect(try await scene.restore(Navigation.self)?.revision == revision)
  }

  @Test("Where no daemon ever was, calls say so at once; one that comes later is found")
  func missing() async throws {
    let daemon = DaemonProcess(starting: false)
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(3_600))
    let failure = await error { _ = try await client.scene().restore(Navigation.self) }
    #expect(failure == .unavailable(socket: daemon.socket, reason: "there is no socket at \(daemon.socket)"))
    daemon.start()
    try await client.scene().save(Navigation.boards("1"))
  }

  @Test("A daemon that does not come back in time is unavailable, then at once")
  func gone() async throws {
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .milliseconds(300))
    // On a busy machine a third of a second may be too short.
    while await error({ _ = try await client.scenes() }) != nil {}
    daemon.kill()
    for _ in 1...2 {
      let failure = await error { _ = try await client.scenes() }
      guard case .unavailable(daemon.socket, let reason) = failure else { return #expect(failure == nil) }
      #expect(reason.contains(daemon.socket))
    }
    daemon.start()
    while await error({ _ = try await client.scenes() }) != nil {}
  }

  @Test("Killed at random under load, the daemon holds each save once, in order, and all that were answered")
  func killedUnderLoad() async throws {
    var random = SeededGenerator(seed: .random(in: 0 ... .max))
    print("seed \(random.seed)")
    let daemon = DaemonProcess()
    let client = SceneClient(app: "boards", socket: daemon.socket, timeout: .seconds(120))
    var table = RouteTable()
    table.history = 1_000
    try await client.setRoutes(table)
    let scenes = (1...3).map { client.scene("window \($0)") }
    var counts = scenes.map { _ in 0 }
    for _ in 1...3 {
      counts = try await Self.save(scenes, after: counts) {
        // A call is sent five times at most. Where the machine is so busy that none is answered between two kills, all of
        // a round fall on one call: a round has fewer, and the next begins when that call was answered.
        for _ in 1...3 {
          try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &random)))
          daemon.kill()
          daemon.start()
        }
      }
    }
    for (index, scene) in scenes.enumerated() {
      var saved: [Navigation] = []
      for entry in try await scene.history().reversed() {
        saved.append(try await scene.restore(Navigation.self, revision: entry.revision).state)
      }
      #expect(saved == (0..<counts[index]).map { .boards("\($0 + 1)") }, "seed \(random.seed)")
    }
  }

  /// Saves one state after the other in each scene while `body` runs, and waits until every save is answered.
  ///
  /// - Parameter counts: how many each scene has; the numbers go on from there.
  /// - Returns: how many each scene has then, at least one more.
  private static func save(
    _ scenes: [SceneHandle],
    after counts: [Int],
    while body: () async throws -> Void
  ) async throws -> [Int] {
    let isOver = Flag()
    return try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for (index, (scene, count)) in zip(scenes, counts).enumerated() {
        group.addTask {
          var last = count
          repeat {
            last += 1
            try await scene.save(Navigation.boards("\(last)"))
          } while !isOver.isSet && last < count + maximumSaves
          return (index, last)
        }
      }
      try await body()
      isOver.set()
      return try await group.reduce(into: counts) { $0[$1.0] = $1.1 }
    }
  }

  /// In one round and scene: all of them fit into the history.
  private static let maximumSaves = 300
}

/// Something that many tasks look at.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
