import CLinux
import Glibc

/// What can happen to a descriptor, epoll_ctl(2).
package struct EventSet: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// There is something to read, or the other end has closed (`EPOLLIN`).
  package static let readable = EventSet(rawValue: 0x1)
  /// There is room to write (`EPOLLOUT`).
  package static let writable = EventSet(rawValue: 0x4)
  /// The descriptor is in error (`EPOLLERR`); reported whether asked for or not.
  package static let failed = EventSet(rawValue: 0x8)
  /// Both directions are closed (`EPOLLHUP`); reported whether asked for or not.
  package static let hungUp = EventSet(rawValue: 0x10)
  /// Report a change once instead of for as long as it lasts (`EPOLLET`).
  package static let edge = EventSet(rawValue: 1 << 31)
}

/// Something that waits for a descriptor on an event loop.
package protocol EventHandler: AnyObject {
  /// Called on the loop's thread when one of the events asked for has happened, or `failed` or `hungUp`.
  func ready(_ events: EventSet)
}

/// Where work that was put off waits for time to spare.
///
/// The lines take turns, so that none waits for the end of another one.
package enum TurnLine: Int, CaseIterable, Sendable {
  /// Peers that come, and the first call of those of whom no more is known than that they want little.
  case newcomers
  /// What is known to take long.
  case heavy
  /// All else.
  case light
}

/// Something that has more to do than fits into the turn of a loop in which it is asked to.
package protocol TurnTask: AnyObject {
  /// Where it waits when it is put off.
  var line: TurnLine { get }
  /// Goes on with work that was put off, for a moment.
  ///
  /// Called in time to spare, before `didDispatch`.
  func resume()
  /// Writes out what this turn produced.
  ///
  /// Called after `didDispatch`.
  func flush()
}

extension TurnTask {
  /// Where most wait.
  package var line: TurnLine { .light }
}

