import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Apps whose main loop is not Swift's", .serialized) struct MainQueueTests {
  private let daemon = DaemonProcess()

  /// Runs the app until it has pushed, then sends it `signal`.
  private func run(
    _ loop: String,
    _ pushes: [String],
    until signal: Int32,
    environment: [String: String] = [:]
  ) -> (ChildProcess.Ending, String) {
    let notify = Notifications(in: daemon.folder)
    let child = ChildProcess(
      Files.products + "/foreign-loop-app",
      [loop, daemon.socket] + pushes,
      environment: environment.merging(["NOTIFY_SOCKET": notify.path]) { $1 }
    )
    if notify.isReady(child) { child.send(signal) }
    return (child.wait(), String(decoding: child.output, as: UTF8.self))
  }

  private func survives(_ loop: String, environment: [String: String] = [:]) {
    func run(_ pushes: [String], until signal: Int32) -> (ChildProcess.Ending, String) {
      self.run(loop, pushes, until: signal, environment: environment)
    }
    let (first, fresh) = run(["a", "b"], until: SIGTERM)
    #expect(first == .signal(SIGTERM), "it dies of the signal, for whoever waits for it")
    #expect(fresh == "stands at  fresh\ncleaned up\n")
    let (second, back) = run(["lost"], until: SIGKILL)
    #expect(second == .signal(SIGKILL))
    #expect(back.hasPrefix("stands at note(id: \"a\") note(id: \"b\") restored"))
    let (third, again) = run(["c"], until: SIGINT)
    #expect(third == .signal(SIGINT))
    #expect(
      again.hasPrefix("stands at note(id: \"a\") note(id: \"b\") restored"),
      "nothing was saved when it was killed"
    )
    let (_, last) = run([], until: SIGHUP)
    #expect(last.hasPrefix("stands at note(id: \"a\") note(id: \"b\") note(id: \"c\") restored"))
  }

  @Test("in a loop of poll an app is restored, and saved when it is asked to end, with what was pushed a moment ago")
  func poll() { survives("poll") }

  @Test(
    "in GLib's loop, and in the one of GTK's applications, too",
    .enabled(if: OtherLoops.hasGLib, "without GLib (libglib2.0-0): make setup installs it"),
    arguments: ["glib", "gtk"]
  )
  func glib(_ loop: String) { survives(loop) }

  @Test(
    "in Qt's loop too, whether it is the one on GLib or the one on poll",
    .enabled(if: OtherLoops.hasQt, "without Qt 6 (qt6-base-dev): make setup installs it"),
    arguments: ["0", "1"]
  )
  func qt(_ withoutGLib: String) throws {
    let library = try OtherLoops.qt(in: daemon.folder)
    // Qt looks only whether it is set to something else than nothing and 0.
    survives(library, environment: ["QT_NO_GLIB": withoutGLib])
  }

  @Test("the code that the documentation shows is the code that these tests run")
  func documented() throws {
    let page = OtherLoops.lines("Sources/SceneRouting/SceneRouting.docc/MainLoops.md")
    let run = ["Tests/ForeignLoopApp/Loops.swift", "Tests/QtLoop/QtLoop.cpp"].map(OtherLoops.lines)
    var shown: [ArraySlice<String>] = []
    var rest = page[...]
    while let start = rest.firstIndex(where: { $0.hasPrefix("```") }) {
      let end = try #require(rest[(start + 1)...].firstIndex(of: "```"))
      shown.append(rest[(start + 1)..<end])
      rest = rest[(end + 1)...]
    }
    #expect(shown.count == 4)
    for block in shown {
      #expect(run.contains { $0.firstRange(of: block) != nil }, "\(block.joined(separator: "\n"))")
    }
  }

  @Test("without a daemon an app that is asked to end ends")
  func noDaemon() {
    daemon.kill()
    let (ending, output) = run("poll", ["a"], until: SIGTERM)
    #expect(ending == .signal(SIGTERM))
    #expect(output.hasPrefix("stands at  failed"))
    daemon.start()
  }

  @Test("a second signal ends it at once, of that signal, where the save that it was asked for does not come to an end")
  func secondSignal() throws {
    let app = Atomic<pid_t>(0)
    let peer = try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        if ["SetRoutes", "Launch"].contains(where: { call.contains("io.restored.\($0)\"") }) {
          connection.reply(#"{"error":"org.varlink.service.MethodNotImplemented"}"#)
        } else {
          // The first call of the save at the end.
          kill(app.load(ordering: .relaxed), SIGINT)
        }
      }
    }
    let notify = Notifications(in: daemon.folder)
    let child = ChildProcess(
      Files.products + "/foreign-loop-app",
      ["poll", peer.path, "a"],
      environment: ["NOTIFY_SOCKET": notify.path]
    )
    app.store(child.pid, ordering: .relaxed)
    if notify.isReady(child) { child.send(SIGTERM) }
    #expect(child.wait() == .signal(SIGINT))
    #expect(!String(decoding: child.output, as: UTF8.self).contains("cleaned up"))
    peer.stop()
  }
}

/// What is there of the libraries whose loops are tried.
private enum OtherLoops {
  static let hasGLib = dlopen("libgio-2.0.so.0", RTLD_NOW) != nil
  static let hasQt = shell("pkg-config --exists Qt6Core").ending == .exit(0)

  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  /// The lines of a file of the project, without what they are indented by.
  static func lines(_ path: String) -> [String] {
    String(decoding: Files.read("\(root)/\(path)"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }) }
  }

  /// Builds the library of Qt's loop.
  static func qt(in folder: TemporaryFolder) throws -> String {
    let library = folder.file("libQtLoop.so")
    let built = shell(
      #"""
      "$(command -v clang++ || command -v c++)" -shared -fPIC -o "$1" "$2" \
        $(pkg-config --cflags --libs Qt6Core)
      """#,
      library,
      "\(root)/Tests/QtLoop/QtLoop.cpp"
    )
    try #require(built.ending == .exit(0), "\(built.errors)")
    return library
  }

  private static func shell(_ script: String, _ arguments: String...) -> Finished {
    Finished("/bin/sh", ["-c", script, "sh"] + arguments)
  }
}
