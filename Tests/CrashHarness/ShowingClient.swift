import RestoreInterface
import Varlink

/// An app that launches, confirms, saves, closes and reopens its scene.
final class ShowingClient: LoadClient, @unchecked Sendable {
  /// Launches before one is served an older revision.
  private static let patience = 3

  /// What the daemon may hold: more than one while a call is not acknowledged.
  private var launches: Set<Int> = [0]
  private var closed: Set<Bool> = [false]
  private var exists = false

  override func step() throws {
    guard exists else {
      try saveAndReopen()
      exists = true
      return
    }
    switch Int.random(in: 0...7, using: &random) {
    case 0, 1: try launch()
    case 2: try confirm()
    case 3: try close()
    case 4: try reopen()
    default: try saveAndReopen()
    }
  }

  private func saveAndReopen() throws {
    closed.insert(false)
    try save(name, freshState())
    closed = [false]
  }

  private func launch() throws {
    closed.insert(false)
    launches = Set(launches.flatMap { [$0, $0 == Self.patience ? 1 : $0 + 1] })
    let reply = try call(Launch.self, Launch.Parameters(app: loadedApp, scene: name))
    if !launches.contains(reply.unconfirmedLaunches) {
      complain("\(reply.unconfirmedLaunches) is no count of launches")
    }
    launches = [reply.unconfirmedLaunches]
    closed = [false]
    count(\.launches)
  }

  private func confirm() throws {
    guard launches != [0] else { return }
    launches.insert(0)
    _ = try call(Confirm.self, Confirm.Parameters(app: loadedApp, scene: name))
    launches = [0]
    count(\.launches)
  }

  private func close() throws {
    closed.insert(true)
    _ = try call(CloseScene.self, SceneAddress(app: loadedApp, scene: name))
    closed = [true]
    count(\.launches)
  }

  private func reopen() throws {
    closed.insert(false)
    _ = try call(ReopenScene.self, ReopenScene.Parameters(app: loadedApp, scene: name))
    closed = [false]
    count(\.launches)
  }

  override func compare(_ client: VarlinkClient) throws -> [String] {
    for isClosed in [false, true] {
      let listed = try client.call(ListScenes.self, ListScenes.Parameters(app: loadedApp, closed: isClosed)).scenes
      guard let scene = listed.first(where: { $0.scene == name }) else { continue }
      var wrong: [String] = []
      if !closed.contains(isClosed) { wrong.append("\(name) is \(isClosed ? "" : "not ")closed") }
      if !launches.contains(scene.unconfirmedLaunches) {
        wrong.append("\(name) has \(scene.unconfirmedLaunches) launches, not \(launches)")
      }
      (closed, launches, exists) = ([isClosed], [scene.unconfirmedLaunches], true)
      return wrong
    }
    return exists ? ["\(name) is in neither list"] : []
  }
}
