import Glibc
import Varlink

/// How long it is worth to stay awake for the end of a commit.
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
  /// Nanoseconds of the last commit of a caller that was alone; nil: none was.
  private var last: Int64?

  /// Notes that a commit begins.
  ///
  /// - Parameter alone: whether nothing else waits.
  /// - Returns: microseconds to stay awake; 0: none.
  mutating func begin(alone: Bool) -> Int {
    guard alone, Self.isWorthIt else {
      last = nil
      return 0
    }
    began = SteadyClock.nanoseconds()
    guard let last, last < Self.fast, began - ended < Self.pause else { return 0 }
    return Int(2 * last / 1_000)
  }

  /// Notes that nothing waits any more.
  mutating func end() {
    ended = SteadyClock.nanoseconds()
    if began > 0 { last = ended - began }
    began = 0
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
  mutating func begin() {
    began = SteadyClock.nanoseconds()
    looks = isInRun
  }

  /// Notes that there is something to do again.
  mutating func end(commands: Int) {
    isInRun = commands == 1 && CommitPace.isWorthIt && SteadyClock.nanoseconds() - began < Self.patience
    looks = false
  }

  /// Looks until `found`, or until it is not worth it any more.
  mutating func look(until found: () -> Bool) {
    looks = false
    while !found(), SteadyClock.nanoseconds() - began < Self.patience {}
  }
}
