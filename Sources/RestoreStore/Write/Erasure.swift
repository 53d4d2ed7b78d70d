/// What was deleted and is to be scrubbed from the files, and who waits for it.
struct Erasure {
  /// Who waits: a ticket, and the count that the final outcome has.
  private(set) var waiting: [(ticket: ErasureTicket, count: Int)] = []
  /// Whether anything is to be scrubbed, waited for or not.
  ///
  /// On disk too, so that a crash forgets nothing.
  var isPending = false
  /// Whether the database was written anew since the last deletion, so that only the WAL is left to be emptied.
  var isRewritten = false
  /// When the next scrubbing may start, on the steady clock.
  var notBefore = 0
  /// Until when it makes room for commands that wait, while nobody waits for it, on the steady clock; nil: not yet said.
  var givesWayUntil: Int?
  /// Whether its end is to be told of: it was prevented, or is what an earlier process left.
  var isLate = false
  /// Why the last one was prevented; nil: it was not.
  var prevented: StoreError?
  private var tickets = 0

  /// Has what was deleted scrubbed, without anyone waiting for it.
  mutating func begin() {
    isPending = true
    isRewritten = false
  }

  /// Takes up what an earlier process deleted and did not scrub.
  mutating func resume(at time: Int) {
    isPending = true
    isLate = true
    notBefore = time
  }

  /// Whether anyone waits for its end.
  var isAwaited: Bool { !waiting.isEmpty }

  /// Counts one who waits.
  mutating func await(_ count: Int) -> ErasureTicket {
    tickets += 1
    begin()
    let ticket = ErasureTicket(number: tickets)
    waiting.append((ticket, count))
    return ticket
  }

  /// Takes all who wait: they are to be answered.
  mutating func takeWaiting() -> [(ticket: ErasureTicket, count: Int)] {
    defer { waiting = [] }
    return waiting
  }
}
