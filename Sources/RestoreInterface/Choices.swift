/// How a launch was answered.
package enum GuardOutcome: String, Hashable, Sendable, CaseIterable {
  /// With the newest revision.
  case normal
  /// With an older one: newer ones are quarantined.
  case fallback
  /// With an empty state: none was left.
  case empty
}

/// What a watch reports.
///
/// `EventType` in the interface.
package enum WatchEventType: String, Hashable, Sendable, CaseIterable {
  /// The watch has begun.
  case ready
  /// Changes since the revision asked for are no longer known one by one.
  case gap
  /// A scene was saved.
  case saved
  /// A scene was closed.
  case closed
  /// A scene was reopened.
  case reopened
  /// A scene was forgotten.
  case forgotten
  /// A kind of entity changed.
  case entitiesChanged
  /// An app's route table changed.
  case routesChanged
}

/// Whether the daemon is in order.
package enum Health: String, Hashable, Sendable, CaseIterable {
  /// All is well.
  case ok
  /// Something needs an administrator.
  case degraded
}
