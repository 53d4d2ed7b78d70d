import Glibc
import Synchronization
import TestSupport

/// What the clients of one life of the daemon share.
final class Round: Sendable {
  /// Where it is reached.
  let socket: String
  /// No revision that is acknowledged from here on may be as low.
  let floor: Int
  private let acknowledged = Atomic<Int>(0)
  private let target: Int
  private let moment: Moment

  /// - Parameter target: acknowledged calls after which `moment` comes.
  init(socket: String, floor: Int, target: Int, moment: Moment) {
    self.socket = socket
    self.floor = floor
    self.target = target
    self.moment = moment
  }

  /// Counts a call that was acknowledged.
  func acknowledge() {
    if acknowledged.add(1, ordering: .relaxed).newValue == target { moment.come() }
  }
}

/// Something that is waited for once.
final class Moment: Sendable {
  private let pipe: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { fatalError("pipe: \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe = (ends[0], ends[1])
  }

  deinit {
    close(pipe.read)
    close(pipe.write)
  }

  /// It has come; again makes no difference.
  func come() { _ = write(pipe.write, "x", 1) }

  /// Blocks until it has come.
  func wait() {
    var byte: UInt8 = 0
    while read(pipe.read, &byte, 1) < 0, errno == EINTR {}
  }
}

/// Calls each of `bodies` on a thread of its own; `wait` of what is returned blocks until all have returned.
func onThreads(_ bodies: [@Sendable () -> Void], whenAllEnd: @escaping @Sendable () -> Void) -> [pthread_t] {
  let running = Countdown(bodies.count)
  return bodies.map { body in
    let work = Work {
      body()
      if running.isLast() { whenAllEnd() }
    }
    var thread = pthread_t()
    let result = pthread_create(
      &thread,
      nil,
      { context in
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      },
      Unmanaged.passRetained(work).toOpaque()
    )
    precondition(result == 0, "no thread can be started")
    return thread
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private final class Countdown: Sendable {
  private let left: Atomic<Int>
  init(_ count: Int) { left = Atomic(count) }
  func isLast() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
