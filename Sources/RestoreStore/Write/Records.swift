/// What the writer knows of a user.
///
/// Written once per transaction, however many commands it has.
final class UserRecord {
  let uid: UInt32
  /// The newest number given.
  var revision = 0
  /// When it was given.
  var changedAt = 0
  var savedAt: Int?
  var usedBytes = 0
  /// The number of the last erasure.
  var forgotten = 0
  /// Whether there is a row.
  var isStored = false
  /// Whether the row is behind.
  var isDirty = false

  init(uid: UInt32) { self.uid = uid }

  /// Gives the next number, and the time that goes with it: never earlier than the one before.
  func next(_ now: Int) -> (revision: Int, time: Int) {
    revision += 1
    changedAt = max(changedAt, now)
    isDirty = true
    return (revision, changedAt)
  }

  /// Counts bytes that came or, negative, went.
  func use(_ bytes: Int) {
    usedBytes += bytes
    isDirty = true
  }
}

/// What the writer knows of an app.
final class AppRecord {
  let key: Int
  let name: String
  var scenes = 0
  var kinds = 0
  /// From the route table; nil: the store's own.
  var history: Int?
  /// From the route table: the age from which on a scene is not launched; nil: it is at any age.
  var maximumAgeSeconds: Int?
  /// Whether anything of a route table is kept.
  var hasRoutes = false

  init(key: Int, name: String) {
    self.key = key
    self.name = name
  }
}

/// What the writer knows of a kind.
final class KindRecord {
  let key: Int
  let app: Int
  let name: String
  var declared = false
  var version: String?
  var count = 0
  var bytes = 0
  /// Of the newest sync.
  var generation = 0

  init(key: Int, app: Int, name: String) {
    self.key = key
    self.app = app
    self.name = name
  }
}
