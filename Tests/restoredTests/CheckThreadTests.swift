import Glibc
import RestoreStore
import SceneModel
import TestSupport
import Testing
import Varlink

@testable import RestoredService

@Suite struct CheckThreadTests {
  @Test("a check that is stopped while it begins has let go of the database: who closes it then leaves no log")
  func stoppedAtOnce() throws {
    let mailbox = try EventLoop().mailbox
    for round in 0..<10 {
      let folder = TemporaryFolder()
      var writer: StoreWriter? = try StoreWriter(folder: folder.path)
      let state = try SceneState(validating: Array(#"{"values":{"n":\#(round)}}"#.utf8))
      let save = WriteCommand.Action.save(scene: "main", state: StateContent(state), ifRevision: nil, autosave: false)
      for result in try #require(writer).perform([WriteCommand(uid: 0, app: "app", save)]) {
        _ = try result.outcome.get()
      }
      let check = try CheckThread(folder: folder.path, StoreOptions(), control: CheckControl(), mailbox: mailbox) { _ in
      }
      check.stop()
      writer = nil
      #expect(access(folder.file("restored.sqlite3-wal"), F_OK) != 0)
      withExtendedLifetime(check) {}
    }
  }

  @Test("a thread that cannot be started is an error, and nothing of it is left to wait for")
  func noThread() {
    #expect(throws: SystemFault.self) { try JoinedThread(stackBytes: 1 << 60) { Issue.record("it ran") } }
  }
}
