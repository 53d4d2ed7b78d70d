import Glibc

/// A lock, and a way to wait under it for what another thread does.
///
/// Time-outs are of the steady clock, as are `StoreClock.system.steady()`'s milliseconds. pthread_cond_timedwait(3)
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Takes the lock; blocks until nobody has it.
  func lock() { pthread_mutex_lock(mutex) }

  /// Gives the lock back.
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs `body` under the lock.
  func locked<R>(_ body: () -> R) -> R {
    lock()
    defer { unlock() }
    return body()
  }

  /// Wakes one that waits, if any does.
  func signal() { pthread_cond_signal(condition) }

  /// Wakes all that wait.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for a signal without the lock, and has it again on return.
  ///
  /// May return without one: the caller looks again.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// The same, until `milliseconds` of the steady clock at most; false: the time is over.
  func wait(until milliseconds: Int) -> Bool {
    var time = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }
}
