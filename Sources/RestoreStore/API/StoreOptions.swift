import Migrations

/// How a store is opened.
///
/// The defaults suit a program that must not lose what it acknowledged.
public struct StoreOptions: Sendable {
  /// What an acknowledged save survives.
  public enum Durability: String, Sendable {
    /// A loss of power: every commit is synced to the disk before it is acknowledged.
    case full
    /// A crash of the process, not a loss of power: the newest commits may be lost then, back to the last checkpoint
    /// (about 4 MiB of them, however old), in their order and never torn.
    case normal
  }

  /// What an acknowledged save survives.
  public var durability: Durability = .full
  /// Revisions kept per scene beside the protected ones, 1 to 1,000.
  ///
  /// A smaller number acts at each scene's next save.
  public var history = 10
  /// Bytes in the largest state that `SceneStore.save` takes.
  public var maximumStateBytes = 1 << 20

  /// Bytes of states and ids that one user may keep; nil: no bound.
  ///
  /// Names and the route table do not count.
  package var userQuotaBytes: Int?
  package var limits = StoreLimits()
  package var hooks = StoreHooks()
  package var clock = StoreClock.system
  /// The schema's steps; a test may have one more.
  package var migrations = migrationTexts

  /// Makes options with the defaults.
  public init() {}
}

/// The limits that the store itself holds.
///
/// Each goes with `StoreError.Code.limitExceeded`.
package struct StoreLimits: Sendable {
  /// Revisions that a history may have at most; a longer one is cut to it.
  package static let longestHistory = 1_000

  /// Scenes, closed ones too, of one app.
  package var scenes = 10_000
  /// Kinds of one app.
  package var kinds = 1_000
  /// Apps of one user.
  package var apps = 1_000
  /// Ids in one call.
  package var ids = 10_000
  /// Scenes that the writer knows by heart between two commands, about 1 KB each.
  package var heldScenes = 4_096
  /// Closed scenes that are kept of one app.
  package var closedScenes = 32
  /// Milliseconds for which the place of an autosave in the history may be taken again.
  package var autosaveMilliseconds = 60_000
  /// Milliseconds without a call after which a sync lapses.
  package var syncMilliseconds = 600_000
  /// Milliseconds for which a lock of another process is waited for.
  package var busyMilliseconds = 5_000
  /// Pages in the WAL from which on a checkpoint is due.
  ///
  /// Till it has grown so long once, each commit makes a file longer, which takes a disk two to five times as long as
  /// writing over what is there; the 4 MB are two thousand saves (docs/decisions/0018-where-the-time-goes.md).
  package var checkpointPages = 2_000
  /// Milliseconds for which no checkpoint is made after another one, unless the WAL has `fullLogPages`.
  ///
  /// Who saves so fast writes the same pages again and again: once in a longer log they are moved once.
  package var checkpointRest = 200
  /// Pages in the WAL from which on a checkpoint is due at once.
  package var fullLogPages = 8_000
  /// Pages beyond which a WAL that could be moved out whole is cut to nothing; twice as many: a reader is said to hold it.
  package var longPages = 16_000
  /// Pages in the WAL from which on nothing more is written, about 1 GiB: only a foreign reader makes it grow so far.
  package var logPages = 500_000
  /// How many times the duration of one VACUUM passes before the next one may start.
  package var eraseRest = 10
  /// Milliseconds from the opening until what an earlier process left to be scrubbed is scrubbed.
  package var resumedErasureMilliseconds = 0

  package init() {}

  /// Has the WAL turn over after so many pages, and takes it for long at twice as many: for tests, which write little.
  package mutating func turnLogOver(afterPages pages: Int) {
    checkpointPages = pages
    fullLogPages = pages
    longPages = 2 * pages
  }
}

/// Where a test may look in, or end the process: closures that are called at named places, none by default.
///
/// They run on the thread that called the store, inside whatever is under way, and must not call it.
package struct StoreHooks: Sendable {
  /// Before a write transaction begins.
  package var beforeBegin: (@Sendable () -> Void)?
  /// After each statement that writes, inside the transaction.
  package var betweenStatements: (@Sendable () -> Void)?
  /// After the last statement of a write transaction, before its COMMIT.
  package var beforeCommit: (@Sendable () -> Void)?
  /// After a COMMIT has returned, before anyone was told.
  package var afterCommit: (@Sendable () -> Void)?
  /// Before and after a checkpoint moves pages from the WAL into the database.
  package var inCheckpoint: (@Sendable () -> Void)?
  /// Between the steps of a recovery, each of which may be the last that is done.
  package var inRecovery: (@Sendable () -> Void)?
  /// Inside the transaction of a migration, after its SQL.
  package var inMigration: (@Sendable () -> Void)?
  /// Before the store itself makes or syncs a folder or a file; other than 0: the call fails with it as its errno.
  package var folderCall: (@Sendable (FolderCall, String) -> Int32)?
  /// Between the VACUUM and the truncation of the WAL that follow a deletion.
  package var inErasure: (@Sendable () -> Void)?
  /// At each of the many steps of an erasure, and of a wait for another process's lock.
  package var atLongStep: (@Sendable () -> Void)?

  /// What the store itself does to its folder; the rest SQLite does.
  package enum FolderCall: Sendable {
    case makeFolder, makeFile, syncFolder
    /// In a recovery alone.
    case syncFile, rename, remove, write
  }

  package init() {}
}

/// The two clocks of the store.
package struct StoreClock: Sendable {
  /// Milliseconds since 1970 in UTC, as the machine believes.
  package var wall: @Sendable () -> Int
  /// Milliseconds that never go back, from any beginning.
  package var steady: @Sendable () -> Int

  package init(wall: @escaping @Sendable () -> Int, steady: @escaping @Sendable () -> Int) {
    self.wall = wall
    self.steady = steady
  }
}
