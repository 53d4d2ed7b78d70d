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
    var daemons: [pid_t] = []
    while daemons.isEmpty {
      usleep(10_000)
      daemons = children(of: runner.pid).filter { name(of: $0).hasPrefix("restored") }
    }
    runner.send(SIGKILL)
    runner.wait()
    for daemon in daemons {
      while name(of: daemon).hasPrefix("restored") { usleep(10_000) }
    }
  }

  private func children(of pid: pid_t) -> [pid_t] {
    let tasks = Finished("sh", ["-c", "cat /proc/\(pid)/task/*/children"]).text
    return tasks.split(separator: " ").compactMap { pid_t($0) }
  }

  /// What a process runs; empty where it has ended, whether it was waited for or not.
  private func name(of pid: pid_t) -> String {
    let status = String(decoding: Files.read("/proc/\(pid)/status"), as: UTF8.self)
    if status.contains("State:\tZ") { return "" }
    return status.split(separator: "\n").first.map { String($0.dropFirst("Name:\t".count)) } ?? ""
  }
}
