import CSQLite
import Foundation
import Synchronization
import Testing

@testable import RestoreStore

@Suite struct StoreWriterBatchTests {
  let fixture = Fixture()

  private func state(_ number: Int, bytes: Int = 0) -> String {
    #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  private func fill(_ session: Session) throws {
    let pages = try session.writer.connection.integer("PRAGMA page_count")
    _ = try session.writer.connection.execute(script: Array("PRAGMA max_page_count = \(pages + 40)".utf8))
  }

  @Test("all commands of a batch are one transaction, carried out in their order")
  func oneTransaction() throws {
    let commits = Mutex(0)
    fixture.options.hooks.afterCommit = { commits.withLock { $0 += 1 } }
    let session = try fixture.open()
    let results = session.perform(
      try session.saving("a", state(1)),
      try session.saving("a", state(2), ifRevision: 1),
      .putEntities(kind: "card", ids: [], sync: nil, version: nil),
      try session.saving("b", state(1)),
      .rollback(scene: "a", revision: 1)
    )
    #expect(commits.withLock { $0 } == 1)
    #expect(
      try results.map { try $0.outcome.get() } == [
        .saved(SaveOutcome(revision: 1, savedAt: 1_700_000_000_000, changed: true)),
        .saved(SaveOutcome(revision: 2, savedAt: 1_700_000_000_000, changed: true)), .put(added: 0),
        .saved(SaveOutcome(revision: 4, savedAt: 1_700_000_000_000, changed: true)), .rolledBack(revision: 5),
      ]
    )
    #expect(session.changes.map(\.revision) == [1, 2, 3, 4, 5])
  }

  @Test("a command that is refused harms no other of its batch")
  func refusals() throws {
    let session = try fixture.open()
    let results = session.perform(
      try session.saving("a", state(1)),
      try session.saving("a", state(2), ifRevision: 9),
      .endSync(sync: "1-1", version: nil),
      .forgetScene(scene: "none"),
      try session.saving("b", state(1))
    )
    #expect(results.map { (try? $0.outcome.get()) != nil } == [true, false, false, false, true])
    #expect(results[1].changes == [])
    #expect(try session.revisions("a") == [1])
    #expect(try session.revisions("b") == [2])
  }

  @Test("where the database is full only the command that does not fit fails, and reads go on")
  func fullDatabase() throws {
    let session = try fixture.open()
    try session.save("small", state(1))
    try fill(session)
    let results = session.perform(
      try session.saving("small", state(2)),
      try session.saving("large", state(3, bytes: 500_000)),
      .putEntities(kind: "card", ids: [.text([0x61])], sync: nil, version: nil),
      try session.saving("small", state(4))
    )
    #expect(results.map { (try? $0.outcome.get()) != nil } == [true, false, true, true])
    let error = #expect(throws: StoreError.self) { try results[1].outcome.get() }
    #expect(error?.code == .storageFull)
    #expect(error?.remedy?.isEmpty == false)
    #expect(try session.text("small") == state(4))
    #expect(code { _ = try session.restore("large") } == .sceneNotFound)
    #expect(session.changes.map(\.revision) == [1, 2, 3, 4], "numbers of what was not stored are free again")
  }

  @Test("after a full disk the memory is what the disk is: what failed is not thought to be there")
  func memoryEqualsDisk() throws {
    let session = try fixture.open()
    try session.save("a", state(1))
    try fill(session)
    #expect(code { try session.save("a", state(2, bytes: 500_000)) } == .storageFull)
    #expect(code { try session.save("new", state(2, bytes: 500_000)) } == .storageFull)
    #expect(
      code { try session.put("card", (0..<9_000).map { "id-\($0)-\(String(repeating: "y", count: 80))" }) }
        == .storageFull
    )
    #expect(try !session.save("a", state(1)).changed)
    #expect(try session.kind("card") == nil)
    _ = try session.writer.connection.execute("PRAGMA max_page_count = 1000000")
    #expect(try session.save("a", state(2, bytes: 500_000), ifRevision: 1).revision == 2)
    #expect(try session.save("new", state(2, bytes: 500_000), ifRevision: 0).revision == 3)
    #expect(try session.put("card", ["c1"]) == 1)
  }

  @Test("what a sync and an erasure hold in memory goes back with a transaction that fails")
  func transientGoesBack() throws {
    let session = try fixture.open()
    try session.put("card", ["a"])
    try session.save("main", state(1))
    let sync = try session.beginSync("card")
    try fill(session)
    let batch: [WriteCommand.Action] = [
      .endSync(sync: sync, version: nil), .forgetScene(scene: "main"),
      try session.saving("x", state(1, bytes: 900_000)),
    ]
    let results = session.perform(batch[0], batch[1], batch[2])
    #expect(results.map { (try? $0.outcome.get()) != nil } == [true, true, false])
    guard case .erasing(let ticket) = try results[1].outcome.get() else { throw Unexpected() }
    _ = try session.writer.connection.execute("PRAGMA max_page_count = 1000000")
    let done = session.maintain()
    #expect(done.erased.map(\.ticket) == [ticket])
    #expect(try session.ids("card") == [])
  }

  @Test("while another process holds the lock every command fails after one wait, and then goes through")
  func lockedByAnother() throws {
    let waits = Mutex(0)
    fixture.options.hooks.beforeBegin = { waits.withLock { $0 += 1 } }
    let session = try fixture.open()
    try session.save("main", state(1))
    let other = try Connection(path: fixture.database)
    do {
      let lock = try Transaction(.writing, on: other)
      waits.withLock { $0 = 0 }
      let results = session.perform(
        try session.saving("a", state(1)),
        try session.saving("b", state(1)),
        try session.saving("c", state(1)),
        try session.saving("d", state(1))
      )
      #expect(waits.withLock { $0 } == 1, "busy once, not four times")
      for result in results { #expect(code { _ = try result.outcome.get() } == .locked) }
      #expect(try session.text("main") == state(1))
      _ = consume lock
    }
    #expect(try session.save("a", state(1)).revision == 2)
  }

  @Test("what another process wrote is seen: nothing held in memory overrules the disk")
  func foreignWrites() throws {
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", state(number)) }
    let other = try Connection(path: fixture.database)
    try other.execute("DELETE FROM revisions WHERE revision = 3")
    try other.execute("UPDATE users SET revision = 70")
    let saved = try session.save("main", state(3))
    #expect(saved.revision == 71)
    #expect(saved.changed)
    #expect(try session.revisions("main") == [71, 2, 1])
  }

  @Test("the hooks are called in their order, and none is called for an empty batch")
  func hooks() throws {
    let calls = Mutex<[String]>([])
    func note(_ name: String) -> @Sendable () -> Void { { calls.withLock { $0.append(name) } } }
    fixture.options.hooks.beforeBegin = note("begin")
    fixture.options.hooks.betweenStatements = note("statement")
    fixture.options.hooks.beforeCommit = note("commit")
    fixture.options.hooks.afterCommit = note("committed")
    fixture.options.hooks.inMigration = note("migration")
    fixture.options.hooks.inErasure = note("erasure")
    fixture.options.hooks.inCheckpoint = note("checkpoint")
    fixture.options.limits.turnLogOver(afterPages: 20)
    let session = try fixture.open()
    #expect(session.writer.perform([]).isEmpty)
    try session.save("main", state(1))
    session.maintain()
    let migrations = Array(repeating: "migration", count: fixture.options.migrations.count)
    #expect(
      calls.withLock { $0 } == migrations
        + ["begin", "statement", "commit", "committed", "checkpoint", "checkpoint"]
    )
    session.perform(.forgetScene(scene: "main"))
    session.maintain()
    #expect(calls.withLock { $0 }.contains("erasure"))
  }

  @Test("a checkpoint is due when the WAL has grown, and done it is due no more")
  func checkpoints() throws {
    fixture.options.limits.turnLogOver(afterPages: 100)
    let session = try fixture.open()
    var saves = 0
    while session.writer.maintenanceDue == nil {
      saves += 1
      try session.save("main", state(saves))
    }
    #expect((20...100).contains(saves))
    #expect(session.writer.maintenanceDue == 0)
    session.maintain()
    #expect(session.writer.maintenanceDue == nil)
    // Emptied, the WAL is written from its beginning again, and does not grow.
    let size = try session.reader.status(uid: nil, problems: []).walBytes
    for number in 0..<10 { try session.save("main", state(1000 + number)) }
    #expect(try session.reader.status(uid: nil, problems: []).walBytes == size)
  }

  @Test(
    "a save writes its own page, whatever the history and the size, and the user's where it is another scene's turn"
  )
  func pagesPerSave() throws {
    let session = try fixture.open()
    for number in 0..<30 {
      for scene in ["other", "main"] { try session.save(scene, state(number, bytes: 700)) }
    }
    for (scene, bytes, pages) in [("main", 700, 1), ("main", 750, 1), ("other", 700, 2), ("other", 650, 1)] {
      try session.writer.emptyLog(waiting: 0)
      try session.save(scene, state(pages, bytes: bytes))
      #expect(session.writer.connection.pagesInWAL == pages, "\(scene), \(bytes) bytes")
    }
  }
}
