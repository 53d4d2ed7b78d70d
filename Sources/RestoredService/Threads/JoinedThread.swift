import Glibc
import Varlink

/// A thread whose end its owner waits for.
final class JoinedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var thread = pthread_t()

  /// Runs `body` on a thread of its own.
  ///
  /// - Parameters:
  ///   - stackBytes: its stack, of which only what is used takes memory; nil: what the system gives.
  ///   - body: kept until it has returned.
  /// - Throws: what pthread_create(3) says; `body` is not called then.
  init(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(SystemFault) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    let work = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread,
      &attributes,
      { work in
        Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
        return nil
      },
      work.toOpaque()
    )
    if code == 0 { return }
    work.release()
    throw SystemFault("pthread_create", code: code)
  }

  /// Blocks until the thread has ended; to be called once.
  func join() { pthread_join(thread, nil) }
}
