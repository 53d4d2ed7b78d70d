import CLinux

/// Tells the thread sanitizer of what one thread hands to a task that awaits it.
///
/// Swift's runtime tells it of a continuation whose task has suspended. Where the continuation is resumed before, the task
/// goes on without a word of that, and the sanitizer takes what was handed over for a race.
/// Without the sanitizer this does nothing.
package enum Handover {
  /// Says that whoever takes at `place` from now on sees what this thread did before.
  ///
  /// To be called before the continuation is resumed.
  ///
  /// - Parameter place: an object that both know, and that lives until the task goes on.
  package static func give(at place: AnyObject) {
    clinux_lock_released(Unmanaged.passUnretained(place).toOpaque())
  }

  /// Says that this task sees what was given at `place`; to be called when it goes on.
  package static func take(at place: AnyObject) {
    clinux_lock_acquired(Unmanaged.passUnretained(place).toOpaque())
  }
}
