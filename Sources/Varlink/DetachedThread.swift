import Glibc

/// Starts threads that belong to a library: they take no signals, and nobody waits for their end.
package enum DetachedThread {
  /// Runs `body` on a thread of its own.
  ///
  /// The thread is born with all signals blocked: those are for the program's own threads.
  ///
  /// - Parameters:
  ///   - name: what ps(1) and debuggers show, at most 15 bytes.
  ///   - stackBytes: its stack, of which only what is used takes memory.
  /// - Throws: what pthread_create(3) says; `body` is not called then.
  package static func start(
    named name: String,
    stackBytes: Int,
    _ body: sending @escaping () -> Void
  ) throws(SystemFault) {
    let handed = Unmanaged.passRetained(Work(name: name, body: body))
    let code = DetachedThread.spawn(handed.toOpaque(), stackBytes)
    guard code != 0 else { return }
    handed.release()
    throw SystemFault("pthread_create", code: code)
  }

  private final class Work {
    let name: String
    let body: () -> Void

    init(name: String, body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private static func spawn(_ work: UnsafeMutableRawPointer, _ stackBytes: Int) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, { DetachedThread.run($0) }, work)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    pthread_attr_destroy(&attributes)
    return code
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
    setName(work.name)
    work.body()
    return nil
  }

  /// Sets the thread's name, proc_pid_comm(5).
  private static func setName(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, name, name.utf8.count)
    close(file)
  }
}
