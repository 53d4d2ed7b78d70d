import RestoreStore
import SceneModel
import Testing

@testable import RestoredService

/// How much goes into one transaction.
@Suite struct BatchTests {
  private func saves(_ count: Int, bytes: Int) throws -> [WriteCommand] {
    let text = #"{"values":{"x":"\#(String(repeating: "x", count: bytes))"}}"#
    let state = try SceneState(validating: Array(text.utf8))
    return (0..<count).map {
      WriteCommand(
        uid: 1,
        app: "app",
        .save(scene: "\($0)", state: StateContent(state), ifRevision: nil, autosave: false)
      )
    }
  }

  @Test("a transaction takes 1,024 commands at most, or 8 MiB of states, so that none makes the log long by itself")
  func bounds() throws {
    #expect(WriterThread.fitting([]) == 0)
    #expect(WriterThread.fitting(try saves(7, bytes: 1_000)) == 7)
    #expect(WriterThread.fitting(try saves(2_000, bytes: 10)) == 1_024)
    #expect(WriterThread.fitting(try saves(200, bytes: 100_000)) == 83)
  }

  @Test("a command that is larger than that goes alone")
  func large() throws {
    #expect(WriterThread.fitting(try saves(3, bytes: 9 << 20)) == 1)
  }
}
