import CSQLite
import Foundation
import SceneModel
import Testing

@testable import RestoreStore

/// A database with something of everything in it, and what it serves.
struct RichStore {
  let fixture = Fixture(in: Disk.base)
  /// Each revision's bytes, as they were before any damage.
  private(set) var before = Inventory()

  /// What a store gives back, whoever asks for it.
  struct Inventory: Equatable {
    struct Key: Hashable {
      let app: String
      let scene: String
      let revision: Int
    }

    var states: [Key: String] = [:]
    var closed: Set<String> = []
    var entities: [String: Set<String>] = [:]
    var declared: Set<String> = []

    /// The scenes in it.
    var scenes: Set<String> { Set(states.keys.map { "\($0.app)/\($0.scene)" }) }

    init() {}

    init(_ session: Session) throws {
      for app in ["left", "right"] {
        session.app = app
        for isClosed in [false, true] {
          for scene in try session.reader.scenes(uid: Fixture.uid, app: app, closed: isClosed) {
            if isClosed { closed.insert("\(app)/\(scene.scene)") }
            for revision in try session.revisions(scene.scene) {
              guard let state = try? session.restore(scene.scene, revision: revision, stale: .keep).state else {
                continue
              }
              states[Key(app: app, scene: scene.scene, revision: revision)] = String(decoding: state, as: UTF8.self)
            }
          }
        }
        declared.formUnion(try session.reader.kinds(uid: Fixture.uid, app: app).map { "\(app)/\($0.kind)" })
        for kind in ["board", "card"] { entities["\(app)/\(kind)"] = Set(try session.ids(kind)) }
      }
    }
  }

  static let table = #"{"routes":{"board":{}},"history":7}"#

  /// - Parameter closes: whether the store is closed in good order, which empties the log; else it is left as a crash
  ///   would, with all of it still in the log.
  init(scenes: Int = 12, closes: Bool = true) throws {
    var session: Session? = try fixture.open()
    if let session { try Self.fill(session, scenes: scenes) }
    before = try session.map(Inventory.init) ?? Inventory()
    if closes {
      session = nil
    } else {
      // As SIGKILL would leave it: copied while it is open.
      let copy = fixture.folder + "-copy"
      try FileManager.default.copyItem(atPath: fixture.folder, toPath: copy)
      session = nil
      try FileManager.default.removeItem(atPath: fixture.folder)
      try FileManager.default.moveItem(atPath: copy, toPath: fixture.folder)
    }
  }

  private static func ids(of kind: String, in app: String) -> [String] {
    (0..<60).map { String(format: "00000000-0000-4000-8000-%012d", $0) }
      + (0..<60).map { "\(kind)-\($0)-of-\(app)" }
  }

  private static func fill(_ session: Session, scenes: Int) throws {
    // First, since it empties the log.
    session.app = "left"
    try session.save("to be forgotten", #"{"values":{"secret":"to be forgotten"}}"#)
    _ = try session.outcome(.forgetScene(scene: "to be forgotten"))
    session.maintain(hurried: true)
    for app in ["left", "right"] {
      session.app = app
      for kind in ["board", "card"] { try session.put(kind, ids(of: kind, in: app)) }
      for round in 0..<3 {
        for scene in 0..<scenes {
          // One in four goes on in overflow pages.
          let filling = String(repeating: "\(scene % 10)", count: scene % 4 == 0 ? 5_000 : 40 * scene)
          try session.save(
            "scene \(scene)",
            #"{"stacks":{"a":[{"board":{"id":"board-\#(scene)-of-\#(app)"}}]},"values":{"round":\#(round),"x":"\#(filling)"}}"#
          )
        }
      }
      _ = try session.outcome(.launch(scene: "scene 1"))
      _ = try session.outcome(.confirm(scene: "scene 1", revision: nil))
      for scene in 0..<3 { _ = try session.outcome(.closeScene(scene: "scene \(scene)")) }
      _ = try session.outcome(.setRoutes(try RouteTable(validating: Array(table.utf8))))
    }
    // Something on the freelist.
    try session.delete("card", (0..<60).map { "card-\($0)-of-right" })
  }

  // MARK: Damage

  /// Takes away all files, for another damage of the same database.
  func clear() throws {
    // The lock's file tells that there was a database.
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) where name != "restored.lock" {
      try FileManager.default.removeItem(atPath: fixture.folder + "/" + name)
    }
  }

  var url: URL { URL(fileURLWithPath: fixture.database) }
  func bytes(_ suffix: String = "") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: fixture.database + suffix))
  }
  func write(_ bytes: Data, _ suffix: String = "") throws {
    try bytes.write(to: URL(fileURLWithPath: fixture.database + suffix))
  }

  /// What each page is used for, and how many rows are on it, as SQLite itself says. https://sqlite.org/dbstat.html
  func pages() throws -> [Int: (table: String, type: String, cells: Int)] {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(fixture.database, &handle) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(
      sqlite3_prepare_v2(handle, "SELECT pageno, name, pagetype, ncell FROM dbstat", -1, &statement, nil) == SQLITE_OK
    )
    var pages: [Int: (table: String, type: String, cells: Int)] = [:]
    while sqlite3_step(statement) == SQLITE_ROW {
      let text = { String(cString: sqlite3_column_text(statement, $0)) }
      pages[Int(sqlite3_column_int64(statement, 0))] = (text(1), text(2), Int(sqlite3_column_int64(statement, 3)))
    }
    return pages
  }

  /// Opens the store, looks at every page as the daemon does after its start, and recovers what that finds.
  func open() throws -> (session: Session, report: RecoveryReport?) {
    let session = try fixture.open()
    if let report = session.writer.recovery { return (session, report) }
    let found = try? PieceCheck(folder: fixture.folder, options: fixture.options).structure()
    guard found != [] else { return (session, nil) }
    session.reader.retire()
    session.writer = try session.writer.replacement("is damaged: found by the check")
    session.reader = try StoreReader(folder: fixture.folder, options: fixture.options)
    return (session, session.writer.recovery)
  }

  /// What is set aside, by name.
  func aside() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder).filter {
      $0.contains(".damaged-") || $0.contains(".foreign-")
    }.sorted()
  }

  /// That a store which was damaged is whole, serves only what was saved, and goes on with larger numbers.
  ///
  /// - Parameter numbersGrow: false: where an earlier moment was opened that nothing tells from the newest.
  func expectSound(_ session: Session, _ comment: Comment, numbersGrow: Bool = true) throws {
    let integrity = try Statement("PRAGMA integrity_check", on: session.writer.connection).all { $0.text(0) }
    #expect(integrity == ["ok"], comment)
    let owners = try Statement("PRAGMA foreign_key_check", on: session.writer.connection).all { $0.text(0) }
    #expect(owners.isEmpty, comment)
    let now = try Inventory(session)
    for (key, state) in now.states { #expect(before.states[key] == state, "\(comment): \(key)") }
    for app in ["left", "right"] {
      for kind in ["board", "card"] {
        let strange = now.entities["\(app)/\(kind)"]?.subtracting(Self.ids(of: kind, in: app))
        #expect(strange == [], comment)
      }
    }
    session.app = "left"
    let newest = before.states.keys.map(\.revision).max() ?? 0
    let next = try session.save("new", #"{"values":{}}"#).revision
    #expect(next > newest || !numbersGrow, comment)
  }
}
