import Glibc

/// A clock that never goes back.
enum SteadyClock {
  /// Nanoseconds from any beginning, clock_gettime(2); no system call where the kernel offers it without.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
