/// What became of one command.
package struct WriteResult: Sendable {
  /// On success what was done, which is on disk; else why nothing was.
  package var outcome: Result<WriteOutcome, StoreError>
  /// What others must hear of: caches and watchers.
  ///
  /// Empty where nothing changed.
  package var changes: [StoreChange]
  /// Whether its transaction wrote anything: a success that did not says nothing of the disk.
  package var wrote = false
}

/// What a command did.
///
/// Each case belongs to the action that names it.
package enum WriteOutcome: Hashable, Sendable {
  /// See `SaveOutcome`.
  case saved(SaveOutcome)
  /// The scene's newest revision, which has the state of the one rolled back to.
  case rolledBack(revision: Int)
  /// The scene is closed.
  case closed
  /// The scene is open.
  case reopened(scene: String)
  /// See `LaunchOutcome`, which is several times as large as all else.
  indirect case launched(LaunchOutcome)
  /// The revision is confirmed, or 0: the empty state.
  case confirmed(revision: Int)
  /// The deletion is on disk; its bytes are yet to be scrubbed from the files. The final outcome, a
  /// `forgot`, comes from `StoreWriter.maintain` under this ticket, and the caller is answered then.
  case erasing(ErasureTicket)
  /// Nothing of it is left in the files. `count`: scenes for a reset, ids for a kind, 1 for a scene.
  case forgot(count: Int)
  /// Whether the route table is another one than before.
  case routesSet(changed: Bool)
  /// How many records there were: all are taken, or were taken before.
  case imported(records: Int)
  /// The ids that were not in the table before.
  case put(added: Int)
  /// The ids that were in the table before.
  case deleted(Int)
  /// The name of the sync.
  case syncBegan(sync: String)
  /// What the sync added, what its end took away, and what is there now.
  case syncEnded(SyncOutcome)
}

/// A claim on the outcome of an erasure; never used twice by one writer.
package struct ErasureTicket: Hashable, Sendable {
  package let number: Int
}

/// What a save did.
public struct SaveOutcome: Hashable, Sendable {
  /// The scene's newest revision.
  public let revision: Int
  /// When it was saved, in milliseconds since 1970 (UTC); never earlier than the revision before it.
  public let savedAt: Int
  /// Whether the save made it; false where the state is equal to the newest one.
  public let changed: Bool
}

/// How a launch was answered.
public enum GuardOutcome: String, Hashable, Sendable {
  /// With the newest revision.
  case normal
  /// With an older one: newer ones are quarantined.
  case fallback
  /// With an empty state: every revision is quarantined.
  case empty
}

/// What a launch is to be served.
package struct LaunchOutcome: Hashable, Sendable {
  /// The revision to restore; 0: the empty state.
  package let revision: Int
  /// The state as it was saved, for `StoreReader.restore(launched:…)`, so that whatever is committed before the
  /// launch is answered takes nothing from it.
  ///
  /// Of revision 0: `{"stacks":{}}`, or `{"stacks":[]}` where the newest
  /// revision's stacks are an array.
  package let state: [UInt8]
  /// When `revision` was saved, in milliseconds since 1970 (UTC); nil for the empty state.
  package let savedAt: Int?
  /// The scene's newest revision.
  package let newest: Int
  /// How the launch was answered.
  package let outcome: GuardOutcome
  /// Launches since the last confirm, this one included.
  package let unconfirmedLaunches: Int
  /// The quarantined revisions, newest first.
  package let quarantined: [Int]
  /// What of the stored revisions was found damaged, one sentence each with what to do.
  package let faults: [String]
  /// Why the launch could not be counted, and nothing of it is stored; nil: it is on disk.
  package let uncounted: StoreError?
}

/// What a sync did in all.
public struct SyncOutcome: Hashable, Sendable {
  /// Ids that the sync put and that were not in the table.
  public let added: Int
  /// Ids that its end took away.
  public let deleted: Int
  /// Ids of the kind now.
  public let count: Int
}

/// What `StoreWriter.maintain` brought to an end.
package struct Maintenance: Sendable {
  /// The erasures that are done, or that were prevented this time (`notYetErased`), by ticket.
  package var erased: [(ticket: ErasureTicket, outcome: Result<WriteOutcome, StoreError>)] = []
  /// What others must hear of: the syncs that lapsed.
  package var changes: [StoreChange] = []
  /// Milliseconds of an erasure that was prevented before, or that an earlier process left, and is done now; nil: none is.
  package var lateErasure: Int?
  /// Failures that no caller waits for, for the log.
  package var faults: [StoreError] = []
}
