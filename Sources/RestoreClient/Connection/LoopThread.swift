import Glibc
import Synchronization
import Varlink

/// The one thread on which all clients of this process wait for their daemons.
///
/// It is started by the first call and sleeps in the kernel while nothing happens. No thread of Swift's pool is ever
/// blocked on a socket, and however many clients and watches there are, they cost no thread more.
enum LoopThread {
  private static let stackBytes = 256 << 10
  private static let mailbox = Mutex<LoopMailbox?>(nil)

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
    let handed = Unmanaged.passRetained(loop)
    let code = spawn(handed.toOpaque())
    if code != 0 {
      handed.release()
      throw SystemFault("pthread_create", code: code)
    }
    return mailbox
  }

  /// Starts the thread; answers what pthread_create(3) does.
  private static func spawn(_ loop: UnsafeMutableRawPointer) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)
    // Signals are for the app's own threads: this one is born with all of them blocked.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, { LoopThread.run($0) }, loop)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    pthread_attr_destroy(&attributes)
    return code
  }

  /// Tells ps(1) and debuggers the thread's name, proc_pid_comm(5).
  private static func name(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, name, name.utf8.count)
    close(file)
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    name("restore-client")
    let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
    current = loop
    // Only a broken epoll descriptor ends this, which nobody but this process could have broken.
    while true { do { try loop.run() } catch { abort() } }
  }
}
