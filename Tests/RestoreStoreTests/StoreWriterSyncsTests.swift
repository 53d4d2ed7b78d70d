import SceneModel
import Testing

@testable import RestoreStore

@Suite struct StoreWriterSyncsTests {
  let fixture = Fixture()

  private func check(_ session: Session, _ id: String) throws -> CheckedState {
    let state = try SceneState(validating: Array(#"{"stacks":{"main":[{"open":{"cardID":"\#(id)"}}]}}"#.utf8))
    return try session.reader.check(uid: Fixture.uid, app: session.app, state: state, stale: nil)
  }

  @Test("the end of a sync takes away what was put neither by it nor by anyone since it began")
  func sweeps() throws {
    let session = try fixture.open()
    try session.put("card", ["old", "kept", "touched"])
    let sync = try session.beginSync("card")
    #expect(try session.put("card", ["kept", "new"], sync: sync) == 1)
    #expect(try session.put("card", ["touched", "meanwhile"]) == 1)
    #expect(try session.ids("card") == ["kept", "meanwhile", "new", "old", "touched"])
    #expect(try session.endSync(sync, version: "v2") == SyncOutcome(added: 1, deleted: 1, count: 4))
    #expect(try session.ids("card") == ["kept", "meanwhile", "new", "touched"])
    #expect(try session.kind("card") == KindSummary(kind: "card", count: 4, version: "v2", syncing: false))
  }

  @Test("an id deleted while a sync runs stays deleted, though the sync puts it before or after")
  func deletedStaysDeleted() throws {
    let session = try fixture.open()
    try session.put("card", ["a", "b"])
    let sync = try session.beginSync("card")
    try session.put("card", ["a", "c"], sync: sync)
    #expect(try session.delete("card", ["a", "b", "d"]) == 2)
    #expect(try session.put("card", ["a", "b", "d", "e"], sync: sync) == 1)
    try session.endSync(sync)
    #expect(try session.ids("card") == ["c", "e"])
    #expect(try session.writer.connection.integer("SELECT count(*) FROM tombstones") == 0)
  }

  @Test("an id that is put plainly after it was deleted is there again, sync or not")
  func putAgain() throws {
    let session = try fixture.open()
    try session.put("card", ["a"])
    let sync = try session.beginSync("card")
    try session.delete("card", ["a"])
    try session.put("card", ["a"])
    try session.put("card", ["a"], sync: sync)
    try session.endSync(sync)
    #expect(try session.ids("card") == ["a"])
  }

  @Test("what was deleted during one sync may be put by the next one")
  func nextSync() throws {
    let session = try fixture.open()
    let first = try session.beginSync("card")
    try session.delete("card", ["a"])
    let second = try session.beginSync("card")
    #expect(try session.put("card", ["a"], sync: second) == 1)
    #expect(code { _ = try session.put("card", ["b"], sync: first) } == .syncNotFound)
    #expect(code { _ = try session.endSync(first) } == .syncNotFound)
    try session.endSync(second)
    #expect(try session.ids("card") == ["a"])
  }

  @Test("while a sync runs nothing that is not there is missing; from its end on it is")
  func notMissingYet() throws {
    let session = try fixture.open()
    try session.put("card", ["a"])
    #expect(try check(session, "b").dropped.count == 1)
    let sync = try session.beginSync("card")
    #expect(try check(session, "b").dropped == [])
    #expect(try check(session, "b").unverified == ["card"])
    #expect(try check(session, "a").unverified == [])
    #expect(try session.kind("card")?.syncing == true)
    try session.put("card", ["a"], sync: sync)
    try session.endSync(sync)
    #expect(try check(session, "b").dropped.count == 1)
    #expect(try check(session, "b").unverified == [])
  }

  @Test("a kind that was never declared is so by the end of its first sync, not before, nor by a lapsed one")
  func declares() throws {
    let session = try fixture.open()
    let lapsed = try session.beginSync("card")
    try session.put("card", ["a"], sync: lapsed, version: "v1")
    fixture.clock.pass(milliseconds: 600_000)
    session.maintain()
    #expect(try session.kind("card") == nil)
    #expect(try check(session, "b").dropped == [])
    let sync = try session.beginSync("card")
    try session.put("card", ["c"], sync: sync)
    #expect(try session.kind("card") == nil)
    #expect(try session.endSync(sync) == SyncOutcome(added: 1, deleted: 1, count: 1))
    #expect(try session.kind("card") == KindSummary(kind: "card", count: 1, version: nil, syncing: false))
    #expect(try check(session, "b").dropped.count == 1)
  }

  @Test("a sync lapses after ten minutes without a call; what was there stays")
  func lapses() throws {
    let session = try fixture.open()
    try session.put("card", ["old"], version: "v1")
    let sync = try session.beginSync("card")
    for _ in 0..<3 {
      fixture.clock.pass(milliseconds: 599_999)
      try session.put("card", ["new"], sync: sync, version: "v2")
    }
    session.changes = []
    fixture.clock.pass(milliseconds: 600_000)
    #expect(code { _ = try session.put("card", ["newer"], sync: sync) } == .syncNotFound)
    #expect(session.writer.maintenanceDue == fixture.clock.steady.withLock { $0 })
    session.maintain()
    #expect(session.changes.map(\.type) == [.syncing(false)])
    #expect(session.writer.maintenanceDue == nil)
    #expect(code { _ = try session.endSync(sync) } == .syncNotFound)
    #expect(try session.ids("card") == ["new", "old"])
    #expect(try session.kind("card")?.version == "v1", "the ids are not all of the model that v2 marks")
    #expect(try check(session, "b").dropped.count == 1)
  }

  @Test("a restart makes a sync lapse, and its name never comes again")
  func restart() throws {
    let name: String
    do {
      let session = try fixture.open()
      try session.put("card", ["old"])
      name = try session.beginSync("card")
      try session.delete("card", ["x"])
      try session.put("card", ["new"], sync: name)
    }
    let session = try fixture.open()
    #expect(code { _ = try session.endSync(name) } == .syncNotFound)
    #expect(try session.ids("card") == ["new", "old"])
    #expect(try check(session, "b").dropped.count == 1)
    let next = try session.beginSync("card")
    #expect(next != name)
    #expect(try session.put("card", ["x"], sync: next) == 1)
    session.perform(.forgetKind(kind: "card"))
    #expect(code { _ = try session.endSync(next) } == .syncNotFound)
    #expect(try session.beginSync("card") != name)
  }

  @Test("a sync is its kind's, its app's and its user's alone")
  func owner() throws {
    let session = try fixture.open()
    let sync = try session.beginSync("card")
    #expect(code { _ = try session.put("board", ["b"], sync: sync) } == .syncNotFound)
    for name in ["", "1", "x-1", sync + "0", "0" + sync, "1-99", "-1--1"] {
      #expect(code { _ = try session.endSync(name) } == .syncNotFound, "\(name)")
    }
    session.app = "other"
    #expect(code { _ = try session.endSync(sync) } == .syncNotFound)
    let foreign = WriteCommand(uid: 7, app: "app", .endSync(sync: sync, version: nil))
    #expect(throws: StoreError.self) { try session.writer.perform([foreign])[0].outcome.get() }
    session.app = "app"
    try session.endSync(sync)
  }

  @Test("the version last put with a sync is the kind's from its end on; of a sync without one there is none")
  func versions() throws {
    let session = try fixture.open()
    try session.put("card", [], version: "v1")
    let first = try session.beginSync("card")
    try session.put("card", ["a"], sync: first, version: "v2")
    #expect(try session.kind("card")?.version == "v1")
    try session.endSync(first)
    #expect(try session.kind("card")?.version == "v2")
    try session.endSync(try session.beginSync("card"))
    #expect(try session.kind("card")?.version == nil)
  }
}
