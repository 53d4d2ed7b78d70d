import SceneModel

/// What to restore.
package struct RestoreRequest: Sendable {
  /// The user who owns the scene.
  package var uid: UInt32
  /// The app.
  package var app: String
  /// The scene.
  package var scene: String
  /// An earlier revision; nil: the newest.
  package var revision: Int?
  /// What to do with stale routes; nil: what the app's route table says, which is `drop` by itself.
  package var stale: StalePolicy?
  /// Whether the scene is restored even when it is older than the app's maximum age; one asked for by revision is.
  package var expired: Bool

  /// Makes a request; each parameter is the member of the same name.
  package init(
    uid: UInt32,
    app: String,
    scene: String,
    revision: Int? = nil,
    stale: StalePolicy? = nil,
    expired: Bool = false
  ) {
    self.uid = uid
    self.app = app
    self.scene = scene
    self.revision = revision
    self.stale = stale
    self.expired = expired
  }
}

/// A restored scene.
public struct RestoredScene: Hashable, Sendable {
  /// The state to show: the saved bytes, but for what no longer resolves.
  public let state: [UInt8]
  /// The revision that was restored.
  public let revision: Int
  /// The scene's newest revision, for the next save's `ifRevision`.
  public let newest: Int
  /// When `revision` was saved, in milliseconds since 1970 (UTC).
  public let savedAt: Int
  /// One entry for each stale route.
  public let dropped: [Dropped]
  /// Tabs that were saved with routes and have none now.
  public let emptied: [String]
  /// Kinds of which a reference could not be checked.
  public let unverified: [String]
  /// What of the stored revisions was found damaged on the way, one sentence each with what to do; empty as a rule.
  public let faults: [String]
  /// What was asked of the entity table, on which the answer depends.
  package let asked: EntityAnswers
  /// Whether a kind was asked for that is not declared, so that declaring one may change the answer.
  package let askedUndeclared: Bool
  /// The wall clock's time, in milliseconds since 1970, after which the scene counts as expired; nil: it never does.
  package let expiresAt: Int?
}

/// A state of the caller's own, checked as a restore would.
public struct CheckedState: Hashable, Sendable {
  /// The state to show.
  public let state: [UInt8]
  /// One entry for each stale route.
  public let dropped: [Dropped]
  /// Tabs that had routes and have none now.
  public let emptied: [String]
  /// Kinds of which a reference could not be checked.
  public let unverified: [String]
}

/// What to do with stale routes.
public typealias StalePolicy = SceneModel.StalePolicy
/// One part of a saved state that did not survive.
public typealias Dropped = SceneModel.Dropped
/// Why a part of a saved state did not survive.
public typealias DropReason = SceneModel.DropReason
