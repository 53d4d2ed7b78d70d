#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The connections of a `SceneStore`, which threads take turns with.
///
/// Not a `Mutex` of Swift's: its runtime is not instrumented, and where two threads contend for the lock the thread
/// sanitizer does not see that it was handed over.
final class LockedCore: @unchecked Sendable {
  // Guarded by `mutex`.
  private var core: SceneStore.Core
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ core: consuming SceneStore.Core) {
    self.core = core
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread has the connections; blocks until that is so.
  func withLock<Value: Sendable>(
    _ body: (inout SceneStore.Core) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&core)
  }
}
