import RestoreStore
import SceneModel

/// A counter that moves whenever what it stands for changes: a scene, an app, or a kind.
final class ReplyStamp {
  fileprivate private(set) var count: UInt64 = 0
  /// The ids that the latest changes of a kind touched, each with the count that its change led to.
  private var touched: [(count: UInt64, id: EntityID)] = []
  /// From which count on `touched` is complete.
  private var completeSince: UInt64 = 0

  /// Ids that are remembered at most, and bytes of them: a restore that comes after more changes asks the entity table.
  private static let maximum = 64
  private static let maximumBytes = 1_024
  private var bytes = 0

  /// Moves on.
  ///
  /// - Parameter ids: those that the change touched; nil: nobody knows, or there are many.
  func move(touching ids: [EntityID]? = nil) {
    count += 1
    let more = ids?.reduce(0) { $0 + $1.storedBytes } ?? .max
    guard let ids, ids.count <= Self.maximum, more <= Self.maximumBytes else { return forget(since: count) }
    if touched.count + ids.count > Self.maximum || bytes + more > Self.maximumBytes { forget(since: count - 1) }
    bytes += more
    for id in ids { touched.append((count, id)) }
  }

  private func forget(since count: UInt64) {
    touched = []
    bytes = 0
    completeSince = count
  }

  /// The ids touched since the counter stood at `count`; nil: not all of them are known.
  fileprivate func touched(since count: UInt64) -> [EntityID]? {
    guard count >= completeSince else { return nil }
    return touched.lazy.filter { $0.count > count }.map(\.id)
  }
}

/// A stamp, and where it stood when an answer was made.
struct StampedCount {
  let stamp: ReplyStamp
  private var count: UInt64

  init(_ stamp: ReplyStamp) { (self.stamp, count) = (stamp, stamp.count) }

  /// Whether nothing has changed since.
  var isGood: Bool { stamp.count == count }

  /// Whether none of the changes since was of an entity that was asked for; false also where that is not known.
  func isPastBy(_ asked: EntityAnswers, ofKind key: Int64) -> Bool {
    guard let ids = stamp.touched(since: count) else { return false }
    return !ids.contains { asked.mentions($0, inKind: key) }
  }

  /// Takes note of where the stamp stands now.
  mutating func renew() { count = stamp.count }
}