/// A level-triggered epoll(7) loop for one thread.
///
/// It does no I/O of its own and keeps no thread awake: without descriptors ready, timers or posted work, it sleeps in
/// `epoll_wait` for ever.
///
/// One turn, in this order: wait; `willDispatch`; work posted from other threads; ready descriptors; timers that are
/// due; `didDispatch`; writes of what the turn produced. So whoever opens a read transaction in a turn can end it in
/// `didDispatch`, before any reply of the turn leaves the process, and posted completions are seen by every read of the
/// turn. Where there is time to spare, a slice of the work that was put off follows in the same way: `willDispatch`, the
/// work, `didDispatch`, writes.
///
/// Confined to one thread, but for `mailbox`.
package final class EventLoop {
  /// Work from other threads comes in here.
  package let mailbox: LoopMailbox
  /// Called in each turn that has something to do, before the first handler.
  package var willDispatch: (() -> Void)?
  /// Called in each turn that had something to do, after the last handler and before anything is written.
  package var didDispatch: (() -> Void)?
  /// How often the thread came back from waiting, since the start.
  package private(set) var wakeUps: UInt64 = 0

  private let epoll: Descriptor
  private var entries: [Entry] = []
  private var generation: UInt32 = 0
  private var events: [clinux_event]
  private var timers = TimerQueue()
  private var spare = SpareTime()
  /// Whether what runs was put off, so that nobody who wants little waits for what it has to write.
  package private(set) var isInSpareTime = false
  private var flushing: [any TurnTask] = []
  private var stopped = false
  /// Nanoseconds of CLOCK_MONOTONIC until which it does not sleep.
  private var awakeUntil: Int64 = 0
  /// What the thread had worked when the turn or the slice began, or `hasWorked` was last asked; nil: nobody looked.
  private var workedBefore: Int64?
  /// Turns and slices at whose beginning it is still looked.
  private var turnsLookedAt = 0
  /// How many those are after something that took long: looking costs a system call, and most of the time nothing does.
  private static let turnsLookedAtAfterwards = 1_000

  private struct Entry {
    var handler: (any EventHandler)?
    var generation: UInt32
  }

  /// Makes a loop with nothing to wait for.
  ///
  /// Throws where the process has no descriptor left.
  package init() throws(SystemFault) {
    let number = clinux_epoll_create()
    guard number >= 0 else { throw SystemFault("epoll_create1") }
    epoll = Descriptor(owning: number)
    mailbox = try LoopMailbox()
    events = [clinux_event](repeating: clinux_event(), count: Int(CLINUX_EPOLL_BATCH))
    let token = UInt64(UInt32(bitPattern: mailbox.descriptor))
    guard clinux_epoll_add(number, mailbox.descriptor, EventSet([.readable, .edge]).rawValue, token) == 0 else {
      throw SystemFault("epoll_ctl")
    }
  }

  // MARK: Descriptors

  /// Waits for `events` on a descriptor from now on.
  ///
  /// The loop keeps the handler until `remove`; the descriptor stays the caller's, who removes it before closing it.
  ///
  /// Throws what epoll_ctl(2) says; nothing is waited for then.
  package func add(_ descriptor: Int32, _ events: EventSet, _ handler: any EventHandler) throws(SystemFault) {
    let index = Int(descriptor)
    while entries.count <= index { entries.append(Entry(handler: nil, generation: 0)) }
    generation &+= 1
    guard clinux_epoll_add(epoll.number, descriptor, events.rawValue, token(descriptor, generation)) == 0 else {
      throw SystemFault("epoll_ctl", "descriptor \(descriptor)")
    }
    entries[index] = Entry(handler: handler, generation: generation)
  }

  /// Waits for other events on a descriptor that was added.
  ///
  /// With none, only `failed` and `hungUp` are reported.
  package func modify(_ descriptor: Int32, _ events: EventSet) {
    let generation = entries[Int(descriptor)].generation
    _ = clinux_epoll_modify(epoll.number, descriptor, events.rawValue, token(descriptor, generation))
  }

  /// Waits for nothing on a descriptor until `goOn`; not even an end of the connection is reported.
  package func suspend(_ descriptor: Int32) { _ = clinux_epoll_remove(epoll.number, descriptor) }

  /// Waits again for `events` on a descriptor that was suspended.
  package func goOn(_ descriptor: Int32, _ events: EventSet) {
    let generation = entries[Int(descriptor)].generation
    _ = clinux_epoll_add(epoll.number, descriptor, events.rawValue, token(descriptor, generation))
  }

  /// Waits for it no longer; what this turn has still in hand for it is not delivered.
  package func remove(_ descriptor: Int32) {
    let index = Int(descriptor)
    guard entries.indices.contains(index), entries[index].handler != nil else { return }
    entries[index].handler = nil
    _ = clinux_epoll_remove(epoll.number, descriptor)
  }

  /// A descriptor's number comes back as soon as it is closed: the generation tells an old event from a new owner's.
  private func token(_ descriptor: Int32, _ generation: UInt32) -> UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }

  // MARK: Timers and work put off

  /// Calls `body` once, on this thread, when `milliseconds` have passed (CLOCK_MONOTONIC).
  ///
  /// The thread is woken for it.
  ///
  /// - Returns: what `cancel` takes.
  @discardableResult
  package func schedule(afterMilliseconds milliseconds: Int, _ body: @escaping () -> Void) -> TimerToken {
    timers.add(afterMilliseconds: milliseconds, body)
  }

  /// Takes a timer back; one that has fired or was taken back already is ignored.
  package func cancel(_ timer: TimerToken) { timers.cancel(timer) }

  /// Whether work waits for time to spare.
  var hasPutOff: Bool { !spare.isEmpty }

  /// Has `task.resume()` called once there is time to spare.
  package func resumeLater(_ task: any TurnTask) { spare.add(task) }

  /// Someone who wants little was served in this turn, and is expected to come back at once.
  ///
  /// - Parameter awaitingAnswer: its answer is another thread's to give, and is to be passed on without delay.
  package func noteQuick(awaitingAnswer: Bool) {
    // Also where nothing waits yet: an answer may be on its way for longer than that lasts.
    if !spare.isEmpty || awaitingAnswer {
      spare.noteQuick(at: SteadyClock.nanoseconds(), awaitingAnswer: awaitingAnswer)
    }
  }

  /// Has `task.flush()` called at the end of this turn.
  package func flushLater(_ task: any TurnTask) { flushing.append(task) }

  /// Another thread is about to post the answer to someone who wants little.
  ///
  /// Until then no slice of what was put off begins, for a moment, so that the answer does not wait for its end.
  ///
  /// - Parameters:
  ///   - microseconds: within which it is expected; 0: it is no longer.
  ///   - awake: whether to look for it without going to sleep, since it comes sooner than a sleeping thread is woken.
  package func expectAnswer(withinMicroseconds microseconds: Int, awake: Bool) {
    let time = microseconds > 0 ? SteadyClock.nanoseconds() + Int64(microseconds) * 1_000 : 0
    spare.keepClear(until: time)
    awakeUntil = awake ? time : 0
  }

  /// Whether the thread has been at work for so long since the turn or the slice began, or since this was last asked.
  ///
  /// For what took long by the clock: the kernel may have given the processor to others meanwhile. Asked for the first
  /// time in many turns it does not know, and says no.
  func hasWorked(nanoseconds: Int64) -> Bool {
    turnsLookedAt = Self.turnsLookedAtAfterwards
    guard let before = workedBefore else { return false }
    let worked = WorkClock.nanoseconds()
    workedBefore = worked
    return worked - before > nanoseconds
  }

  private func lookAtWork() {
    workedBefore = turnsLookedAt > 0 ? WorkClock.nanoseconds() : nil
    turnsLookedAt = max(0, turnsLookedAt - 1)
  }

  // MARK: Running

  /// Takes turns until `stop`.
  ///
  /// Blocks the thread.
  package func run() throws(SystemFault) {
    stopped = false
    while !stopped { try turn() }
  }

  /// Makes `run` return when the turn is over.
  ///
  /// On the loop's thread only; from another one, post it.
  package func stop() { stopped = true }

  /// Takes one turn.
  ///
  /// - Parameter maximumWait: milliseconds to wait at most; nil: as long as there is nothing to do.
  package func turn(maximumWait: Int? = nil) throws(SystemFault) {
    let count = try wait(maximumWait)
    if count > 0 || timers.isDue {
      lookAtWork()
      willDispatch?()
      dispatch(count)
      for body in timers.takeDue() { body() }
      didDispatch?()
      flush()
    }
    if !spare.isEmpty, spare.wait(at: SteadyClock.nanoseconds()) == 0 { useSpareTime() }
  }

  private func wait(_ maximumWait: Int?) throws(SystemFault) -> Int {
    var count: Int32 = 0
    // Who looks while others have work for the processors only holds them up.
    if awakeUntil > 0, spare.isEmpty { count = lookForAnswer(within: timeout(maximumWait)) }
    if count == 0 { count = poll(microseconds: timeout(maximumWait)) }
    wakeUps &+= 1
    if count < 0 && errno != EINTR { throw SystemFault("epoll_wait") }
    return max(0, Int(count))
  }

  /// Microseconds until there is something to do without an event; below 0: there is nothing.
  private func timeout(_ maximumWait: Int?) -> Int64 {
    var timeout = timers.microsecondsToNext ?? -1
    if let maximumWait { timeout = Self.sooner(timeout, Int64(maximumWait) * 1_000) }
    if !spare.isEmpty { timeout = Self.sooner(timeout, (spare.wait(at: SteadyClock.nanoseconds()) + 999) / 1_000) }
    return timeout
  }

  /// Looks for events without sleeping, for as long as an answer is expected and nothing else is to be done.
  private func lookForAnswer(within microseconds: Int64) -> Int32 {
    let end = microseconds < 0 ? awakeUntil : min(awakeUntil, SteadyClock.nanoseconds() + microseconds * 1_000)
    var now: Int64
    repeat {
      let count = poll(microseconds: 0)
      if count != 0 { return count }
      // Whoever is to answer may be waiting for this very processor.
      sched_yield()
      now = SteadyClock.nanoseconds()
    } while now < end
    if now >= awakeUntil { awakeUntil = 0 }
    return 0
  }

  private static func sooner(_ wait: Int64, _ other: Int64) -> Int64 { wait < 0 ? other : min(wait, other) }

  private func poll(microseconds: Int64) -> Int32 {
    events.withUnsafeMutableBufferPointer {
      clinux_epoll_wait(epoll.number, $0.baseAddress, Int32($0.count), microseconds)
    }
  }

  /// A slice of the work that was put off.
  private func useSpareTime() {
    isInSpareTime = true
    defer { isInSpareTime = false }
    let began = SteadyClock.nanoseconds()
    lookAtWork()
    willDispatch?()
    // What was put off before it, not what it puts off: that may wait for what is written at the end.
    for _ in 0..<spare.beginSlice() {
      spare.next()?.resume()
      if SteadyClock.nanoseconds() - began >= SpareTime.slice { break }
    }
    didDispatch?()
    flush()
    spare.rest(began: began, ended: SteadyClock.nanoseconds())
  }

  private func dispatch(_ count: Int) {
    let mailboxToken = UInt64(UInt32(bitPattern: mailbox.descriptor))
    if events[0..<count].contains(where: { $0.token == mailboxToken }) { mailbox.drain() }
    for position in 0..<count {
      let event = events[position]
      let index = Int(event.token & 0xFFFF_FFFF)
      guard event.token != mailboxToken, index < entries.count,
        entries[index].generation == UInt32(event.token >> 32), let handler = entries[index].handler
      else { continue }
      handler.ready(EventSet(rawValue: event.events))
    }
  }

  private func flush() {
    var position = 0
    while position < flushing.count {
      flushing[position].flush()
      position += 1
    }
    flushing.removeAll(keepingCapacity: true)
  }
}
