public import FoundationEssentials
import RestoreInterface

/// A scene in a list.
public struct SceneInfo: Hashable, Sendable {
  /// The scene's id.
  public let scene: String
  /// Its newest revision.
  public let revision: Int
  /// When that was saved.
  public let savedAt: Date
  /// Bytes of its state.
  public let size: Int
  /// The selected tab; nil for none.
  public let selectedTab: String?
  /// Routes on all stacks.
  public let routes: Int
  /// When the scene was closed; nil while it is open.
  public let closedAt: Date?
  /// Launches since the last confirm.
  public let unconfirmedLaunches: Int

  init(_ entry: SceneEntry) {
    scene = entry.scene
    revision = entry.revision
    savedAt = Date(wire: entry.savedAt) ?? .distantPast
    size = entry.size
    selectedTab = entry.selectedTab
    routes = entry.routes
    closedAt = entry.closedAt.flatMap { Date(wire: $0) }
    unconfirmedLaunches = entry.unconfirmedLaunches
  }
}

/// A revision in a scene's history.
public struct RevisionInfo: Hashable, Sendable {
  /// The revision.
  public let revision: Int
  /// When it was saved.
  public let savedAt: Date
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

  init(_ entry: RevisionEntry) {
    revision = entry.revision
    savedAt = Date(wire: entry.savedAt) ?? .distantPast
    size = entry.size
    routes = entry.routes
    selectedTab = entry.selectedTab
    confirmed = entry.confirmed
    quarantined = entry.quarantined
  }
}

/// A kind of entity that the app has declared.
public struct KindInfo: Hashable, Sendable {
  /// The kind.
  public let kind: EntityKind
  /// How many entities of it there are.
  public let count: Int
  /// The app's own mark of the model that the ids were taken from; nil for none.
  public let version: String?
  /// Whether a sync is under way.
  public let syncing: Bool

  init(_ entry: KindEntry) {
    kind = EntityKind(entry.kind)
    count = entry.count
    version = entry.version
    syncing = entry.syncing
  }
}

/// What setting a route table does to the scenes that are saved already.
public struct RoutesEffect: Hashable, Sendable {
  /// Whether the table is, or would be, another one than before.
  public let changed: Bool
  /// Scenes that the app has saved.
  public let scenes: Int
  /// Routes that are restored under another name.
  public let renamed: Int
  /// Routes whose case the table does not know.
  public let unknown: Int
  /// Routes that a restore leaves out.
  public let stale: Int

  init(_ reply: SetRoutes.Reply) {
    changed = reply.changed
    scenes = reply.scenes
    renamed = reply.renamed
    unknown = reply.unknown
    stale = reply.stale
  }
}
