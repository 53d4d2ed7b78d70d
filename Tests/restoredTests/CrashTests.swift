import Glibc
import TestSupport
import Testing

@Suite("A daemon that is killed under load")
struct CrashTests {
  private static let places = [
    "randomMoment", "beforeBegin", "betweenStatements", "beforeCommit", "afterCommit", "inCheckpoint", "inErasure",
    "inMigration", "starting", "stopping",
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
}
