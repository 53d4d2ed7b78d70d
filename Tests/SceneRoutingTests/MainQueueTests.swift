import Glibc
import TestSupport
import Testing

private let hasGLib = dlopen("libglib-2.0.so.0", RTLD_NOW) != nil

@Suite("Apps whose main loop is not Swift's", .serialized) struct MainQueueTests {
  private let daemon = DaemonProcess()

  /// Runs the app until it has pushed, then sends it `signal`.
  private func run(_ loop: String, _ pushes: [String], until signal: Int32) -> (ChildProcess.Ending, String) {
    let notify = Notifications(in: daemon.folder)
    let child = ChildProcess(
      Files.products + "/foreign-loop-app",
      [loop, daemon.socket] + pushes,
      environment: ["NOTIFY_SOCKET": notify.path]
    )
    guard notify.isReady(child) else { return (child.wait(), String(decoding: child.output, as: UTF8.self)) }
    child.send(signal)
    return (child.wait(), String(decoding: child.output, as: UTF8.self))
  }

  private func survives(_ loop: String) {
    let (first, fresh) = run(loop, ["a", "b"], until: SIGTERM)
    #expect(first == .signal(SIGTERM), "it dies of the signal, for whoever waits for it")
    #expect(fresh == "stands at  fresh\ncleaned up\n")
    let (second, back) = run(loop, ["lost"], until: SIGKILL)
    #expect(second == .signal(SIGKILL))
    #expect(back.hasPrefix("stands at note(id: \"a\") note(id: \"b\") restored"))
    let (third, again) = run(loop, ["c"], until: SIGINT)
    #expect(third == .signal(SIGINT))
    #expect(
      again.hasPrefix("stands at note(id: \"a\") note(id: \"b\") restored"),
      "nothing was saved when it was killed"
    )
    let (_, last) = run(loop, [], until: SIGHUP)
    #expect(last.hasPrefix("stands at note(id: \"a\") note(id: \"b\") note(id: \"c\") restored"))
  }

  @Test("in a loop of poll an app is restored, and saved when it is asked to end, with what was pushed a moment ago")
  func poll() { survives("poll") }

  @Test("in GLib's loop, which is GTK's, too", .enabled(if: hasGLib, "cannot here: there is no GLib"))
  func glib() { survives("glib") }

  @Test("without a daemon an app that is asked to end ends")
  func noDaemon() {
    daemon.kill()
    let (ending, output) = run("poll", ["a"], until: SIGTERM)
    #expect(ending == .signal(SIGTERM))
    #expect(output.hasPrefix("stands at  failed"))
    daemon.start()
  }
}
