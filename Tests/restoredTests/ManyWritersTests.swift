import Glibc
import RestoreInterface
import TestSupport
import Testing

@Suite("Fifty processes that save at once")
struct ManyWritersTests {
  private static let processes = 50
  private let daemon = DaemonProcess(["--durability", "normal"])

  private func state(_ number: Int) -> String {
    #"{"stacks":{"main":[{"page":{"id":"\#(number)"}}]},"values":{"pad":"\#(String(repeating: "\(number) ", count: 500))"}}"#
  }

  /// Saves by as many processes as the suite says, all started before any is waited for; answers each one's revision.
  private func saveAtOnce(_ scene: (Int) -> String) -> [Int] {
    let all = (0..<Self.processes).map { number in
      ChildProcess(
        Files.products + "/restorectl",
        ["--socket", daemon.socket, "--app", "many", "save", "--scene", scene(number)],
        input: Array(state(number).utf8)
      )
    }
    return all.map { process in
      #expect(process.wait() == .exit(0), "\(process.errors)")
      let told = String(decoding: process.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      #expect(told.count == 2 && told.first == "revision")
      return told.last.flatMap { Int($0) } ?? 0
    }
  }

  @Test("to one scene: each gets a revision of its own, the newest is one whole save, and the history is in order")
  func oneScene() throws {
    let revisions = saveAtOnce { _ in "main" }
    #expect(revisions.sorted() == Array(1...Self.processes))
    let client = try daemon.client()
    let restored = try client.restore(app: "many")
    #expect(restored.revision == Self.processes)
    #expect(restored.text == state(try #require(revisions.firstIndex(of: Self.processes))))
    let history = try client.call(ListRevisions.self, SceneAddress(app: "many", scene: "main")).revisions
    #expect(history.map(\.revision) == Array((Self.processes - 9...Self.processes).reversed()))
    for revision in history.map(\.revision) {
      let text = try client.restore(app: "many", revision: revision).text
      #expect(text == state(try #require(revisions.firstIndex(of: revision))))
    }
  }

  @Test("to a scene each: no scene is lost, and each has the state that its process sent")
  func ownScenes() throws {
    let revisions = saveAtOnce { "scene-\($0)" }
    #expect(Set(revisions).count == Self.processes)
    let client = try daemon.client()
    #expect(try client.call(ListScenes.self, ListScenes.Parameters(app: "many")).scenes.count == Self.processes)
    for number in 0..<Self.processes {
      let restored = try client.restore(app: "many", scene: "scene-\(number)")
      #expect(restored.text == state(number))
      #expect(restored.revision == revisions[number])
    }
  }

  @Test("and all of it is there after a kill")
  func afterKill() throws {
    let revisions = saveAtOnce { "scene-\($0 % 7)" }
    daemon.kill()
    daemon.start()
    let client = try daemon.client()
    for scene in 0..<7 {
      let newest = try #require(revisions.indices.filter { $0 % 7 == scene }.max { revisions[$0] < revisions[$1] })
      let restored = try client.restore(app: "many", scene: "scene-\(scene)")
      #expect(restored.revision == revisions[newest])
      #expect(restored.text == state(newest))
    }
  }
}
