import Glibc

/// One timer of an event loop.
package struct TimerToken: Hashable, Sendable {
  fileprivate let number: UInt64
}

/// The few timers of a loop, soonest first.
///
/// With none, nobody is ever woken.
struct TimerQueue {
  private struct Timer {
    let deadline: Int64
    let token: TimerToken
    let body: () -> Void
  }

  private var timers: [Timer] = []
  private var lastNumber: UInt64 = 0

  /// Milliseconds until the first one is due, rounded up so that nobody wakes too early; nil: there is none.
  var millisecondsToNext: Int? {
    guard let first = timers.first else { return nil }
    return Int(max(0, (first.deadline - Self.now() + 999_999) / 1_000_000))
  }

  /// Whether `fire` would call one.
  var isDue: Bool { timers.first.map { $0.deadline <= Self.now() } ?? false }

  mutating func add(afterMilliseconds milliseconds: Int, _ body: @escaping () -> Void) -> TimerToken {
    lastNumber += 1
    let timer = Timer(
      deadline: Self.now() + Int64(milliseconds) * 1_000_000,
      token: TimerToken(number: lastNumber),
      body: body
    )
    let position = timers.firstIndex { $0.deadline > timer.deadline } ?? timers.endIndex
    timers.insert(timer, at: position)
    return timer.token
  }

  mutating func cancel(_ token: TimerToken) { timers.removeAll { $0.token == token } }

  /// Takes out those that are due, for the caller to call: a body may add and cancel timers.
  mutating func takeDue() -> [() -> Void] {
    guard !timers.isEmpty else { return [] }
    let now = Self.now()
    let due = timers.prefix { $0.deadline <= now }
    timers.removeFirst(due.count)
    return due.map(\.body)
  }

  /// Nanoseconds of CLOCK_MONOTONIC.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
