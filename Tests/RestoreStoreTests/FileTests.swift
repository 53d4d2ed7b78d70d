import Foundation
import SceneModel
import Testing

@testable import RestoreStore

@Suite("Files that change under the store")
struct FileTests {
  private let fixture = Fixture()

  private func save(_ session: Session, _ mark: Int) throws -> WriteOutcome {
    let state = try SceneState(validating: Array(#"{"values":{"m":\#(mark)}}"#.utf8))
    return try session.outcome(.save(scene: "main", state: StateContent(state), ifRevision: nil, autosave: false))
  }

  @Test(
    "a database, or a log, that is removed or replaced takes no more saves, and the status says so",
    arguments: ["remove database", "replace database", "remove log"]
  )
  func gone(_ what: String) throws {
    let session = try fixture.open()
    _ = try save(session, 1)
    let path = fixture.database + (what.hasSuffix("log") ? "-wal" : "")
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    // Kept, so that its number cannot come back at once.
    try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
    if what.hasPrefix("replace") { try content.write(to: URL(fileURLWithPath: path)) }
    let error = #expect(throws: StoreError.self) { try save(session, 2) }
    #expect(error?.code == .storageFailed && error?.message.contains("restored.sqlite3") == true)
    #expect(session.writer.problems.count == 1)
  }

  @Test("a log that our own checkpoint or scrubbing made shorter is no fault")
  func ownCheckpoint() throws {
    let session = try fixture.open()
    for mark in 1...3 { _ = try save(session, mark) }
    _ = try session.outcome(.forgetScene(scene: "main"))
    _ = session.maintain(hurried: true)
    for mark in 4...6 { _ = try save(session, mark) }
    #expect(session.writer.checkpoint() == nil)
    _ = try save(session, 7)
    #expect(session.writer.problems.isEmpty)
  }

  @Test("kinds that syncs made and left behind do not fill the limit")
  func lapsedKinds() throws {
    fixture.options.limits.kinds = 5
    let session = try fixture.open()
    for number in 0..<5 { _ = try session.outcome(.beginSync(kind: "dead-\(number)")) }
    let full = #expect(throws: StoreError.self) {
      try session.outcome(.putEntities(kind: "real", ids: [], sync: nil, version: nil))
    }
    #expect(full?.code == .limitExceeded)
    fixture.clock.pass(milliseconds: 700_000)
    _ = session.maintain()
    _ = try session.outcome(.putEntities(kind: "real", ids: [], sync: nil, version: nil))
    #expect(try session.reader.kinds(uid: Fixture.uid, app: "app").map(\.kind) == ["real"])
  }

  @Test("a sync lapses when more was deleted meanwhile than is kept in mind, and deleting goes on")
  func tombstones() throws {
    let session = try fixture.open()
    guard case .syncBegan(let sync) = try session.outcome(.beginSync(kind: "card")) else { return }
    for call in 0..<2 {
      let ids = (0..<1_000).compactMap { EntityID("\(call)-\($0)-" + String(repeating: "x", count: 4_000)) }
      _ = try session.outcome(.deleteEntities(kind: "card", ids: ids, version: nil))
    }
    let error = #expect(throws: StoreError.self) { try session.outcome(.endSync(sync: sync, version: nil)) }
    #expect(error?.code == .syncNotFound)
  }

  @Test("a rollback keeps what is the newest quarantined revision after it")
  func rollbackKeepsQuarantined() throws {
    let session = try fixture.open()
    _ = try save(session, 1)
    _ = try session.outcome(.launch(scene: "main"))
    _ = try session.outcome(.confirm(scene: "main", revision: nil))
    for mark in 2...3 { _ = try save(session, mark) }
    for _ in 0..<4 { _ = try session.outcome(.launch(scene: "main")) }
    for _ in 0..<3 {
      _ = try session.outcome(.launch(scene: "main"))
      _ = try session.outcome(.confirm(scene: "main", revision: nil))
    }
    for mark in 4...11 { _ = try save(session, mark) }
    _ = try session.outcome(.rollback(scene: "main", revision: 3))
    let left = try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "main")
    #expect(left.contains { $0.revision == 2 && $0.quarantined })
  }
}
