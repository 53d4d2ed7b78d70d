import SceneModel

/// One change that a write made, for the caches that it makes stale and for those who watch.
package struct StoreChange: Hashable, Sendable {
  /// Whose it is.
  package let uid: UInt32
  /// The app.
  package let app: String
  /// What changed.
  package let subject: Subject
  /// How it changed.
  package let type: Kind
  /// The number that the change took in the user's count; 0 for a `syncing`, which takes none.
  package let revision: Int
  /// When, in milliseconds since 1970 (UTC); never earlier than the change numbered before it.
  package let time: Int
  /// The ids that a change of a kind added or deleted, or some more; nil: any may be.
  package var touched: [EntityID]?

  /// What a change is of.
  package enum Subject: Hashable, Sendable {
    /// A scene, by name.
    case scene(String)
    /// A kind. `key` is what a restore lists in `RestoredScene.asked`, and is never used again for another kind.
    case kind(String, key: Int64)
    /// The app's route table.
    case routes
  }

  /// How something changed.
  package enum Kind: Hashable, Sendable {
    /// A scene has a new newest revision. It is open.
    case saved
    /// A scene was closed.
    case closed
    /// A scene was opened again.
    case reopened
    /// A scene or a kind was erased.
    ///
    /// A reset is one of these for each scene and kind, each with a number of its own.
    case forgotten
    /// A kind's ids, its version or its being declared changed. `declared`: the kind was not before,
    /// so that answers which asked for it in vain are stale too. `syncing`: whether a sync runs now.
    case entitiesChanged(declared: Bool, syncing: Bool)
    /// The app has another route table.
    case routesChanged
    /// A sync of a kind began, ended without more, or lapsed. No event for watchers: only answers change.
    case syncing(Bool)
  }
}
