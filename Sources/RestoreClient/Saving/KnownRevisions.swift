import Varlink

/// The newest revision of each scene that this client has heard of: the ground to ask on whether a save was made.
final class KnownRevisions: Sendable {
  /// Scenes that are remembered; one forgotten only makes a save that lost its reply less sure of what is there.
  private static let maximum = 1_024

  private let revisions = Locked<[[UInt8]: Int]>([:])

  /// The newest revision known of a scene; nil: none is.
  subscript(scene: String) -> Int? {
    get { revisions.withLock { $0[Array(scene.utf8)] } }
    set {
      let key = Array(scene.utf8)
      revisions.withLock { revisions in
        guard let newValue else {
          revisions[key] = nil
          return
        }
        if revisions.count >= Self.maximum, revisions[key] == nil { revisions.removeAll() }
        revisions[key] = max(newValue, revisions[key] ?? 0)
      }
    }
  }
}
