import Dispatch
import Glibc
import Varlink

/// Saves what waits when the process ends in an orderly way: by exit(3) or at the end of its main program.
///
/// A signal that ends the process gives no time for it: whoever handles one flushes.
enum ExitFlush {
  /// How long the end may be held up.
  private static let patience = DispatchTimeInterval.seconds(2)

  private struct State: Sendable {
    /// Each queue as often as it is watched.
    var queues: [ObjectIdentifier: (queue: SaveQueue, count: Int)] = [:]
    var isRegistered = false
  }

  private static let state = Locked(State())

  /// Has a queue flushed at the end, until it is forgotten as often.
  static func watch(_ queue: SaveQueue) {
    state.withLock { state in
      state.queues[ObjectIdentifier(queue), default: (queue, 0)].count += 1
      guard !state.isRegistered else { return }
      state.isRegistered = true
      atexit { ExitFlush.flush() }
    }
  }

  /// Nothing waits in the queue any more.
  static func forget(_ queue: SaveQueue) {
    state.withLock { state in
      let key = ObjectIdentifier(queue)
      state.queues[key]?.count -= 1
      if state.queues[key]?.count == 0 { state.queues[key] = nil }
    }
  }

  private static func flush() {
    let queues = state.withLock { $0.queues.values.map(\.queue) }
    guard !queues.isEmpty else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      for queue in queues { try? await queue.flush() }
      done.signal()
    }
    _ = done.wait(timeout: .now() + patience)
  }
}
