/// Work that waits until those who want little have been served, and when its time is.
///
/// It gets a slice of time, and after it those who want little have the loop to themselves for three times as long as the
/// slice took, as long as any of them comes: so whoever waits for each reply before the next call is held up by one slice in many
/// calls, however much work there is; and where nobody else comes, no time is lost. A slice that is due also waits a moment
/// for an answer that another thread is about to give, so that it falls between two calls and not into the middle of one.
///
/// There are three lines, first in, first out, that take turns: a peer's first call does not wait behind all those that
/// are known to take long, nor behind all that others have sent ahead. Newcomers have every other turn, since theirs are
/// short, and one has two to wait for: to be let in, and to be read.
struct SpareTime {
  /// Nanoseconds of one slice; a task that takes longer is not interrupted.
  static let slice: Int64 = 50_000
  /// How many times as long as a slice took they rest after it who wait for the next one.
  private static let restFactor: Int64 = 3
  /// Nanoseconds for which someone who wanted little, and got it, is expected to come back.
  private static let grace: Int64 = 1_000_000
  /// Nanoseconds for which an answer to someone who wants little is expected from another thread.
  private static let answerGrace: Int64 = 5_000_000
  /// Nanoseconds that a slice waits, once it is due, for an answer that is about to come.
  private static let clearance: Int64 = 300_000

  private var lines = [Line<any TurnTask>](repeating: Line(), count: TurnLine.allCases.count)
  /// Whose turn it is, or was last.
  private var turn = TurnLine.light
  /// Whose turn it was last, newcomers aside.
  private var lastOfOthers = TurnLine.light
  private var quickUntil = Int64.min / 2
  private var due = Int64.min / 2
  private var clearUntil = Int64.min / 2

  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func add(_ task: any TurnTask) {
    lines[task.line.rawValue].append(task)
    count += 1
  }

  /// Decides whose turn the slice that begins is.
  ///
  /// - Returns: how many tasks wait for it now.
  mutating func beginSlice() -> Int {
    if turn != .newcomers, count(of: .newcomers) > 0 {
      turn = .newcomers
    } else {
      let next: TurnLine = lastOfOthers == .heavy ? .light : .heavy
      turn = count(of: next) > 0 ? next : count(of: lastOfOthers) > 0 ? lastOfOthers : .newcomers
      if turn != .newcomers { lastOfOthers = turn }
    }
    return count(of: turn)
  }

  /// Takes the slice's next task; nil: there is none.
  mutating func next() -> (any TurnTask)? {
    guard let task = lines[turn.rawValue].popFirst() else { return nil }
    count -= 1
    return task
  }

  private func count(of line: TurnLine) -> Int { lines[line.rawValue].count }

  /// Someone who wants little was served, or waits for an answer of another thread.
  mutating func noteQuick(at now: Int64, awaitingAnswer: Bool) {
    quickUntil = max(quickUntil, now + (awaitingAnswer ? Self.answerGrace : Self.grace))
  }

  /// An answer to someone who wants little is about to come: no slice is to begin before it, within reason.
  mutating func keepClear(until time: Int64) { clearUntil = time }

  /// A slice is over.
  mutating func rest(began: Int64, ended: Int64) { due = ended + Self.restFactor * (ended - began) }

  /// Nanoseconds until a slice may begin; 0: at once.
  func wait(at now: Int64) -> Int64 {
    let rested = min(due, quickUntil)
    let answered = min(clearUntil, due + Self.clearance)
    return max(0, max(rested, answered) - now)
  }
}
