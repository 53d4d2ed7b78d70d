import CLinux
import Glibc

/// Brings work from any thread to an event loop's thread.
package final class LoopMailbox: Sendable {
  private let queue = Locked<[@Sendable () -> Void]>([])
  private let event: Descriptor

  /// What the loop waits on.
  ///
  /// Registered edge-triggered, so that the counter need not be read to be reset.
  var descriptor: Int32 { event.number }

  init() throws(SystemFault) {
    let number = clinux_eventfd()
    guard number >= 0 else { throw SystemFault("eventfd") }
    event = Descriptor(owning: number)
  }

  /// Has `work` called on the loop's thread, at the beginning of its next turn, in order of posting, and wakes the
  /// loop.
  ///
  /// Never waits for the loop. Work posted to a loop that runs no more is never called.
  package func post(_ work: @escaping @Sendable () -> Void) {
    let wasEmpty = queue.withLock { queue in
      queue.append(work)
      return queue.count == 1
    }
    if wasEmpty { _ = clinux_eventfd_add(event.number) }
  }

  /// Calls what was posted until now; what is posted meanwhile waits for the next turn.
  func drain() {
    let work = queue.withLock { queue in
      defer { queue = [] }
      return queue
    }
    for item in work { item() }
  }
}
