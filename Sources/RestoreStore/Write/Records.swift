/// What the writer knows of a user.
///
/// Written once per transaction at most, however many commands it has. A transaction that only saves one scene, the one
/// that the row names, does not write it: the view `user_counts` has what the row lacks from that scene's rows.
final class UserRecord {
  /// How far the numbers may run ahead of the one in the row: a recovery that finds none of the scene's rows is to
  /// know how far they went.
  static let longestLead = 1_024

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
  /// The newest number in the row.
  var written = 0
  /// The key of the scene that the row names; nil: none.
  var named: Int?
  /// Whether the row is behind by more than the rows of the scene that it names tell.
  private(set) var isDirty = false
  /// The scene that the row may name when it is written: nothing of the user changed since its last save.
  private(set) var candidate: SceneHead?

  init(uid: UInt32) { self.uid = uid }

  /// Gives the next number, and the time that goes with it: never earlier than the one before.
  func next(_ now: Int) -> (revision: Int, time: Int) {
    revision += 1
    changedAt = max(changedAt, now)
    noteChange()
    return (revision, changedAt)
  }

  /// Counts bytes that came or, negative, went.
  func use(_ bytes: Int) {
    usedBytes += bytes
    noteChange()
  }

  private func noteChange() {
    isDirty = true
    candidate = nil
  }

  /// Takes notice that what was just counted was one save, the number and the time of which its row has.
  ///
  /// - Parameter wasDirty: what `isDirty` was before it.
  func noteSave(of scene: SceneHead, wasDirty: Bool) {
    isDirty = wasDirty || named != scene.key || revision - written >= Self.longestLead
    candidate = scene
  }

  /// Takes notice that the row says all of this, and names the candidate.
  func noteWritten() {
    isStored = true
    written = revision
    named = candidate?.key
    isDirty = false
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
