import RestoreStore
import Synchronization
import Varlink

/// The thread that owns the write connection.
///
/// It sleeps while nothing waits and nothing is due.
final class WriterThread: @unchecked Sendable {
  // Everything below is guarded by `monitor`, but for `writer`, which only the thread itself touches, and `queue` and
  // `thread`, which only the loop does.
  private let monitor = Monitor()
  private var commands: [WriteCommand] = []
  private var isAsked = false
  private var isHurried = false
  /// Whether what was due has been hurried since the last commit: what could not be done then is not tried for ever.
  private var hasHurried = false
  private var isStopping = false
  /// Whether a command came since the thread took the last ones; may be read without the lock.
  private let hasArrived = Atomic<Bool>(false)
  private var idleness = Idleness()
  /// When whatever takes long is to be broken off, on the steady clock; may be read without the lock.
  private let end = Atomic<Int>(.max)
  /// What was found damaged by others, and in which database: they are counted.
  private var damage: (cause: String, database: Int)?

  private var writer: StoreWriter?
  /// How many databases took another's place since the start; touched by the thread alone, as the next one.
  private var database = 0
  /// When the next recovery may be tried, on the steady clock.
  private var recoveryNotBefore = 0
  private let check: CheckControl
  private let mailbox: LoopMailbox
  private weak var queue: CommitQueue?
  private var thread: JoinedThread?

  /// Commands in one transaction: what waits beyond it goes into the next, so that no caller waits for ever.
  private static let batchMaximum = 1_024
  /// Bytes of states and ids in one transaction: all of it is in the log before any of it can be moved out.
  private static let batchBytes = 8 << 20
  /// Milliseconds from one recovery to the next: a disk that goes on damaging is not to be filled with copies.
  private static let recoveryMilliseconds = 10_000
  /// Room for SQLite and a walk of a deep state.
  private static let stackBytes = 4 << 20

  /// - Parameter check: the look at all pages, which pauses during an erasure.
  init(_ writer: StoreWriter, check: CheckControl, mailbox: LoopMailbox) {
    self.writer = writer
    self.check = check
    self.mailbox = mailbox
  }

  /// Starts the thread; results go to `queue` on the loop.
  ///
  /// - Throws: where no thread can be started.
  func start(for queue: CommitQueue) throws(SystemFault) {
    self.queue = queue
    thread = try JoinedThread(stackBytes: Self.stackBytes) { [self] in run() }
  }

  func add(_ command: WriteCommand) {
    monitor.locked {
      commands.append(command)
      hasArrived.store(true, ordering: .releasing)
      if commands.count == 1 { monitor.signal() }
    }
  }

  /// Has `CommitQueue.answered` called on the loop once the thread comes to it.
  func ping() {
    monitor.locked {
      isAsked = true
      monitor.signal()
    }
  }

  /// Has what waits for its time done at once: there is no later.
  ///
  /// - Parameter milliseconds: how long an erasure may take from now on.
  func hurry(within milliseconds: Int) {
    end.store(StoreClock.system.steady() + milliseconds, ordering: .relaxed)
    monitor.locked {
      isHurried = true
      monitor.signal()
    }
  }

  /// Has the database recovered, unless another has taken its place already.
  ///
  /// - Parameter database: how many had taken another's place when it was found damaged.
  func recover(_ cause: String, database: Int) {
    monitor.locked {
      if damage == nil { damage = (cause, database) }
      monitor.signal()
    }
  }

  /// Has the thread commit what waits, close the database, and end; blocks until it has.
  ///
  /// An erasure is broken off: nobody waits for it any more.
  func stop() {
    end.store(0, ordering: .relaxed)
    monitor.locked {
      isStopping = true
      monitor.signal()
    }
    thread?.join()
  }

  private enum Work {
    case commit([WriteCommand])
    case maintain(hurried: Bool)
    case recover(String, database: Int)
    case answer
    case stop
  }

  /// What is wanted of the thread while the writer is at something long.
  private var demand: Demand {
    let end = end.load(ordering: .relaxed)
    if end < .max, end <= StoreClock.system.steady() { return .end }
    return end < .max || hasArrived.load(ordering: .relaxed) ? .commands : .none
  }

