import Glibc
import Varlink

/// The one thread on which all clients of this process wait for their daemons.
///
/// It is started by the first call and sleeps in the kernel while nothing happens. No thread of Swift's pool is ever
/// blocked on a socket, and however many clients and watches there are, they cost no thread more.
enum ClientLoop {
  private static let stackBytes = 256 << 10
  private static let mailbox = Locked<LoopMailbox?>(nil)

  /// Has `work` called on the thread, in order of posting.
  ///
  /// - Throws: what the system says where the thread cannot be started; a later call tries again.
  static func post(_ work: @escaping @Sendable (EventLoop) -> Void) throws(SystemFault) {
    let box = try mailbox.withLock { mailbox throws(SystemFault) in
      if let mailbox { return mailbox }
      let started = try start()
      mailbox = started
      return started
    }
    box.post { current.map { work($0) } }
  }

  /// The loop; only ever touched on its thread.
  nonisolated(unsafe) private static var current: EventLoop?

  private static func start() throws(SystemFault) -> LoopMailbox {
    let loop = try EventLoop()
    let mailbox = loop.mailbox
    try DetachedThread.start(named: "restore-client", stackBytes: stackBytes) {
      current = loop
      // Only a broken epoll descriptor ends this, which nobody but this process could have broken.
      do { try loop.run() } catch { abort() }
    }
    return mailbox
  }
}
