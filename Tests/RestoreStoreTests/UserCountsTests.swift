import Foundation
import SceneModel
import TestSupport
import Testing

@testable import RestoreStore

@Suite("What is counted for a user is exact at any moment, though not every save writes it")
struct UserCountsTests {
  private static let runs = ProcessInfo.processInfo.environment["RESTORED_TEST_ROUNDS"].flatMap(Int.init) ?? 6

  @Test("after whatever was done, and killed at whatever moment, the counts are what the rows come to")
  func random() throws {
    let first = UInt64.random(in: 0...UInt64.max)
    var changesWithoutRow = 0
    for run in 0..<Self.runs {
      let seed = first &+ UInt64(run)
      print("UserCountsTests: seed \(seed)")
      var counted = try CountedStore(seed: seed)
      for step in 0..<200 { try counted.step("seed \(seed), step \(step)") }
      changesWithoutRow += counted.changesWithoutRow
    }
    #expect(changesWithoutRow > 0, "some saves leave the row as it is")
  }

  @Test("the row is never as many as 1,024 numbers behind")
  func bound() throws {
    let session = try Fixture().open()
    var number = 0
    for saves in [1, 1_000, 22, 1, 1, 3_000] {
      let batch = try (0..<saves).map { _ in
        number += 1
        return session.command(try session.saving("main", #"{"values":{"n":\#(number)}}"#))
      }
      #expect(session.writer.perform(batch).allSatisfy { (try? $0.outcome.get()) != nil })
      let behind = try session.writer.connection.integer("SELECT revision - written FROM user_counts")
      #expect(behind == [1: 0, 1_001: 1_000, 1_023: 1_022, 1_024: 1_023, 1_025: 0, 4_025: 0][number])
      #expect(try session.reader.status(uid: Fixture.uid, problems: []).revision == number)
    }
  }

  @Test("a recovery takes the numbers and the bytes that the row does not tell of from the revisions")
  func recovery() throws {
    let session = try Fixture().open()
    for number in 1...50 { try session.save("main", #"{"values":{"n":\#(number)}}"#) }
    #expect(try session.writer.connection.integer("SELECT revision - written FROM user_counts") == 49)
    let before = try session.reader.status(uid: Fixture.uid, problems: [])
    session.reader.retire()
    session.writer = try session.writer.replacement("is as sound as can be")
    session.reader = try StoreReader(folder: session.fixture.folder, options: session.fixture.options)
    let after = try session.reader.status(uid: Fixture.uid, problems: [])
    #expect(after.revision == before.revision + 20_000_000 && after.usedBytes == before.usedBytes)
    #expect(try session.save("main", #"{"values":{}}"#).revision == after.revision + 1)
  }
}

/// A store of two users, to which anything is done, and what must be counted for them.
private struct CountedStore {
  /// What of a user's counts the changes tell.
  private struct Told: Equatable {
    var revision = 0
    var changedAt = 0
    var savedAt: Int?
  }

  private static let apps = ["app", "other"]
  private static let scenes = ["a", "b", "c"]

  private var generator: SeededGenerator
  private let fixture = Fixture()
  private var open: Session?
  private var told: [UInt32: Told] = [:]
  private var lives = 0
  /// Times that a user's numbers went on and its row stayed as it was.
  private(set) var changesWithoutRow = 0

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    fixture.options.history = 3
    fixture.options.userQuotaBytes = 2_500
    fixture.options.limits.closedScenes = 2
    fixture.options.durability = .normal
    open = try fixture.open()
  }

  private func session() throws -> Session { try #require(open) }

  /// Does one thing, and expects the counts to be right.
  mutating func step(_ comment: Comment) throws {
    let (rows, before) = (try rows(), told)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<80: try perform(try (0..<Int.random(in: 1...3, using: &generator)).map { _ in try command() })
    case 80..<84: try performWithoutRoom()
    case 84..<88:
      let milliseconds = Int.random(in: -5_000...40_000, using: &generator)
      fixture.clock.wall.withLock { $0 += milliseconds }
    case 88..<92: try session().maintain(hurried: true)
    case 92..<95: _ = try session().writer.checkpoint()
    case 95..<97:
      open = nil
      open = try fixture.open()
    default: try kill()
    }
    let now = try self.rows()
    for (uid, told) in told where told != before[uid] && now[uid] == rows[uid] { changesWithoutRow += 1 }
    try compare(comment)
  }

  // MARK: What is done

  private mutating func perform(_ commands: [WriteCommand]) throws {
    for change in try session().writer.perform(commands).flatMap(\.changes) where change.revision > 0 {
      told[change.uid, default: Told()].revision = change.revision
      told[change.uid, default: Told()].changedAt = change.time
      if change.type == .saved { told[change.uid, default: Told()].savedAt = change.time }
    }
  }

  /// Has a batch fail in whole, so that each of its commands is carried out again, and some of them fail alone.
  private mutating func performWithoutRoom() throws {
    let connection = try session().writer
    let pages = try connection.connection.integer("PRAGMA page_count")
    try connection.connection.execute(script: Array("PRAGMA max_page_count = \(pages)".utf8))
    let large = try session().saving("large", #"{"values":{"x":"\#(String(repeating: "x", count: 900_000))"}}"#)
    try perform(try (0..<3).map { _ in try command() } + [WriteCommand(uid: 1_002, app: "app", large)])
    try connection.connection.execute("PRAGMA max_page_count = 1000000")
  }

  private mutating func command() throws -> WriteCommand {
    // As apps do: mostly one user's same scene again.
    let uid: UInt32 = Int.random(in: 0..<5, using: &generator) == 0 ? 1_001 : 1_000
    let app = Int.random(in: 0..<5, using: &generator) == 0 ? Self.apps[1] : Self.apps[0]
    let scene = Bool.random(using: &generator) ? "a" : Self.scenes.randomElement(using: &generator) ?? "a"
    return WriteCommand(uid: uid, app: app, try action(scene, (told[uid]?.revision ?? 0)))
  }

  private mutating func action(_ scene: String, _ newest: Int) throws -> WriteCommand.Action {
    let ids = (0..<2).compactMap { _ in EntityID("id-\(Int.random(in: 0..<20, using: &generator))") }
    let revision = newest - Int.random(in: 0..<6, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<60:
      let ifRevision = Int.random(in: 0..<8, using: &generator) == 0 ? revision : nil
      let state = StateContent(try SceneState(validating: Array(state().utf8)))
      return .save(scene: scene, state: state, ifRevision: ifRevision, autosave: Bool.random(using: &generator))
    case 60..<64: return .rollback(scene: scene, revision: revision)
    case 64..<68: return .closeScene(scene: scene)
    case 68..<70: return .reopenScene(scene: Bool.random(using: &generator) ? scene : nil)
    case 70..<75: return .launch(scene: scene)
    case 75..<77: return .confirm(scene: scene, revision: nil)
    case 77..<81: return .forgetScene(scene: scene)
    case 81..<82: return .resetApp(keepEntities: Bool.random(using: &generator))
    case 82..<83: return .forgetUser
    case 83..<84: return .forgetKind(kind: "card")
    case 84..<86: return .setRoutes(try table(#"{"history":\#(Int.random(in: 1...4, using: &generator))}"#))
    case 86..<91: return .putEntities(kind: "card", ids: ids, sync: nil, version: nil)
    case 91..<94: return .deleteEntities(kind: "card", ids: ids, version: nil)
    default:
      // Saved in the past or in the future; the last record may be refused, and takes back those before it.
      let savedAt = [nil, 1_600_000_000_000, 1_700_000_900_000].randomElement(using: &generator) ?? nil
      let records = [
        imported(scene, state(), at: savedAt), imported("b", state(), isFirst: Bool.random(using: &generator)),
      ]
      return .importRecords(source(records), replace: Int.random(in: 0..<3, using: &generator) == 0)
    }
  }

  private mutating func state() -> String {
    let bytes = 100 * Int.random(in: 0..<4, using: &generator)
    return
      #"{"values":{"n":\#(Int.random(in: 0..<5, using: &generator)),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  /// Goes on with the files as SIGKILL would leave them at this moment.
  private mutating func kill() throws {
    lives += 1
    let before = fixture.folder
    fixture.nest("life \(lives)")
    try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: before)
    for name in names where ["restored.sqlite3", "restored.sqlite3-wal"].contains(name) {
      try FileManager.default.copyItem(atPath: "\(before)/\(name)", toPath: "\(fixture.folder)/\(name)")
    }
    open = try fixture.open()
  }

  // MARK: What is counted

  /// The numbers in the rows.
  private func rows() throws -> [UInt32: Int] {
    let rows = try Statement("SELECT uid, revision FROM users", on: session().writer.connection)
    return Dictionary(uniqueKeysWithValues: try rows.all { (UInt32($0.integer(0)), $0.integer(1)) })
  }

  private static let usedSQL: StaticString = """
    SELECT (SELECT ifnull(sum(length(r.state)), 0) FROM apps a JOIN scenes s ON s.app = a.app
        JOIN revisions r ON r.slot / 2048 = s.scene WHERE a.uid = ?1)
      + (SELECT ifnull(sum(length(CAST(e.id AS BLOB))), 0) FROM apps a JOIN kinds k ON k.app = a.app
        JOIN entities e ON e.kind = k.kind WHERE a.uid = ?1)
    """

  /// Expects what is counted on disk, in memory and by a reader to be what was told and what is there.
  private func compare(_ comment: Comment) throws {
    let session = try session()
    let counts = try Statement(
      "SELECT revision, changed_at, saved_at, used_bytes, forgotten FROM user_counts WHERE uid = ?1",
      on: session.writer.connection
    )
    let used = try Statement(Self.usedSQL, on: session.writer.connection)
    for (uid, told) in told {
      try used.bind(Int(uid))
      let bytes = try used.first { $0.integer(0) } ?? 0
      try counts.bind(Int(uid))
      let found = try #require(
        try counts.first { ($0.integer(0), $0.integer(1), $0.optionalInteger(2), $0.integer(3), $0.integer(4)) }
      )
      #expect(found.0 == told.revision && found.3 == bytes, comment)
      #expect(found.1 == told.changedAt && found.2 == told.savedAt, comment)
      let held = try session.writer.ledger.user(uid)
      #expect(held.revision == found.0 && held.changedAt == found.1 && held.savedAt == found.2, comment)
      #expect(held.usedBytes == found.3 && held.forgotten == found.4, comment)
      let status = try session.reader.status(uid: uid, problems: [])
      #expect(status.revision == found.0 && status.lastSaveAt == found.2 && status.usedBytes == found.3, comment)
    }
  }
}
