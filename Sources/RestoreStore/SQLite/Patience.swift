import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is wanted of the thread that writes, while it is at something that takes long.
package enum Demand: Sendable {
  /// Nothing: it may take its time.
  case none
  /// Commands wait: what nobody waits for makes room for them.
  case commands
  /// The end: whatever takes long is broken off, and no lock is waited for.
  case end
}

/// How long the writing connection goes on with what takes long, and waits for the locks of other processes.
///
/// Confined to the connection's thread; it outlives the connection, which holds a pointer to it.
final class Patience {
  /// What is wanted at this moment.
  var demand: () -> Demand = { .none }
  /// Called before an erasure (true) and after it (false).
  var aroundErasure: (Bool) -> Void = { _ in }
  /// Whether what is under way makes room for commands.
  var givesWay = false
  /// Milliseconds for which a lock of another process is waited for.
  var lockMilliseconds: Int
  /// Why something was broken off since this was last set to nil.
  var brokenOff: Demand?
  /// Whether an erasure is under way.
  var isErasing = false
  /// Called at each step of an erasure, and of a wait for a lock; a test's.
  var atStep: (@Sendable () -> Void)?
  /// When the wait for a lock began, in microseconds of the steady clock.
  private var waitingSince = 0

  /// Milliseconds from one look at a lock to the next, as a wait goes on.
  private static let pauses = [1, 2, 5, 10, 15, 20, 25]

  init(lockMilliseconds: Int) { self.lockMilliseconds = lockMilliseconds }

  /// Whether what takes long is to be broken off now, which the caller then does.
  var isOver: Bool {
    if isErasing { atStep?() }
    let demand = demand()
    let isOver = demand == .end || demand == .commands && givesWay
    if isOver { brokenOff = demand }
    return isOver
  }

  /// Has the connection wait for locks as this says, in the place of a busy timeout.
  ///
  /// https://sqlite.org/c3ref/busy_handler.html
  func take(over connection: borrowing Connection) {
    sqlite3_busy_handler(
      connection.database,
      { context, looks in Unmanaged<Patience>.fromOpaque(context!).takeUnretainedValue().waits(looks) ? 1 : 0 },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Waits a moment for a lock that was found taken `looks` times before; false: no longer.
  func waits(_ looks: Int32) -> Bool {
    let now = StoreClock.microseconds()
    if looks == 0 { waitingSince = now }
    let left = lockMilliseconds - (now - waitingSince) / 1_000
    if !isErasing { atStep?() }
    guard left > 0, !isOver else { return false }
    let pause = Self.pauses[min(Int(looks), Self.pauses.count - 1)]
    usleep(UInt32(min(pause, left)) * 1_000)
    return true
  }
}
