import Varlink

/// One call on its way; confined to the loop's thread once it was posted there.
final class PendingCall: @unchecked Sendable {
  /// What came of a call.
  typealias Outcome = Result<VarlinkReply, ExchangeFault>

  /// The whole message.
  private(set) var frame: [UInt8]
  /// When to give up.
  let deadline: ContinuousClock.Instant
  /// The timer that says so.
  var timer: TimerToken?
  private var continuation: CheckedContinuation<Outcome, Never>?
  private var isSettled = false

  init(_ frame: [UInt8], deadline: ContinuousClock.Instant) {
    self.frame = frame
    self.deadline = deadline
  }

  /// Whether nobody waits for it any more.
  var isAbandoned: Bool { isSettled }

  /// Keeps who waits; false where the call was cancelled before.
  func begin(_ waiting: CheckedContinuation<Outcome, Never>) -> Bool {
    guard !isSettled else {
      waiting.resume(returning: .failure(.cancelled))
      return false
    }
    continuation = waiting
    return true
  }

  /// Hands the message out to be sent, once.
  func takeFrame() -> [UInt8] {
    defer { frame = [] }
    return frame
  }

  /// Tells who waits; the first outcome counts.
  func settle(_ outcome: Outcome) {
    guard !isSettled else { return }
    isSettled = true
    Handover.give(at: self)
    continuation?.resume(returning: outcome)
    continuation = nil
  }
}

extension ContinuousClock.Instant {
  /// Milliseconds from now, rounded up; 0 where it has passed.
  var millisecondsLeft: Int {
    let left = ContinuousClock.now.duration(to: self).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    let bounded = min(left.seconds, 1_000_000_000)
    return Int(bounded) * 1_000 + Int((left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
