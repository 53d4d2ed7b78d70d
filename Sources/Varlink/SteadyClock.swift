import Glibc

/// A clock that never goes back, for all that is no part of the store.
///
/// The store reads its own (`StoreClock`): tests set it, and it is not of Linux alone.
package enum SteadyClock {
  /// Nanoseconds from any beginning, clock_gettime(2); no system call where the kernel offers it without.
  package static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The time for which the calling thread was at work: neither asleep, nor ready and without a processor.
enum WorkClock {
  /// Nanoseconds since the thread began, `CLOCK_THREAD_CPUTIME_ID` of clock_gettime(2); a system call.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
