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

  /// Microseconds until the first one is due, as whole milliseconds and rounded up so that nobody wakes too early; nil:
  /// there is none.
  var microsecondsToNext: Int64? {
    guard let first = timers.first else { return nil }
    return max(0, (first.deadline - SteadyClock.nanoseconds() + 999_999) / 1_000_000) * 1_000
  }

  /// Whether `fire` would call one.
  var isDue: Bool { timers.first.map { $0.deadline <= SteadyClock.nanoseconds() } ?? false }

  mutating func add(afterMilliseconds milliseconds: Int, _ body: @escaping () -> Void) -> TimerToken {
    lastNumber += 1
    let timer = Timer(
      deadline: SteadyClock.nanoseconds() + Int64(milliseconds) * 1_000_000,
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
    let now = SteadyClock.nanoseconds()
    let due = timers.prefix { $0.deadline <= now }
    timers.removeFirst(due.count)
    return due.map(\.body)
  }
}
