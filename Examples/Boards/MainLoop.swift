import Glibc
import SceneRouting

/// The app's own main loop: keys, the size of the terminal, and what waits for the main actor.
@MainActor enum MainLoop {
  /// The end that the handler of SIGWINCH writes to; set once, before there is a handler.
  nonisolated(unsafe) private static var resized: Int32 = -1

  static func run(_ app: App) -> Never {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { fatalError("pipe: \(String(cString: strerror(errno)))") }
    resized = ends[1]
    signal(SIGWINCH) { _ in
      var byte: UInt8 = 0
      write(MainLoop.resized, &byte, 1)
    }
    app.terminal.open()
    MainQueue.runWaiting()
    var keyboard = STDIN_FILENO
    while true {
      app.drawIfNeeded()
      // A negative descriptor is passed over (poll(2)).
      var waits = [keyboard, MainQueue.descriptor, ends[0]].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&waits, nfds_t(waits.count), -1) > 0 else { continue }
      if waits[0].revents != 0 {
        if let keys = app.terminal.keys() {
          for key in keys { app.take(key) }
        } else {
          // The terminal is gone, which asks for an end as SIGHUP does.
          keyboard = -1
          kill(getpid(), SIGHUP)
        }
      }
      if waits[1].revents != 0 { MainQueue.runWaiting() }
      if waits[2].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(ends[0], &bytes, bytes.count)
        app.isDrawn = false
      }
    }
  }
}
