import Glibc
import TestSupport
import Testing

@Suite("A daemon that is killed under load")
struct CrashTests {
  private static let places = [
    "randomMoment", "beforeBegin", "betweenStatements", "beforeCommit", "afterCommit", "inCheckpoint", "inErasure",
    "atLongStep", "inMigration", "starting", "stopping",
  ]

  @Test("killed at every place again and again, it has all that was acknowledged, whole, when it is started anew")
  func everyPlace() {
    let run = Finished(Files.products + "/crash-harness", ["--kills", "40"])
    print(run.text)
    #expect(run.ending == .exit(0), "\(run.text)\(run.errors)")
    #expect(run.text.contains("losses: 0\n"))
    for place in Self.places {
      #expect(run.text.contains("\(place): ") && !run.text.contains("\(place): 0\n"), "no kill at \(place)")
    }
  }

  @Test("nor does a durability of normal lose anything then")
  func durabilityNormal() {
    let run = Finished(Files.products + "/crash-harness", ["--kills", "10", "--durability", "normal"])
    #expect(run.ending == .exit(0), "\(run.text)\(run.errors)")
  }

  @Test("the look at what was acknowledged sees a database that was put back to an earlier moment")
  func sabotage() {
    let run = Finished(Files.products + "/crash-harness", ["--kills", "3", "--sabotage"])
    #expect(run.ending == .exit(1), "\(run.text)\(run.errors)")
    #expect(run.text.contains("was acknowledged") && !run.text.contains("losses: 0\n"))
  }

  @Test("killed itself, a program that tests leaves no daemon behind", .timeLimit(.minutes(5)))
  func killedRunner() throws {
    let runner = ChildProcess(Files.products + "/crash-harness", ["--kills", "1000"])
    var daemon: pid_t?
    for _ in 0..<Self.looks where daemon == nil {
      usleep(10_000)
      // One that serves: it was told of before it was waited for.
      daemon = children(of: runner.pid).first { (try? RawConnection(socket(of: $0))) != nil }
    }
    runner.send(SIGKILL)
    runner.wait()
    let left = try #require(daemon)
    for _ in 0..<Self.looks where isAlive(left) { usleep(10_000) }
    #expect(!isAlive(left))
  }

  /// Looks, ten milliseconds apart, until a hang is one.
  private static let looks = 6_000

  private func children(of pid: pid_t) -> [pid_t] {
    let tasks = Finished("sh", ["-c", "cat /proc/\(pid)/task/*/children"]).text
    return tasks.split(separator: " ").compactMap { pid_t($0) }
  }

  /// The path after `--socket` in a process's command line; empty: there is none.
  private func socket(of pid: pid_t) -> String {
    let words = Files.read("/proc/\(pid)/cmdline").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return words.firstIndex(of: "--socket").flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? ""
  }

  /// Whether a process has not ended, whoever is to wait for it.
  private func isAlive(_ pid: pid_t) -> Bool {
    let status = String(decoding: Files.read("/proc/\(pid)/status"), as: UTF8.self)
    return !status.isEmpty && !status.contains("State:\tZ")
  }
}
