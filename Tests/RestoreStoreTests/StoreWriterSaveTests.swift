import SceneModel
import Testing

@testable import RestoreStore

@Suite struct StoreWriterSaveTests {
  let fixture = Fixture()

  @Test("a saved state comes back byte for byte, also after everything was closed and opened again")
  func comesBack() throws {
    let state = #"{ "stacks" : {"main": [ {"board":{"id":"b\/1"}} ]},"values":{"n":9007199254740993}}"#
    do {
      let session = try fixture.open()
      #expect(try session.save("main", state) == SaveOutcome(revision: 1, savedAt: 1_700_000_000_000, changed: true))
      #expect(try session.text("main") == state)
    }
    let session = try fixture.open()
    #expect(try session.text("main") == state)
    #expect(try session.save("main", #"{"values":{}}"#).revision == 2)
  }

  @Test("an equal state makes no revision, whatever its order, its spaces, its escapes and ifRevision")
  func equalStates() throws {
    let session = try fixture.open()
    try session.save("main", #"{"selectedTab":"inbox","stacks":{"inbox":[{"mail":{"id":"a/1"}}],"search":[]}}"#)
    let equal = #"{"stacks": {"search":[], "inbox":[{"mail":{"id":"a\/1"}}]}, "selectedTab":"inb\u006fx"}"#
    fixture.clock.pass(milliseconds: 5000)
    for ifRevision in [nil, 0, 1, 99] {
      let again = try session.save("main", equal, ifRevision: ifRevision)
      #expect(again == SaveOutcome(revision: 1, savedAt: 1_700_000_000_000, changed: false))
    }
    #expect(try session.revisions("main") == [1])
  }

  @Test("flat pairs in another order are the same state; another number spelling is not")
  func flatPairs() throws {
    let session = try fixture.open()
    try session.save("main", #"{"stacks":[{"boards":{}},[1],0,[2]]}"#)
    #expect(try !session.save("main", #"{"stacks":[0,[2],{"boards":{}},[1]]}"#).changed)
    #expect(try session.save("main", #"{"stacks":[0,[2.0],{"boards":{}},[1]]}"#).changed)
  }

  @Test("equal hashes alone do not make states equal")
  func equalHashes() throws {
    let session = try fixture.open()
    try session.save("main", #"{"values":{"n":1}}"#)
    let other = #"{"values":{"n":2}}"#
    guard case .save(_, let state, _, _) = try session.saving("main", other) else { throw Unexpected() }
    let app = try #require(try session.writer.ledger.app(Fixture.uid, "app"))
    try #require(try session.writer.ledger.head(app, "main")).newestHash = state.hash
    #expect(try session.save("main", other).changed)
  }

  @Test("a state in which only places changed is another one, whatever its hash")
  func changedPlaces() throws {
    let session = try fixture.open()
    let states = [
      #"{"stacks":{"m":[{"a":{"id":"1"}},{"b":{"id":"2"}}],"n":[]}}"#,
      #"{"stacks":{"m":[{"b":{"id":"2"}},{"a":{"id":"1"}}],"n":[]}}"#,
      #"{"stacks":{"m":[],"n":[{"b":{"id":"2"}},{"a":{"id":"1"}}]}}"#,
      #"{"stacks":{"m":[],"n":[{"b":{"id":"1"}},{"a":{"id":"2"}}]}}"#,
    ]
    let hashes = try states.map { try SceneState(validating: Array($0.utf8)).valueHash }
    #expect(Set(hashes).count == 1)
    for state in states {
      #expect(try session.save("main", state).changed)
      #expect(try session.text("main") == state)
    }
    #expect(try !session.save("main", #"{"stacks":{"n":[{"b":{"id":"1"}},{"a":{"id":"2"}}],"m":[ ]}}"#).changed)
  }

  @Test("ifRevision fails unless it is the newest revision, 0 unless there is no such scene")
  func conflicts() throws {
    let session = try fixture.open()
    let error = #expect(throws: StoreError.self) { try session.save("main", #"{"values":{}}"#, ifRevision: 3) }
    #expect(error?.code == .revisionConflict)
    #expect(error?.details.expected == 3)
    #expect(error?.details.actual == 0)
    #expect(try session.save("main", #"{"values":{"n":1}}"#, ifRevision: 0).revision == 1)
    #expect(try session.save("main", #"{"values":{"n":2}}"#, ifRevision: 1).revision == 2)
    for stale in [0, 1, 3] {
      let error = #expect(throws: StoreError.self) {
        try session.save("main", #"{"values":{"n":3}}"#, ifRevision: stale)
      }
      #expect(error?.details.actual == 2)
    }
    #expect(try session.text("main") == #"{"values":{"n":2}}"#)
  }

  @Test("revisions count upwards over all scenes and apps of a user, and each user has a count of his own")
  func oneCount() throws {
    let session = try fixture.open()
    #expect(try session.save("a", #"{"values":{}}"#).revision == 1)
    session.app = "other"
    #expect(try session.save("a", #"{"values":{}}"#).revision == 2)
    let foreign = WriteCommand(uid: 7, app: "app", try session.saving("a", #"{"values":{}}"#))
    guard case .saved(let saved) = try session.writer.perform([foreign])[0].outcome.get() else {
      throw Unexpected()
    }
    #expect(saved.revision == 1)
    #expect(try session.reader.scenes(uid: 7, app: nil, closed: false).map(\.revision) == [1])
    #expect(try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false).map(\.revision) == [2, 1])
  }

  @Test("savedAt is never earlier than that of the revision before, however far the clock goes back")
  func clockGoesBack() throws {
    let session = try fixture.open()
    let first = try session.save("a", #"{"values":{"n":1}}"#)
    fixture.clock.pass(milliseconds: -30 * 86_400_000)
    #expect(try session.save("b", #"{"values":{"n":2}}"#).savedAt == first.savedAt)
    #expect(try session.save("a", #"{"values":{"n":3}}"#).savedAt == first.savedAt)
  }

  @Test("two scenes whose names differ in nothing but how é is composed are two scenes")
  func exactNames() throws {
    let session = try fixture.open()
    try session.save("caf\u{E9}", #"{"values":{"n":1}}"#)
    try session.save("cafe\u{301}", #"{"values":{"n":2}}"#)
    #expect(try session.text("caf\u{E9}") == #"{"values":{"n":1}}"#)
    #expect(try session.text("cafe\u{301}") == #"{"values":{"n":2}}"#)
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "app", closed: false).count == 2)
  }

  @Test("an unknown scene and an unknown revision are named in the error")
  func notFound() throws {
    let session = try fixture.open()
    let noScene = #expect(throws: StoreError.self) { try session.restore("main") }
    #expect(noScene?.code == .sceneNotFound)
    #expect(noScene?.details.scene == "main")
    try session.save("main", #"{"values":{}}"#)
    let noRevision = #expect(throws: StoreError.self) { try session.restore("main", revision: 9) }
    #expect(noRevision?.code == .revisionNotFound)
    #expect(noRevision?.details.revision == 9)
    #expect(code { _ = try session.outcome(.rollback(scene: "main", revision: 9)) } == .revisionNotFound)
    #expect(code { _ = try session.outcome(.rollback(scene: "none", revision: 1)) } == .sceneNotFound)
  }

  @Test("more scenes or apps than may be are refused with limit and size, and forgetting makes room")
  func limits() throws {
    fixture.options.limits.scenes = 2
    fixture.options.limits.apps = 2
    let session = try fixture.open()
    try session.save("a", #"{"values":{}}"#)
    try session.save("b", #"{"values":{}}"#)
    let error = #expect(throws: StoreError.self) { try session.save("c", #"{"values":{}}"#) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.details.limit == "scenes")
    #expect(error?.details.maximum == 2)
    #expect(error?.details.actual == 3)
    try session.save("a", #"{"values":{"n":1}}"#)
    session.perform(.forgetScene(scene: "b"))
    try session.save("c", #"{"values":{}}"#)
    session.app = "second"
    try session.save("a", #"{"values":{}}"#)
    session.app = "third"
    #expect(#expect(throws: StoreError.self) { try session.save("a", #"{"values":{}}"#) }?.details.limit == "apps")
    #expect(#expect(throws: StoreError.self) { try session.put("card", []) }?.details.limit == "apps")
  }
}
