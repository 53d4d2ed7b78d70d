public import FoundationEssentials
import RestoreInterface
public import SceneModel

/// What restoring does with a route that no longer resolves.
public typealias StalePolicy = SceneModel.StalePolicy
/// One part of a saved state that did not survive.
public typealias Dropped = SceneModel.Dropped
/// Why a part of a saved state did not survive.
public typealias DropReason = SceneModel.DropReason

/// How a launch was answered.
public enum GuardOutcome: Hashable, Sendable {
  /// With the newest revision, as every `restore` is that is no launch.
  case normal
  /// With an older one, since newer ones were launched three times and never confirmed.
  ///
  /// Those are `quarantined`, newest first; they are kept and can be restored by number and rolled back to.
  case fallback(quarantined: [Int])
  /// With an empty state, since none was left.
  case empty(quarantined: [Int])
}

/// A scene's state as it was restored.
public struct Restored<State: Sendable>: Sendable {
  /// The state to show: what was saved, but for what no longer resolves.
  public let state: State
  /// The revision that was restored; 0: the empty state of the guard.
  public let revision: Int
  /// The scene's newest revision, for `save(_:ifRevision:)`.
  public let newest: Int
  /// When `revision` was saved; nil for the empty state.
  public let savedAt: Date?
  /// One entry for each stale route.
  public let dropped: [Dropped]
  /// Tabs that were saved with routes and have none now.
  public let emptied: [String]
  /// Kinds that routes refer to and that could not be checked.
  public let unverified: [String]
  /// How the launch was answered; `normal` for a restore that is none.
  public let guardOutcome: GuardOutcome
  /// Launches since the last confirm, this one included; nil for a restore that is none.
  public let unconfirmedLaunches: Int?
}

/// A state of the app's own, checked as a restore would.
public struct Checked<State: Sendable>: Sendable {
  /// The state to show.
  public let state: State
  /// One entry for each stale route.
  public let dropped: [Dropped]
  /// Tabs that had routes and have none now.
  public let emptied: [String]
  /// Kinds that routes refer to and that could not be checked.
  public let unverified: [String]
}

extension Restored: Equatable where State: Equatable {}
extension Checked: Equatable where State: Equatable {}

extension Restored {
  init(_ state: State, _ reply: Restore.Reply) {
    self.init(
      state: state,
      revision: reply.revision,
      newest: reply.newest,
      savedAt: Date(wire: reply.savedAt),
      dropped: reply.dropped,
      emptied: reply.emptied,
      unverified: reply.unverified,
      guardOutcome: .normal,
      unconfirmedLaunches: nil
    )
  }

  init(_ state: State, _ reply: Launch.Reply) {
    self.init(
      state: state,
      revision: reply.revision,
      newest: reply.newest,
      savedAt: reply.savedAt.flatMap { Date(wire: $0) },
      dropped: reply.dropped,
      emptied: reply.emptied,
      unverified: reply.unverified,
      guardOutcome: GuardOutcome(reply.outcome, reply.quarantined),
      unconfirmedLaunches: reply.unconfirmedLaunches
    )
  }
}

extension GuardOutcome {
  init(_ outcome: RestoreInterface.GuardOutcome, _ quarantined: [Int]) {
    switch outcome {
    case .normal: self = .normal
    case .fallback: self = .fallback(quarantined: quarantined)
    case .empty: self = .empty(quarantined: quarantined)
    }
  }
}

extension Date {
  /// A time as the wire spells it; nil where it is none.
  init?(wire text: String) {
    guard let milliseconds = Timestamp.milliseconds(text) else { return nil }
    self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }
}
