import Glibc
import RestoreStore

/// How long it is worth to stay awake for the end of a commit.
///
/// A sleeping thread is woken in some 30 µs, twice in each save, where the whole commit may take 100. So while one
/// caller saves again and again on a fast disk, both threads look for each other's work before they sleep. A save now
/// and then, a slow disk, or many callers at once cost no such looking.
struct CommitPace {
  /// Beyond this a commit is slow, and sleeping is right.
  private static let fast = 300
  /// A commit that begins so long after the last one ended belongs to the same run.
  private static let pause = 1_000

  /// With one processor, who looks keeps the other from working.
  static let isWorthIt = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

  private var began = 0
  private var ended = 0
  /// Microseconds of the last commit of a caller that was alone; nil: none was.
  private var last: Int?

  /// Notes that a commit begins.
  ///
  /// - Parameter alone: whether nothing else waits.
  /// - Returns: microseconds to stay awake; 0: none.
  mutating func begin(alone: Bool) -> Int {
    guard alone, Self.isWorthIt else {
      last = nil
      return 0
    }
    began = StoreClock.microseconds()
    guard let last, last < Self.fast, began - ended < Self.pause else { return 0 }
    return 2 * last
  }

  /// Notes that nothing waits any more.
  mutating func end() {
    ended = StoreClock.microseconds()
    if began > 0 { last = ended - began }
    began = 0
  }
}
