import Varlink

/// Saves to a few scenes, one call after the other.
///
/// Several clients may have the same scenes.
final class SavingClient: LoadClient, @unchecked Sendable {
  private let scenes: [String]

  init(_ name: String, scenes: [String], seed: UInt64) {
    self.scenes = scenes
    super.init(name, seed: seed)
  }

  override func step() throws { try save(scenes.randomElement(using: &random)!, freshState()) }
}

/// Saves by itself as an app in use would: most of these take the place of the one before in the history.
final class AutosavingClient: LoadClient, @unchecked Sendable {
  override func step() throws {
    try save(name, freshState(), autosave: Int.random(in: 0...9, using: &random) > 0)
  }
}

/// Sends several saves before it waits for a reply.
final class PipeliningClient: LoadClient, @unchecked Sendable {
  private static let depth = 12

  override func step() throws {
    let count = Int.random(in: 2...Self.depth, using: &random)
    try saveAtOnce((0..<count).map { _ in ("\(name)-\(Int.random(in: 0...2, using: &random))", freshState()) })
  }
}
