/// Why a part of a saved state is not in what a restore returns.
public enum DropReason: String, Hashable, Sendable, CaseIterable {
  /// The route refers to an entity that is not in the entity table.
  case entityMissing
  /// The app's route table has no such case.
  case unknownRoute
  /// The value cannot be read as a route.
  case malformedRoute
  /// The route stood above a dropped one, under `StalePolicy.truncate`.
  case aboveDropped
  /// The app's route table has no such tab.
  case unknownTab
}

/// One part of a saved state that did not survive its restoring, or would not have under `StalePolicy.keep`.
public struct Dropped: Hashable, Sendable {
  /// The JSON Pointer (RFC 6901) of the route or stack in the state as it was saved.
  public let path: String
  /// Why it did not survive.
  public let reason: DropReason
  /// The route's case name; nil where it has none.
  public let route: String?
  /// The kind of the missing entity as it was declared; nil unless `reason` is `entityMissing`.
  public let kind: String?
  /// The id of the missing entity as the route spells it, escapes decoded; nil unless `reason` is `entityMissing`.
  public let id: String?

  /// Describes one dropped part; each parameter is the member of the same name.
  public init(path: String, reason: DropReason, route: String? = nil, kind: String? = nil, id: String? = nil) {
    self.path = path
    self.reason = reason
    self.route = route
    self.kind = kind
    self.id = id
  }
}

extension Dropped: CustomStringConvertible {
  /// Where it stood, what it was and why it is gone, in one sentence without a full stop.
  public var description: String {
    let name = route.map { "\($0): " } ?? ""
    let cause =
      switch reason {
      case .entityMissing: "there is no \(kind ?? "entity") \(id ?? "")"
      case .unknownRoute: "the route table has no such route"
      case .malformedRoute: "it cannot be read as a route"
      case .aboveDropped: "it stood above a dropped route"
      case .unknownTab: "the route table has no such tab"
      }
    return "\(path): \(name)\(cause)"
  }
}
