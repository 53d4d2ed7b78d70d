/// A scene in a list.
public struct SceneSummary: Hashable, Sendable {
  /// The app.
  public let app: String
  /// The scene.
  public let scene: String
  /// Its newest revision.
  public let revision: Int
  /// When that was saved, in milliseconds since 1970 (UTC).
  public let savedAt: Int
  /// Bytes of its state.
  public let size: Int
  /// The selected tab; nil for none.
  public let selectedTab: String?
  /// Routes on all stacks.
  public let routes: Int
  /// When the scene was closed; nil while it is open.
  public let closedAt: Int?
  /// Launches since the last confirm.
  public let unconfirmedLaunches: Int
}

/// A revision in a list.
public struct RevisionSummary: Hashable, Sendable {
  /// The revision.
  public let revision: Int
  /// When it was saved, in milliseconds since 1970 (UTC).
  public let savedAt: Int
  /// Bytes of its state.
  public let size: Int
  /// Routes on all stacks.
  public let routes: Int
  /// The selected tab; nil for none.
  public let selectedTab: String?
  /// Whether an app showed it and lived.
  public let confirmed: Bool
  /// Whether launches are no longer served it.
  public let quarantined: Bool
}

/// A declared kind in a list.
public struct KindSummary: Hashable, Sendable {
  /// The kind.
  public let kind: String
  /// Its ids.
  public let count: Int
  /// The app's own mark of the model that the ids were taken from; nil for none.
  public let version: String?
  /// Whether a sync is under way.
  public let syncing: Bool
}

/// One page of a kind's ids.
public struct EntityPage: Hashable, Sendable {
  /// The ids, UUIDs in lower case, in an order that stays.
  public let ids: [String]
  /// What to give to `after` for the following page; nil: this is the last one.
  public let next: String?
}

/// What is known of a store.
public struct StoreStatus: Hashable, Sendable {
  /// Scenes, closed ones too.
  public let scenes: Int
  /// Entities of all kinds.
  public let entities: Int
  /// The newest number of the user's count; of all users the largest.
  public let revision: Int
  /// When something was last saved, in milliseconds since 1970 (UTC); nil: never.
  public let lastSaveAt: Int?
  /// Bytes of the database file.
  public let databaseBytes: Int
  /// Bytes of its write-ahead log.
  public let walBytes: Int
  /// Bytes of the states and ids kept.
  public let usedBytes: Int
  /// What is not as it should be, one sentence each with what to do; empty as a rule.
  public let problems: [String]
}
