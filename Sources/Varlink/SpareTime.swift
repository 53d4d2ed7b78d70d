/// Work that waits until those who want little have been served, and when its time is.
///
/// It gets a slice of time, and after it those who want little have the loop to themselves for as long as the slice took,
/// as long as any of them comes: so whoever waits for each reply before the next call is held up by one slice in many
/// calls, however much work there is; and where nobody else comes, no time is lost.
///
/// There are two queues, first in, first out, that take turns: a peer's first call does not wait behind all those that
/// are known to take long.
struct SpareTime {
  /// Nanoseconds of one slice; a task that takes longer is not interrupted.
  static let slice: Int64 = 100_000
  /// Nanoseconds for which someone who wanted little, and got it, is expected to come back.
  private static let grace: Int64 = 100_000
  /// Nanoseconds for which an answer to someone who wants little is expected from another thread.
  private static let answerGrace: Int64 = 5_000_000

  private struct Queue {
    private var tasks: [any TurnTask] = []
    private var first = 0

    var count: Int { tasks.count - first }

    mutating func append(_ task: any TurnTask) { tasks.append(task) }

    mutating func removeFirst() -> any TurnTask {
      defer {
        first += 1
        // Moved to the front now and then, not each time.
        if first == tasks.count || first >= 1_024 {
          tasks.removeFirst(first)
          first = 0
        }
      }
      return tasks[first]
    }
  }

  private var light = Queue()
  private var heavy = Queue()
  private var heavyIsNext = false
  private var quickUntil = Int64.min / 2
  private var due = Int64.min / 2

  var isEmpty: Bool { light.count == 0 && heavy.count == 0 }

  mutating func add(_ task: any TurnTask) {
    if task.isHeavy { heavy.append(task) } else { light.append(task) }
  }

  /// Decides whose turn the slice that begins is.
  ///
  /// - Returns: how many tasks wait for it now.
  mutating func beginSlice() -> Int {
    heavyIsNext = heavy.count > 0 && (!heavyIsNext || light.count == 0)
    return heavyIsNext ? heavy.count : light.count
  }

  /// Takes the slice's next task; there must be one.
  mutating func next() -> any TurnTask { heavyIsNext ? heavy.removeFirst() : light.removeFirst() }

  /// Someone who wants little was served, or waits for an answer of another thread.
  mutating func noteQuick(at now: Int64, awaitingAnswer: Bool) {
    quickUntil = max(quickUntil, now + (awaitingAnswer ? Self.answerGrace : Self.grace))
  }

  /// A slice is over.
  mutating func rest(began: Int64, ended: Int64) { due = ended + (ended - began) }

  /// Nanoseconds until a slice may begin; 0: at once.
  func wait(at now: Int64) -> Int64 { max(0, min(due, quickUntil) - now) }
}
