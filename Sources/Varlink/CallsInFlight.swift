/// The calls of one connection that have begun and whose replies are not sent yet, oldest first.
///
/// Replies go out in the order of the calls, https://varlink.org/Method-Call: an answer that comes before that of an
/// earlier call waits here.
struct CallsInFlight {
  struct Call {
    let serial: UInt64
    let method: String
    let isOneway: Bool
    let mayStream: Bool
    let mayOverlap: Bool
    /// Bytes of the call, counted while its answer is put off.
    var workingBytes = 0
    /// The message to be sent, once there is one.
    var answer: [UInt8]?
  }

  private var calls: [Call] = []

  var isEmpty: Bool { calls.isEmpty }
  var count: Int { calls.count }
  /// The one that has begun last.
  var last: Call? { calls.last }

  mutating func append(_ call: Call) { calls.append(call) }

  /// Whether the call of this number has no answer yet.
  func isWaiting(for serial: UInt64) -> Bool { index(of: serial) != nil }

  /// The call of this number that has no answer yet.
  func call(_ serial: UInt64) -> Call? { index(of: serial).map { calls[$0] } }

  /// Keeps the answer of a call that has none.
  mutating func answer(_ serial: UInt64, _ frame: [UInt8]) {
    if let index = index(of: serial) { calls[index].answer = frame }
  }

  /// Notes how many bytes the last call holds while it is worked on.
  ///
  /// - Returns: false where it is answered already.
  mutating func keepWorking(on bytes: Int) -> Bool {
    guard let last = calls.indices.last, calls[last].answer == nil else { return false }
    calls[last].workingBytes = bytes
    return true
  }

  /// Takes the oldest call out if it is answered.
  mutating func takeAnswered() -> Call? { calls.first?.answer == nil ? nil : calls.removeFirst() }

  /// Takes all out, answered or not.
  ///
  /// - Returns: the bytes that were worked on.
  mutating func removeAll() -> Int {
    defer { calls = [] }
    return calls.reduce(0) { $0 + $1.workingBytes }
  }

  private func index(of serial: UInt64) -> Int? { calls.firstIndex { $0.serial == serial && $0.answer == nil } }
}
