import SceneModel
import TestSupport
import Testing

@testable import RestoreStore

@Suite("One user's quota")
struct QuotaTests {
  private let fixture = Fixture()

  init() { fixture.options.userQuotaBytes = 10_000 }

  /// A state of exactly `size` bytes that differs by `mark`.
  private func state(_ size: Int, _ mark: Int) throws -> SceneState {
    let frame = #"{"values":{"m":\#(mark),"x":""}}"#
    return try SceneState(
      validating: Array(
        #"{"values":{"m":\#(mark),"x":"\#(String(repeating: "x", count: size - frame.utf8.count))"}}"#.utf8
      )
    )
  }

  private func save(_ session: Session, _ scene: String, _ size: Int, _ mark: Int) throws -> SaveOutcome {
    guard
      case .saved(let saved) = try session.outcome(
        .save(scene: scene, state: StateContent(try state(size, mark)), ifRevision: nil, autosave: false)
      )
    else { throw Unexpected() }
    return saved
  }
  private struct Unexpected: Error {}

  private func used(_ session: Session) throws -> Int {
    try session.reader.status(uid: Fixture.uid, problems: []).usedBytes
  }

  @Test("the oldest revisions that only history keeps go first, whichever scene they are of")
  func oldestFirst() throws {
    let session = try fixture.open()
    for mark in 1...4 { _ = try save(session, "old", 1_000, mark) }
    for mark in 5...9 { _ = try save(session, "new", 1_000, mark) }
    _ = try save(session, "new", 2_000, 10)
    #expect(try used(session) <= 10_000)
    let old = try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "old").map(\.revision)
    #expect(old.first == 4 && !old.contains(1))
    #expect(try session.reader.restore(RestoreRequest(uid: Fixture.uid, app: "app", scene: "new")).revision == 10)
    #expect(try session.reader.restore(RestoreRequest(uid: Fixture.uid, app: "app", scene: "old")).revision == 4)
  }

  @Test("what would not fit even then is refused, nothing is taken, and reads go on")
  func refused() throws {
    let session = try fixture.open()
    for mark in 1...3 { _ = try save(session, "a", 1_000, mark) }
    _ = try save(session, "b", 5_000, 4)
    let error = #expect(throws: StoreError.self) { try save(session, "c", 5_000, 5) }
    #expect(error?.code == .quotaExceeded)
    #expect(error?.details.maximum == 10_000 && error?.details.actual == 13_000)
    #expect(try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "a").count == 3)
    #expect(throws: StoreError.self) {
      try session.reader.restore(RestoreRequest(uid: Fixture.uid, app: "app", scene: "c"))
    }
  }

  @Test("protected revisions stay: confirmed, quarantined, and those that launches were served")
  func protected() throws {
    let session = try fixture.open()
    _ = try save(session, "a", 2_000, 1)
    _ = try session.outcome(.launch(scene: "a"))
    _ = try session.outcome(.confirm(scene: "a", revision: nil))
    _ = try save(session, "a", 2_000, 2)
    _ = try save(session, "a", 2_000, 3)
    _ = try save(session, "b", 5_500, 4)
    #expect(try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "a").map(\.revision) == [3, 1])
  }

  @Test("a save that takes no more room than what goes for it takes nothing else")
  func replacing() throws {
    fixture.options.history = 3
    let session = try fixture.open()
    for mark in 1...3 { _ = try save(session, "a", 2_000, mark) }
    _ = try save(session, "b", 3_900, 4)
    for mark in 5...20 { _ = try save(session, "a", 2_000, mark) }
    #expect(try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "a").map(\.revision) == [20, 19, 18])
    #expect(try used(session) == 9_900)
  }

  @Test("ids count too; those that are there already do not; deleting and forgetting always work")
  func ids() throws {
    let session = try fixture.open()
    let many = (0..<1_000).compactMap { EntityID("id-\($0 + 1_000)") }
    _ = try session.outcome(.putEntities(kind: "card", ids: many, sync: nil, version: nil))
    let before = try used(session)
    #expect(before > 6_000 && before <= 10_000)
    _ = try session.outcome(.putEntities(kind: "card", ids: many, sync: nil, version: nil))
    #expect(try used(session) == before)
    let more = (0..<1_000).compactMap { EntityID("more-\($0 + 1_000)") }
    let error = #expect(throws: StoreError.self) {
      try session.outcome(.putEntities(kind: "card", ids: more, sync: nil, version: nil))
    }
    #expect(error?.code == .quotaExceeded)
    #expect(try used(session) == before)
    _ = try session.outcome(.deleteEntities(kind: "card", ids: many, version: nil))
    #expect(try used(session) == 0)
    _ = try session.outcome(.putEntities(kind: "card", ids: more, sync: nil, version: nil))
  }

  @Test("usage stays within the quota, and equal to what is stored, under random saves")
  func random() throws {
    let session = try fixture.open()
    for mark in 0..<400 {
      let size = Int.random(in: 100...3_000)
      _ = try? save(session, "scene-\(mark % 4)", size, mark)
      #expect(try used(session) <= 10_000)
    }
    var stored = 0
    for scene in 0..<4 {
      stored += try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "scene-\(scene)").reduce(0) {
        $0 + $1.size
      }
    }
    #expect(try used(session) == stored)
  }

  @Test("what is taken from more scenes than are known by heart is known all the same")
  func manyScenes() throws {
    fixture.options.limits.heldScenes = 4
    fixture.options.userQuotaBytes = 60_000
    let session = try fixture.open()
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun)
    for mark in 0..<600 {
      let scene = "scene-\(random.pick(Array(0..<12)))"
      guard let saved = try? save(session, scene, Int.random(in: 500...4_000, using: &random), mark) else { continue }
      let newest = try session.reader.revisions(uid: Fixture.uid, app: "app", scene: scene)[0].revision
      #expect(newest == saved.revision)
      _ = try session.outcome(.confirm(scene: scene, revision: saved.revision))
    }
    var stored = 0
    for scene in try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false) {
      let revisions = try session.reader.revisions(uid: Fixture.uid, app: "app", scene: scene.scene)
      stored += revisions.reduce(0) { $0 + $1.size }
    }
    #expect(try used(session) == stored)
    #expect(try session.integrity() == [])
  }

  @Test("forgetting a user leaves nothing of it, and its numbers go on")
  func forgetUser() throws {
    let session = try fixture.open()
    _ = try save(session, "a", 1_000, 1)
    session.app = "other"
    _ = try save(session, "b", 1_000, 2)
    _ = try session.outcome(.putEntities(kind: "card", ids: [], sync: nil, version: nil))
    let ticket = try session.outcome(.forgetUser)
    let done = session.maintain(hurried: true)
    #expect(done.erased.contains { .erasing($0.ticket) == ticket && (try? $0.outcome.get()) == .forgot(count: 2) })
    #expect(try used(session) == 0)
    #expect(try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false).isEmpty)
    #expect(try session.reader.kinds(uid: Fixture.uid, app: "other").isEmpty)
    #expect(try save(session, "b", 1_000, 3).revision > 3)
  }
}