  private func run() {
    writer?.demand = { [unowned self] in demand }
    writer?.aroundErasure = { [check] in $0 ? check.pause() : check.resume() }
    while let writer {
      switch next(maintenanceDue: writer.maintenanceDue) {
      case .commit(let batch):
        let results = commit(batch, writer)
        let ended = idleness.begin()
        // The commands go back too: what the loop's thread allocated is freed cheaply only there.
        post(self.writer?.problems ?? []) { queue, problems in
          withExtendedLifetime(batch) { queue.finish(results, at: ended, problems: problems) }
        }
      case .maintain(let hurried):
        let maintenance = writer.maintain(hurried: hurried)
        post(writer.problems) { $0.finish(maintenance, problems: $1) }
        if let fault = maintenance.faults.first(where: { $0.code == .damaged }) { _ = recover(fault.message) }
      case .recover(let cause, let database):
        if database == self.database { _ = recover(cause) }
      case .answer: mailbox.post { [self] in queue?.answered() }
      case .stop: self.writer = nil
      }
    }
  }

  /// Carries out the commands; those that the database was too damaged for once more in the one that takes its place.
  private func commit(_ batch: [WriteCommand], _ writer: StoreWriter) -> [WriteResult] {
    var results = writer.perform(batch)
    let failed = results.indices.filter { results[$0].damage != nil }
    guard let cause = failed.first.flatMap({ results[$0].damage }), let next = recover(cause.message) else {
      return results
    }
    for (index, result) in zip(failed, next.perform(failed.map { batch[$0] })) { results[index] = result }
    return results
  }

  /// Puts a new database with what can be read in the place of the damaged one; nil: that was not possible, or was tried
  /// a moment ago.
  private func recover(_ cause: String) -> StoreWriter? {
    guard let writer, StoreClock.system.steady() >= recoveryNotBefore else { return nil }
    defer { recoveryNotBefore = StoreClock.system.steady() + Self.recoveryMilliseconds }
    do throws(StoreError) {
      let next = try writer.replacement(cause)
      self.writer = next
      database += 1
      if let report = next.recovery { mailbox.post { [self] in queue?.recovered(report) } }
      return next
    } catch {
      mailbox.post { [self] in queue?.notRecovered(error) }
      return nil
    }
  }

  private func post(_ problems: [String], _ deliver: @escaping @Sendable (CommitQueue, [String]) -> Void) {
    mailbox.post { [self] in
      if let queue { deliver(queue, problems) }
    }
  }

  /// Waits for something to do.
  ///
  /// What is due goes first, since commands may never cease to wait; then commands, then the end.
  private func next(maintenanceDue: Int?) -> Work {
    if let maintenanceDue, maintenanceDue <= StoreClock.system.steady() {
      return .maintain(hurried: false)
    }
    monitor.lock()
    defer { monitor.unlock() }
    while true {
      if isHurried, !hasHurried, writer?.isErasureAwaited == true {
        hasHurried = true
        return .maintain(hurried: true)
      }
      if let (cause, database) = damage {
        damage = nil
        return .recover(cause, database: database)
      }
      if !commands.isEmpty { return .commit(take()) }
      if isAsked {
        isAsked = false
        return .answer
      }
      if isStopping { return .stop }
      if idleness.looks {
        monitor.unlock()
        idleness.look { hasArrived.load(ordering: .acquiring) }
        monitor.lock()
        continue
      }
      guard let due = maintenanceDue else {
        monitor.wait()
        continue
      }
      if !monitor.wait(until: due), commands.isEmpty {
        return .maintain(hurried: false)
      }
    }
  }

  private func take() -> [WriteCommand] {
    hasHurried = false
    hasArrived.store(false, ordering: .relaxed)
    idleness.end(commands: commands.count)
    let count = Self.fitting(commands)
    guard count < commands.count else {
      defer { commands = [] }
      return commands
    }
    defer { commands.removeFirst(count) }
    return Array(commands.prefix(count))
  }

  /// How many of the commands go into one transaction; one in any case.
  static func fitting(_ commands: [WriteCommand]) -> Int {
    var count = 0
    var bytes = 0
    for index in commands.indices.prefix(batchMaximum) {
      bytes += commands[index].bytes
      if count > 0 && bytes > batchBytes { break }
      count += 1
    }
    return count
  }
}

extension WriteResult {
  /// Why the database could not carry it out, where it was too damaged for that.
  ///
  /// Of a launch that was served and not counted too.
  fileprivate var damage: StoreError? {
    switch outcome {
    case .success(.launched(let launch)): launch.uncounted.flatMap { $0.code == .damaged ? $0 : nil }
    case .success: nil
    case .failure(let error): error.code == .damaged ? error : nil
    }
  }
}
