#if os(Linux)
  import CMainQueue
  import Glibc

  /// Runs the main actor's work from a main loop that is not Swift's: GTK's, Qt's, or one of `poll`.
  ///
  /// Have the loop wait for `descriptor` to become readable, and then call `runWaiting()`: without it nothing that waits
  /// for the main actor goes on, no restore, no save, no confirm. <doc:MainLoops> shows it for each.
  public enum MainQueue {
    /// A descriptor that is readable while something waits for the main actor.
    ///
    /// Of the process: it is not to be closed, and only to be read by `runWaiting()`.
    public static var descriptor: Int32 { _dispatch_get_main_queue_handle_4CF() }

    /// Runs what waits for the main actor, and returns.
    ///
    /// Call it on the main thread: once before the loop begins, and whenever `descriptor` is readable. Work that comes
    /// meanwhile makes it readable again.
    @MainActor public static func runWaiting() {
      var count: UInt64 = 0
      // Taken back first: what comes from here on counts anew.
      while read(descriptor, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
      _dispatch_main_queue_callback_4CF(nil)
    }
  }
#endif
