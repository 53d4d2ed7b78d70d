import SceneModel
import Testing

@testable import RestoreStore

@Suite struct StoreReaderTests {
  let fixture = Fixture()

  @Test("all reads of a batch see one moment; applied changes end it")
  func batches() throws {
    let session = try fixture.open()
    try session.save("main", #"{"values":{"n":1}}"#)
    session.reader.beginBatch()
    #expect(try session.text("main") == #"{"values":{"n":1}}"#)
    let results = session.writer.perform([session.command(try session.saving("main", #"{"values":{"n":2}}"#))])
    #expect(try session.text("main") == #"{"values":{"n":1}}"#)
    session.apply(results[0].changes)
    #expect(try session.text("main") == #"{"values":{"n":2}}"#)
    session.reader.endBatch()
    let isOpen = session.reader.connection.isInTransaction
    #expect(!isOpen)
  }

  @Test("a commit whose changes are not applied yet is no damage: the slot it took is looked up anew")
  func commitBeforeChanges() throws {
    let session = try fixture.open()
    try session.save("main", #"{"values":{"n":1}}"#, autosave: true)
    #expect(try session.text("main") == #"{"values":{"n":1}}"#)
    let save = try session.saving("main", #"{"values":{"n":2}}"#, autosave: true)
    _ = session.writer.perform([session.command(save)])
    let restored = try session.restore("main")
    #expect(restored.revision == 2)
    #expect(restored.faults == [])
    _ = session.writer.perform([session.command(.forgetScene(scene: "main"))])
    #expect(code { _ = try session.restore("main") } == .sceneNotFound)
  }

  @Test("a forgotten scene's slot never becomes another scene's")
  func slotsAreNotReused() throws {
    let session = try fixture.open()
    try session.save("main", #"{"values":{"n":1}}"#)
    #expect(try session.text("main") == #"{"values":{"n":1}}"#)
    let foreign = WriteCommand(uid: 7, app: "app", try session.saving("theirs", #"{"values":{"n":7}}"#))
    _ = session.writer.perform([session.command(.forgetScene(scene: "main")), foreign])
    #expect(code { _ = try session.restore("main") } == .sceneNotFound)
  }

  @Test("of a kind that is being forgotten nothing is missing, though its changes are not applied yet")
  func forgettingKind() throws {
    let session = try fixture.open()
    try session.put("card", ["c1"])
    try session.save("main", #"{"stacks":{"a":[{"card":{"id":"c1"}}]}}"#)
    #expect(try session.restore("main").dropped == [])
    let results = session.writer.perform([session.command(.forgetKind(kind: "card"))])
    #expect(try session.restore("main").dropped == [])
    session.apply(results[0].changes)
    #expect(try session.restore("main").unverified == [])
    #expect(try session.restore("main").askedUndeclared)
  }

  @Test("a restore tells which kinds its answer depends on")
  func consulted() throws {
    let session = try fixture.open()
    try session.put("card", ["c1"])
    try session.put("board", ["b1"])
    try session.put("unasked", [])
    try session.save("one", #"{"stacks":{"a":[{"card":{"id":"c1","boardID":"b1"}},{"card":{"id":"c1"}}]}}"#)
    try session.save("two", #"{"stacks":{"a":[{"card":{"id":"c1","userID":"u1"}}]}}"#)
    try session.save("three", #"{"values":{}}"#)
    let keys = session.changes.compactMap { change -> (String, Int64)? in
      if case .kind(let name, let key) = change.subject { (name, key) } else { nil }
    }
    let key = Dictionary(uniqueKeysWithValues: keys)
    let one = try session.restore("one")
    #expect(Set(one.asked.kinds.map(\.key)) == [key["card"], key["board"]])
    #expect(!one.askedUndeclared)
    let two = try session.restore("two")
    #expect(two.asked.kinds.map(\.key) == [key["card"]])
    #expect(two.askedUndeclared)
    #expect(two.unverified == ["user"])
    #expect(try session.restore("three").asked.kinds.map(\.key) == [])
  }

  @Test("a declared kind is found by its exact name first, then without case")
  func kindNames() throws {
    let session = try fixture.open()
    try session.put("card", ["lower"])
    try session.put("Card", ["upper"])
    func survives(_ route: String) throws -> Bool {
      let state = try SceneState(validating: Array(#"{"stacks":{"main":[\#(route)]}}"#.utf8))
      return try session.reader.check(uid: Fixture.uid, app: "app", state: state, stale: nil).dropped.isEmpty
    }
    #expect(try survives(#"{"card":{"id":"lower"}}"#))
    #expect(try !survives(#"{"card":{"id":"upper"}}"#))
    #expect(try survives(#"{"Card":{"id":"upper"}}"#))
    #expect(try survives(#"{"CARD":{"id":"upper"}}"#), "the first by name, and capitals sort first")
  }

  @Test("scenes are listed last saved first, with what is known of them")
  func lists() throws {
    let session = try fixture.open()
    try session.save("a", #"{"selectedTab":"x","stacks":{"x":[1,2],"y":[3]}}"#)
    try session.save("b", #"{"values":{}}"#)
    session.app = "other"
    try session.save("c", #"{"values":{}}"#)
    session.app = "app"
    fixture.clock.pass(milliseconds: 5)
    let state = #"{"selectedTab":"y","stacks":{"x":[1,2],"y":[3]}}"#
    try session.save("a", state)
    _ = try session.outcome(.launch(scene: "a"))
    let all = try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false)
    #expect(all.map(\.scene) == ["a", "c", "b"])
    #expect(
      all[0]
        == SceneSummary(
          app: "app",
          scene: "a",
          revision: 4,
          savedAt: 1_700_000_000_005,
          size: state.utf8.count,
          selectedTab: "y",
          routes: 3,
          closedAt: nil,
          unconfirmedLaunches: 1
        )
    )
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "app", closed: false).map(\.scene) == ["a", "b"])
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "none", closed: false) == [])
    #expect(try session.reader.scenes(uid: 7, app: nil, closed: false) == [])
  }

  @Test("the selected tab is listed decoded, after a rollback that of the revision rolled back to")
  func selectedTab() throws {
    let session = try fixture.open()
    func tab() throws -> String? {
      try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false)[0].selectedTab
    }
    try session.save("a", #"{"selectedTab":"b\u006fx \"é\""}"#)
    #expect(try tab() == #"box "é""#)
    try session.save("a", #"{"selectedTab":-3}"#)
    #expect(try tab() == "-3")
    try session.save("a", #"{"values":{}}"#)
    #expect(try tab() == nil)
    _ = try session.outcome(.rollback(scene: "a", revision: 1))
    #expect(try tab() == #"box "é""#)
  }

  @Test("the totals count all users, a user's status only his own")
  func status() throws {
    let session = try fixture.open()
    try session.save("a", #"{"values":{}}"#)
    let foreign = WriteCommand(
      uid: 7,
      app: "app",
      .putEntities(kind: "k", ids: [.text([0x61])], sync: nil, version: nil)
    )
    _ = session.writer.perform([foreign])
    let own = try session.reader.status(uid: Fixture.uid, problems: ["told"])
    #expect(own.scenes == 1)
    #expect(own.entities == 0)
    #expect(own.problems == ["told"])
    let all = try session.reader.status(uid: nil, problems: [])
    #expect(all.scenes == 1)
    #expect(all.entities == 1)
    #expect(all.usedBytes == 14)
    #expect(try session.reader.status(uid: 99, problems: []).scenes == 0)
  }
}
