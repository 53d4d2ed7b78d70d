import Glibc
import Varlink

/// When a commit may be expected to end, and whether it is worth to stay awake for that.
///
/// A sleeping thread is woken in some 30 µs, twice in each save, where the whole commit may take 100. So while one
/// caller saves again and again on a fast disk, both threads look for each other's work before they sleep. A save now
/// and then, a slow disk, or many callers at once cost no such looking.
///
/// The loop's half; `Idleness` is the writer's.
struct CommitPace {
  /// Nanoseconds beyond which a commit is slow, and sleeping is right.
  private static let fast: Int64 = 300_000
  /// Nanoseconds after the end of a commit within which the next one belongs to the same run.
  private static let pause: Int64 = 1_000_000

  /// With one processor, who looks keeps the other from working.
  static let isWorthIt = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

  private var began: Int64 = 0
  private var ended: Int64 = 0
  /// Nanoseconds of the last commit, from when it was wanted.
  private var last = Int64.max
  /// Whether the command that is with the writer is there alone, and whether the last one was.
  private var isAlone = false
  private var wasAlone = false

  /// What may be expected of a commit.
  struct Expectation {
    /// Microseconds within which it ends, as a rule; 0: nobody knows.
    let microseconds: Int
    /// Whether staying awake for it is worth it.
    let isWorthAwaiting: Bool
  }

  /// Notes that a command went to the writer.
  ///
  /// - Parameter alone: whether the writer has no other.
  mutating func begin(alone: Bool, at now: Int64) -> Expectation {
    if alone { began = now }
    isAlone = alone
    guard last < Self.fast else { return Expectation(microseconds: 0, isWorthAwaiting: false) }
    let isInRun = alone && wasAlone && now - ended < Self.pause
    return Expectation(microseconds: Int(2 * last / 1_000), isWorthAwaiting: isInRun && Self.isWorthIt)
  }

  /// Notes that the writer has answered; what it still has is in the next commit.
  ///
  /// - Parameter time: when it had; the loop may have been at something else since.
  mutating func end(at time: Int64) {
    ended = time
    last = ended - began
    began = ended
    wasAlone = isAlone
  }
}

/// Whether the writer's thread looks for the next command for a moment before it sleeps.
///
/// Confined to that thread.
struct Idleness {
  /// Nanoseconds that it looks at most, and within which commands follow each other in a run.
  private static let patience: Int64 = 250_000

  private var began: Int64 = 0
  /// Whether the last command came soon, and alone.
  private var isInRun = false
  /// Whether looking is worth it now.
  private(set) var looks = false

  /// Notes that there is nothing to do.
  ///
  /// - Returns: the time.
  mutating func begin() -> Int64 {
    began = SteadyClock.nanoseconds()
    looks = isInRun
    return began
  }

  /// Notes that there is something to do again.
  mutating func end(commands: Int) {
    isInRun = commands == 1 && CommitPace.isWorthIt && SteadyClock.nanoseconds() - began < Self.patience
    looks = false
  }

  /// Looks until `found`, or until it is not worth it any more.
  mutating func look(until found: () -> Bool) {
    looks = false
    while !found(), SteadyClock.nanoseconds() - began < Self.patience {
      // What it waits for may be waiting for this very processor.
      sched_yield()
    }
  }
}
