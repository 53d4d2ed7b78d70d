#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension StoreClock {
  /// The machine's clocks: `CLOCK_REALTIME` and `CLOCK_MONOTONIC`.
  package static let system = StoreClock(
    wall: { milliseconds(of: CLOCK_REALTIME) },
    steady: { milliseconds(of: CLOCK_MONOTONIC) }
  )

  /// Microseconds of `CLOCK_MONOTONIC`, for who measures how long something takes.
  package static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  private static func milliseconds(of clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
