import RestoreStore

/// Has the look at all pages pause while it would be in the way, and end at once.
///
/// A pause and the end are remembered, so that it does not matter where the look is just then: sqlite3_interrupt alone
/// is lost on a connection between two statements.
final class CheckControl: @unchecked Sendable {
  // Everything is guarded by `monitor`.
  private let monitor = Monitor()
  private var isStopping = false
  private var isPaused = false
  /// What is under way; nil: nothing is.
  private var check: PieceCheck?

  // MARK: For those in whose way it is

  /// Has the look end its read, and begin no other; does not wait until it has.
  func pause() {
    monitor.locked {
      isPaused = true
      check?.interrupt()
    }
  }

  /// Has the look go on.
  func resume() {
    monitor.locked {
      isPaused = false
      monitor.broadcast()
    }
  }

  /// Has the look end, for good.
  func stop() {
    monitor.locked {
      isStopping = true
      check?.interrupt()
      monitor.broadcast()
    }
  }

  // MARK: For the look itself

  /// What `pause` and `stop` interrupt from now on; nil: nothing.
  func watch(_ check: PieceCheck?) { monitor.locked { self.check = check } }

  /// Whether the look is to break off what it is at.
  var isWanted: Bool { monitor.locked { isStopping || isPaused } }

  /// Blocks while there is a pause; false: it is to end.
  func mayGoOn() -> Bool {
    monitor.locked {
      while isPaused && !isStopping { monitor.wait() }
      return !isStopping
    }
  }

  /// Rests, unless it is to end.
  func rest(milliseconds: Int) {
    let end = StoreClock.system.steady() + milliseconds
    monitor.locked {
      while !isStopping, monitor.wait(until: end) {}
    }
  }
}
