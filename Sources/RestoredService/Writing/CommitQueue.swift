import RestoreStore
import Varlink

/// Hands commands to the writer thread, and what became of them back to the loop.
///
/// The writer takes all that waits at once and commits it in one transaction: at 64 connections 64 saves share one
/// fsync, and at one connection none waits for another. Used on the loop's thread; `WriterThread` is the other end.
final class CommitQueue {
  /// Called on the loop for each batch that came back, before any of its completions: what is cached must go first.
  var onChanges: ([StoreChange]) -> Void = { _ in }
  /// Called on the loop with failures that no caller waits for.
  var onFault: (StoreError) -> Void = { _ in }
  /// Called on the loop with how many milliseconds an erasure took that was prevented before, or that an earlier process
  /// left.
  var onLateErasure: (Int) -> Void = { _ in }
  /// Called on the loop with each result, before its completion.
  var onResult: (WriteResult) -> Void = { _ in }
  /// Called on the loop with what the writer says is not as it should be.
  var onProblems: ([String]) -> Void = { _ in }

  /// Called on the loop when another database has taken the place of a damaged one, before the outcome of any command
  /// that is in the new one: what was opened on the old one must be opened anew.
  var onRecovery: (RecoveryReport) -> Void = { _ in }
  /// Called on the loop when a damaged database could not be recovered.
  var onNoRecovery: (StoreError) -> Void = { _ in }

  private let loop: EventLoop
  private let thread: WriterThread
  private var pace = CommitPace()
  /// How many databases took another's place, as far as the loop knows.
  private var database = 0
  private var waiting = Line<HandedOver>()
  private let held = HeldCommands()
  private var isWaitingForRest = false
  private var pings: [() -> Void] = []
  private var erasing: [ErasureTicket: Completion] = [:]

  /// Called on the loop once the outcome is final.
  typealias Completion = (Result<WriteOutcome, StoreError>) -> Void

  /// A command that the writer has.
  private struct HandedOver {
    let completion: Completion
    /// What it counts for among the large saves.
    let weight: Int
  }

  /// Starts the writer thread on `writer`, which belongs to it from here on.
  ///
  /// - Parameter check: the look at all pages, which is to pause during an erasure.
  /// - Throws: where no thread can be started.
  init(_ writer: consuming sending StoreWriter, check: CheckControl, loop: EventLoop) throws(SystemFault) {
    self.loop = loop
    thread = WriterThread(writer, check: check, mailbox: loop.mailbox)
    try thread.start(for: self)
  }

  /// Has `command` committed with whatever else waits; `completion` is called when it is on disk, or is not.
  ///
  /// - Parameter connection: whose commands stay in their order; those of others may overtake a large save.
  func submit(_ command: WriteCommand, from connection: UInt64, _ completion: @escaping Completion) {
    let now = SteadyClock.nanoseconds()
    if held.mustWait(command, from: connection, at: now) {
      held.append(HeldCommands.Item(command: command, connection: connection, completion: completion))
      return waitForRest(from: now)
    }
    handOver(command, completion, at: now)
  }

  private func handOver(_ command: WriteCommand, _ completion: @escaping Completion, at now: Int64) {
    let weight = HeldCommands.weight(of: command)
    waiting.append(HandedOver(completion: completion, weight: weight))
    held.noteOut(weight: weight, at: now)
    thread.add(command)
    let answer = pace.begin(alone: waiting.count == 1, at: now)
    // Who is served in time to spare has no claim to the time of others.
    if !loop.isInSpareTime { loop.expectAnswer(withinMicroseconds: answer.microseconds, awake: answer.isWorthAwaiting) }
  }

  /// Hands over what was held and may go now.
  private func handOverHeld() {
    let now = SteadyClock.nanoseconds()
    while let item = held.next(at: now) { handOver(item.command, item.completion, at: now) }
    waitForRest(from: now)
  }

  private func waitForRest(from now: Int64) {
    guard !isWaitingForRest, let wait = held.wait(at: now) else { return }
    isWaitingForRest = true
    loop.schedule(afterMilliseconds: Int(wait / 1_000_000) + 1) { [self] in
      isWaitingForRest = false
      handOverHeld()
    }
  }

  /// Calls `body` on the loop once the writer has come to it, behind what it is doing.
  func whenAnswered(_ body: @escaping () -> Void) {
    pings.append(body)
    thread.ping()
  }

  /// Has a database that the loop has met damage in recovered; `onRecovery` or `onNoRecovery` follows, or nothing where
  /// that was done or tried a moment ago.
  ///
  /// - Parameter cause: what was found, as it follows the database's path.
  func recover(_ cause: String) { thread.recover(cause, database: database) }

  /// Another database has taken the damaged one's place.
  func recovered(_ report: RecoveryReport) {
    database += 1
    onRecovery(report)
  }

  /// The damaged database stays for now.
  func notRecovered(_ error: StoreError) { onNoRecovery(error) }

  /// The writer has answered those who asked so far.
  func answered() {
    let waiting = pings
    pings = []
    for body in waiting { body() }
  }

  /// Has an erasure that waits for its time done at once, so that whoever waits for it is answered before the end.
  ///
  /// - Parameter milliseconds: how long it may take, and any other that is under way; then it is broken off, and who
  ///   waits for it is told that it is not done yet. Large saves wait no longer than for one another.
  func hurry(within milliseconds: Int) {
    thread.hurry(within: milliseconds)
    held.endRests()
    handOverHeld()
  }

  /// Has the writer commit what waits and close the database; blocks until it has.
  ///
  /// Nobody is told any more what came of it.
  func stop() {
    let now = SteadyClock.nanoseconds()
    while let item = held.next(at: nil) { handOver(item.command, item.completion, at: now) }
    thread.stop()
  }

  /// Results of one transaction, in the order of the commands.
  ///
  /// - Parameter time: when the writer had them.
  func finish(_ results: [WriteResult], at time: Int64, problems: [String]) {
    onProblems(problems)
    onChanges(results.flatMap(\.changes))
    // Before the completions, each of which may hand over the next command.
    pace.end(at: time)
    for result in results {
      guard let command = waiting.popFirst() else { break }
      held.noteBack(weight: command.weight, at: time)
      onResult(result)
      if case .success(.erasing(let ticket)) = result.outcome {
        erasing[ticket] = command.completion
      } else {
        command.completion(result.outcome)
      }
    }
    if waiting.isEmpty { loop.expectAnswer(withinMicroseconds: 0, awake: false) }
    if !held.isEmpty { handOverHeld() }
  }

  /// What maintenance brought to an end.
  func finish(_ maintenance: Maintenance, problems: [String]) {
    onProblems(problems)
    onChanges(maintenance.changes)
    for fault in maintenance.faults { onFault(fault) }
    if let milliseconds = maintenance.lateErasure { onLateErasure(milliseconds) }
    for (ticket, outcome) in maintenance.erased { erasing.removeValue(forKey: ticket)?(outcome) }
  }
}
