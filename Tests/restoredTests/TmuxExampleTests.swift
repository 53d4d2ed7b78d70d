import Glibc
import TestSupport
import Testing

private let hasTmuxAndJq = ["tmux", "jq"].allSatisfy { Finished("which", [$0]).ending == .exit(0) }

@Suite("The tmux example, as a shell script uses the service", .enabled(if: hasTmuxAndJq, "needs tmux and jq"))
struct TmuxExampleTests {
  private let daemon = DaemonProcess()
  private let script: String

  init() {
    // The checkout is above the folder that the products are in.
    let file = #filePath
    script = file.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Examples/tmux/tmux-scene"
  }

  private func run(_ program: String, _ arguments: [String]) -> Finished {
    Finished(
      program,
      arguments,
      environment: [
        "RESTORED_SOCKET": daemon.socket, "TMUX_TMPDIR": daemon.folder.path, "TMUX_SCENE_SOCKET": "test",
        "HOME": daemon.folder.path, "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8",
        "PATH": "\(Files.products):\(String(cString: getenv("PATH")))",
      ]
    )
  }

  private func tmux(_ arguments: String...) -> Finished { run("tmux", ["-L", "test", "-f", "/dev/null"] + arguments) }

  private func windows() -> [String] {
    tmux("list-windows", "-t", "=work", "-F", "#{window_name} #{pane_current_path} #{window_active}").text
      .split(separator: "\n").map(String.init)
  }

  /// Whether the windows become these: a pane has its folder only once its shell runs.
  private func windows(become expected: [String]) -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while windows() != expected {
      guard ContinuousClock.now < end else { return false }
    }
    return true
  }

  /// Ends the tmux server as a crash would, and waits until it is gone.
  private func crash() {
    guard let pid = pid_t(tmux("display-message", "-p", "#{pid}").text.dropLast()) else { return }
    kill(pid, SIGKILL)
    while kill(pid, 0) == 0, Files.read("/proc/\(pid)/cmdline").isEmpty == false { sched_yield() }
  }

  @Test("a session that is killed comes back with its windows, minus those whose folder is gone")
  func comesBack() {
    for name in ["one", "two words", "three"] { mkdir(daemon.folder.file(name), 0o700) }
    let folder = daemon.folder.path
    defer { crash() }
    #expect(tmux("new-session", "-d", "-s", "work", "-n", "first", "-c", "\(folder)/one").ending == .exit(0))
    _ = tmux("new-window", "-t", "work", "-n", "second", "-c", "\(folder)/two words")
    _ = tmux("new-window", "-d", "-t", "work", "-n", "third", "-c", "\(folder)/three")
    let before = ["first \(folder)/one 0", "second \(folder)/two words 1", "third \(folder)/three 0"]
    #expect(windows(become: before), "\(windows())")
    let saved = run(script, ["save", "work"])
    #expect(saved.ending == .exit(0), "\(saved.errors)")
    crash()
    daemon.kill()
    daemon.start()

    let started = run(script, ["start", "work"])
    #expect(started.ending == .exit(0), "\(started.errors)")
    #expect(windows(become: before), "\(windows())")

    #expect(run(script, ["save", "work"]).ending == .exit(0))
    crash()
    rmdir(daemon.folder.file("one"))
    let again = run(script, ["start", "work"])
    #expect(again.errors.contains("no entity directory \"\(folder)/one\""))
    #expect(windows(become: ["second \(folder)/two words 1", "third \(folder)/three 0"]), "\(windows())")
  }

  @Test("without a saved session it makes a new one, and with no daemon it still starts")
  func fresh() {
    defer { crash() }
    #expect(run(script, ["start", "work"]).ending == .exit(0))
    #expect(windows().count == 1)
    crash()
    daemon.stop()
    #expect(run(script, ["start", "work"]).ending == .exit(0))
    #expect(windows().count == 1)
  }

  @Test("a mistake prints the usage")
  func usage() {
    let help = run(script, ["begin"])
    #expect(help.ending == .exit(64) && help.errors.contains("tmux-scene start SESSION"))
  }
}
