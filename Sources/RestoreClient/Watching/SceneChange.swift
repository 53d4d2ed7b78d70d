public import FoundationEssentials
import RestoreInterface

/// One change of what an app has saved, or of what exists.
public struct SceneChange: Hashable, Sendable {
  /// What happened.
  public enum Event: String, Hashable, Sendable {
    /// The watch has begun; always the first one, with the revision that it begins after.
    case ready
    /// Changes before this revision are no longer known one by one: read again what matters.
    case gap
    /// A scene was saved.
    case saved
    /// A scene was closed.
    case closed
    /// A scene was opened again.
    case reopened
    /// A scene or a kind was erased.
    case forgotten
    /// A kind's entities or its version changed.
    case entitiesChanged
    /// The app's route table changed.
    case routesChanged
  }

  /// What happened.
  public let event: Event
  /// The number of the change: to watch again after it.
  public let revision: Int
  /// When it happened.
  public let time: Date
  /// The scene; nil where the change is of none.
  public let scene: String?
  /// The kind; nil where the change is of none.
  public let kind: EntityKind?

  init(_ event: WatchEvent) {
    self.event = Event(rawValue: event.type.rawValue) ?? .gap
    revision = event.revision
    time = Date(wire: event.time) ?? .distantPast
    scene = event.scene
    kind = event.kind.map { EntityKind($0) }
  }
}
