import Foundation
import SceneModel
import Testing

@testable import RestoreStore

@Suite("Records, out of one store and into another")
struct TransferTests {
  let fixture = Fixture()

  private func state(_ number: Int) -> String { #"{"values":{"n":\#(number)}}"# }

  @Test("a scene comes with its history, its times, what was confirmed, and closed as it was")
  func scene() throws {
    let session = try fixture.open()
    for number in 1...3 {
      try session.save("main", state(number))
      fixture.clock.pass(milliseconds: 1_000)
    }
    _ = try session.outcome(.confirm(scene: "main", revision: 2))
    _ = try session.outcome(.closeScene(scene: "main"))
    let records = try session.export()
    #expect(
      records.map(\.told) == [
        "app/main first 1700000000000 closed 1700000003000 \(state(1))",
        "app/main 1700000001000 closed 1700000003000 confirmed \(state(2))",
        "app/main 1700000002000 closed 1700000003000 \(state(3))",
      ]
    )
    let other = try Fixture().open()
    #expect(try other.take(records) == 3)
    #expect(try other.export().map(\.told) == records.map(\.told))
    #expect(
      try other.reader.revisions(uid: Fixture.uid, app: "app", scene: "main").map(\.confirmed) == [false, true, false]
    )
    #expect(try other.reader.scenes(uid: Fixture.uid, app: "app", closed: true).map(\.closedAt) == [1_700_000_003_000])
    // A save goes on from there: it opens the scene, and is never earlier than what it follows.
    other.fixture.clock.wall.withLock { $0 = 1_600_000_000_000 }
    #expect(try other.save("main", state(4)).savedAt == 1_700_000_002_000)
    #expect(try other.reader.scenes(uid: Fixture.uid, app: "app", closed: false).count == 1)
  }

  @Test("revisions that history alone would not keep come in all the same, until the next save")
  func historyIsNotCut() throws {
    let session = try fixture.open()
    let states = (1...40).map { imported("main", state($0), isFirst: $0 == 1) }
    #expect(try session.take([.routes(app: "app", try table(#"{"history":3}"#))] + states) == 41)
    #expect(try session.revisions("main").count == 40)
    try session.save("main", state(41))
    #expect(try session.revisions("main").count == 3)
  }

  @Test("one call keeps at most the longest history and what may stand beside it")
  func bounded() throws {
    let session = try fixture.open()
    let states = (1...1_200).map { imported("main", state($0), isFirst: $0 == 1) }
    #expect(try session.take(states) == 1_200)
    #expect(try session.revisions("main").count == 1_005)
    #expect(try session.text("main") == state(1_200))
  }

  @Test("a record that begins a scene which is there is refused by its index; with replace the scene gives way")
  func replacing() throws {
    let session = try fixture.open()
    try session.save("main", #"{"values":{"secret":"OLD-PAYLOAD"}}"#)
    let records = [imported("other", state(1), isFirst: true), imported("main", state(2), isFirst: true)]
    let error = #expect(throws: StoreError.self) { try session.take(records) }
    #expect(error?.code == .invalidRecord && error?.details.index == 1)
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "app", closed: false).map(\.scene) == ["main"])
    session.changes = []
    #expect(try session.take(records, replace: true) == 2)
    #expect(try session.text("main") == state(2) && session.revisions("main").count == 1)
    #expect(session.changes.map(\.type) == [.saved, .forgotten, .saved])
    #expect(session.changes.map(\.revision) == session.changes.map(\.revision).sorted())
    // What gave way is scrubbed without anyone waiting for it.
    session.maintain(hurried: true)
    for suffix in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.database + suffix))
      #expect(bytes.range(of: Data("OLD-PAYLOAD".utf8)) == nil)
    }
  }

  @Test("a refused import takes back all of its own and nothing of what was committed with it")
  func inOneTransaction() throws {
    let session = try fixture.open()
    try session.save("main", state(1))
    let source = source([imported("a", state(1), isFirst: true), imported("main", state(2), isFirst: true)])
    let results = session.perform(
      try session.saving("b", state(2)),
      .putEntities(kind: "page", ids: [EntityID("1")!], sync: nil, version: nil),
      .importRecords(source, replace: false),
      try session.saving("c", state(3))
    )
    #expect(results.map { (try? $0.outcome.get()) != nil } == [true, true, false, true])
    #expect(results[2].changes.isEmpty)
    guard case .success(.saved(let last)) = results[3].outcome else { throw Unexpected() }
    #expect(last.revision == 4, "the refused one has taken no number")
    let again = try fixture.reader()
    let scenes = try again.scenes(uid: Fixture.uid, app: "app", closed: false).map(\.scene)
    #expect(scenes == ["c", "b", "main"])
    #expect(try again.entities(uid: Fixture.uid, app: "app", kind: "page", after: nil, limit: nil).ids == ["1"])
    let status = try again.status(uid: Fixture.uid, problems: [])
    #expect(status.revision == 4 && status.usedBytes == 3 * state(1).utf8.count + 1)
  }

  @Test("a call repeated because its reply was lost changes nothing")
  func repeated() throws {
    let session = try fixture.open()
    #expect(try session.take([imported("main", state(1), at: 5, isFirst: true)]) == 1)
    let rest = [
      imported("main", state(2), at: 6), imported("main", state(1), at: 7), imported("main", state(3), at: 8),
    ]
    for _ in 0..<3 { #expect(try session.take(rest) == 3) }
    #expect(try session.revisions("main").count == 4)
    // The same state at another time is another revision.
    #expect(try session.take([imported("main", state(3), at: 9)]) == 1)
    #expect(try session.revisions("main").count == 5)
  }

  @Test("closed scenes come in without pushing older ones out; the next close does that")
  func closedScenes() throws {
    let session = try fixture.open()
    for number in 1...30 {
      try session.save("own\(number)", state(number))
      _ = try session.outcome(.closeScene(scene: "own\(number)"))
    }
    #expect(try session.take((1...30).map { imported("s\($0)", state($0), isFirst: true, closedAt: $0) }) == 30)
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "app", closed: true).count == 60)
    guard case .reopened(let scene) = try session.outcome(.reopenScene(scene: nil)) else { throw Unexpected() }
    #expect(scene == "s30")
    _ = try session.outcome(.closeScene(scene: "s30"))
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "app", closed: true).count == 32)
  }

  @Test("limits and quotas hold for what comes in")
  func limits() throws {
    fixture.options.limits.scenes = 2
    fixture.options.limits.kinds = 1
    fixture.options.limits.apps = 2
    fixture.options.userQuotaBytes = 100
    let session = try fixture.open()
    func refusal(_ records: ImportedRecord...) -> StoreError? {
      #expect(throws: StoreError.self) { try session.take(records) }
    }
    let scenes = (1...3).map { imported("s\($0)", state($0), isFirst: true) }
    #expect(refusal(scenes[0], scenes[1], scenes[2])?.details.limit == "scenes")
    #expect(refusal(ids("a", ["1"]), ids("b", ["1"]))?.details.limit == "kinds")
    #expect(
      refusal(ids("a", ["1"], app: "x"), ids("a", ["1"], app: "y"), ids("a", ["1"], app: "z"))?.details.limit == "apps"
    )
    let large = #"{"values":{"t":"\#(String(repeating: "x", count: 90))"}}"#
    #expect(refusal(imported("s", large, isFirst: true))?.code == .quotaExceeded)
    #expect(refusal(ids("a", [String(repeating: "x", count: 101)]))?.code == .quotaExceeded)
    #expect(try session.reader.status(uid: Fixture.uid, problems: []).revision == 0)
    #expect(try session.take(Array(scenes[..<2])) == 2)
  }

  @Test("a kind has its version only where all of its ids are of that model")
  func versions() throws {
    let session = try fixture.open()
    func version() throws -> String? { try session.kind("page")?.version }
    // In portions, the last of which brings the version.
    #expect(try session.take([ids("page", ["1"])]) == 1)
    #expect(try version() == nil)
    #expect(try session.take([ids("page", ["2"], version: "v")]) == 1)
    #expect(try version() == "v")
    // The same once more.
    #expect(try session.take([ids("page", ["1"]), ids("page", ["2"], version: "v")]) == 2)
    #expect(try version() == "v")
    // The app's own changes, then a portion of something older.
    try session.put("page", ["3"], version: "w")
    #expect(try session.take([ids("page", ["2"], version: "v")]) == 1)
    #expect(try version() == "w", "nothing came in")
    #expect(try session.take([ids("page", ["4"], version: "w")]) == 1)
    #expect(try version() == "w", "ids of the same model came in")
    #expect(try session.take([ids("page", ["5"], version: "v")]) == 1)
    #expect(try version() == nil, "ids of two models")
    #expect(try session.ids("page") == ["1", "2", "3", "4", "5"])
  }

  @Test("an id that was put by an import while a sync runs is not swept")
  func whileSyncing() throws {
    let session = try fixture.open()
    try session.put("page", ["1"], version: "v")
    let sync = try session.beginSync("page")
    #expect(try session.export().map(\.told) == ["app:page - 1"], "what is there is no one model's")
    #expect(try session.take([ids("page", ["2"])]) == 1)
    #expect(try session.endSync(sync).count == 1)
    #expect(try session.ids("page") == ["2"])
  }

  @Test("a revision whose checksum does not hold is left out, and told")
  func damage() throws {
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", state(number)) }
    try session.writer.connection.execute("UPDATE revisions SET checksum = checksum + 1 WHERE revision IN (1, 3)")
    var walk = RecordWalk(uid: Fixture.uid)
    var records: [StoredRecord] = []
    while !walk.isDone { try session.reader.advance(&walk).map { records.append($0) } }
    #expect(records.map(\.told) == ["app/main first 1700000000000 \(state(2))"])
    #expect(walk.faults.count == 2 && walk.faults[1].contains("revision 3 of scene main"))
  }
}
