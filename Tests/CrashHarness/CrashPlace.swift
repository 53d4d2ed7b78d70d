/// Where the daemon's life ends.
enum CrashPlace: String, CaseIterable {
  /// Under load, at no particular moment.
  case randomMoment
  // Hooks of the store, by their names.
  case beforeBegin, betweenStatements, beforeCommit, afterCommit, inCheckpoint, inErasure, atLongStep
  /// While the schema of a new database is made.
  case inMigration
  /// While it starts on what an earlier kill left.
  case starting
  /// After it was asked to stop, under load.
  case stopping

  /// The passage of the place that is to be the last one is taken from here; nil: the place is no hook that the load
  /// passes.
  var passages: ClosedRange<Int>? {
    switch self {
    case .beforeBegin, .beforeCommit, .afterCommit: 1...60
    case .betweenStatements: 1...400
    case .inCheckpoint: 1...8
    case .inErasure: 1...6
    case .atLongStep: 1...600
    case .randomMoment, .inMigration, .starting, .stopping: nil
    }
  }
}
