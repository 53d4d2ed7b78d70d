import Glibc
import RestoreStore

/// Has the look at all pages pause while it would be in the way, and end at once.
///
/// A pause and the end are remembered, so that it does not matter where the look is just then: sqlite3_interrupt alone
/// is lost on a connection between two statements.
final class CheckControl: @unchecked Sendable {
  // Everything is guarded by `mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isStopping = false
  private var isPaused = false
  /// What is under way; nil: nothing is.
  private var check: PieceCheck?

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

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  // MARK: For those in whose way it is

  /// Has the look end its read, and begin no other; does not wait until it has.
  func pause() {
    locked {
      isPaused = true
      check?.interrupt()
    }
  }

  /// Has the look go on.
  func resume() {
    locked {
      isPaused = false
      pthread_cond_broadcast(condition)
    }
  }

  /// Has the look end, for good.
  func stop() {
    locked {
      isStopping = true
      check?.interrupt()
      pthread_cond_broadcast(condition)
    }
  }

  // MARK: For the look itself

  /// What `pause` and `stop` interrupt from now on; nil: nothing.
  func watch(_ check: PieceCheck?) { locked { self.check = check } }

  /// Whether the look is to break off what it is at.
  var isWanted: Bool { locked { isStopping || isPaused } }

  /// Blocks while there is a pause; false: it is to end.
  func mayGoOn() -> Bool {
    locked {
      while isPaused && !isStopping { pthread_cond_wait(condition, mutex) }
      return !isStopping
    }
  }

  /// Rests, unless it is to end.
  func rest(milliseconds: Int) {
    let end = StoreClock.system.steady() + milliseconds
    var time = timespec(tv_sec: end / 1_000, tv_nsec: end % 1_000 * 1_000_000)
    locked {
      while !isStopping, pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT {}
    }
  }
}
