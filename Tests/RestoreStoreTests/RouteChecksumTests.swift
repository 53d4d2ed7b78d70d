import CSQLite
import Foundation
import Testing

@testable import RestoreStore

@Suite("A stored route table that is not the one that was set is noticed, not applied, and mended by the next one")
struct RouteChecksumTests {
  private let fixture = Fixture()
  private let state = #"{"stacks":{"main":[{"board":{"id":"b1"}},{"card":{"id":"c1"}}]}}"#
  private let applied = #"{"stacks":{"main":[{"board":{"id":"b1"}}]}}"#
  private let text = #"{"routes":{"board":{}},"unknownRoutes":"drop"}"#

  /// Leaves a database with a scene and a table, closed.
  private func prepare() throws {
    let session = try fixture.open()
    try session.save("main", state)
    #expect(try session.set(text))
    #expect(try session.text("main") == applied)
  }

  /// Runs SQL on the database, which nobody has open.
  private func alter(_ sql: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(fixture.database, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  /// Makes it a database of the release before the checksums.
  private func age() throws { try alter("ALTER TABLE apps DROP COLUMN routes_checksum; PRAGMA user_version = 2") }

  /// Overwrites all copies of `old` in the database's file, which nobody has open.
  private func overwrite(_ old: String, with new: String) throws {
    let url = URL(fileURLWithPath: fixture.database)
    var bytes = try Data(contentsOf: url)
    var found = 0
    while let range = bytes.range(of: Data(old.utf8)) {
      bytes.replaceSubrange(range, with: Data(new.utf8))
      found += 1
    }
    #expect(found > 0)
    try bytes.write(to: url)
  }

  /// What the look at all pages finds, after the structure.
  private func faults() throws -> [String] {
    let check = try PieceCheck(folder: fixture.folder, options: fixture.options)
    #expect(try check.structure() == [], "SQLite alone does not tell")
    var faults: [String] = []
    while let piece = try check.advance() { faults += piece.map(\.sentence) }
    return faults
  }

  private let fault = "the route table of app app is damaged"

  /// Expects that a table is stored that is not believed, everywhere, and that an equal one mends it.
  private func expectDamaged(_ comment: Comment? = nil) throws {
    let session = try fixture.open()
    let restored = try session.restore("main")
    #expect(String(decoding: restored.state, as: UTF8.self) == state, comment)
    #expect(restored.faults.count == 1 && restored.faults[0].hasPrefix(fault + " in " + fixture.database), comment)
    #expect(code { _ = try session.reader.routes(uid: Fixture.uid, app: "app") } == .storageFailed, comment)
    #expect(try faults() == [fault], comment)
    #expect(try Examination(folder: fixture.folder).problems == [fault], comment)
    #expect(try session.reader.wouldChange(table(text), uid: Fixture.uid, app: "app"), comment)
    #expect(try session.set(text), comment)
    #expect(session.changes.map(\.type) == [.routesChanged], comment)
    try expectSound(session, comment)
  }

  private func expectSound(_ session: Session, _ comment: Comment? = nil) throws {
    #expect(try session.text("main") == applied, comment)
    #expect(try session.restore("main").faults == [], comment)
    #expect(try session.reader.routes(uid: Fixture.uid, app: "app")?.bytes == Array(text.utf8), comment)
    #expect(try faults() == [], comment)
    #expect(try !session.set(text), comment)
  }

  @Test("a changed byte of a name, of the policy, and of white space")
  func flipped() throws {
    try prepare()
    try overwrite(#""board":{}}"#, with: #""bnard":{}}"#)
    try expectDamaged("a name")
    try overwrite(#""unknownRoutes":"drop""#, with: #""unknownRoutes":"keep""#)
    try expectDamaged("the policy")
    try overwrite(#"{"routes":{"board":{}},"#, with: #"{"routes":{"board": 0},"#)
    try expectDamaged("no table any more")
  }

  @Test("whichever bit of the stored table, its checksum or the number it is bound to")
  func everyBit() throws {
    try prepare()
    let url = URL(fileURLWithPath: fixture.database)
    let whole = try Data(contentsOf: url)
    let place = try #require(whole.range(of: Data(text.utf8)))
    for (count, index) in (place.lowerBound..<place.upperBound + 8).enumerated() {
      var damaged = whole
      damaged[index] ^= 1 << (count % 8)
      try damaged.write(to: url)
      let session = try fixture.open()
      #expect(try session.restore("main").faults.count == 1, "byte \(count)")
      #expect(try session.text("main") == state, "byte \(count)")
    }
    try whole.write(to: url)
    for sql in [
      "routes_revision = routes_revision + 1", "routes = NULL", "routes_checksum = x'00'", "routes = x'7b7d'",
    ] {
      try alter("UPDATE apps SET \(sql)")
      try expectDamaged("\(sql)")
    }
  }

  @Test("an app without a table has no checksum, and is not damaged")
  func none() throws {
    let session = try fixture.open()
    try session.save("main", state)
    #expect(try session.restore("main").faults == [])
    #expect(try faults() == [])
    #expect(try session.writer.connection.integer("SELECT length(routes_checksum) FROM apps") == 0)
  }

  // MARK: Earlier releases

  @Test("a database from before the checksums is served as it was, and an equal table brings its checksum")
  func old() throws {
    try prepare()
    try age()
    #expect(try Examination(folder: fixture.folder).problems == [], "examined as it is")
    do {
      let session = try fixture.open()
      #expect(try session.text("main") == applied)
      #expect(try session.restore("main").faults == [] && faults() == [])
      #expect(FileManager.default.fileExists(atPath: fixture.database + ".v2"))
      let before = try session.reader.status(uid: Fixture.uid, problems: []).revision
      #expect(try !session.set(#"{"unknownRoutes":"drop", "routes":{"board":{}}}"#), "equal as a value")
      #expect(session.changes.isEmpty)
      #expect(try session.reader.status(uid: Fixture.uid, problems: []).revision == before)
      #expect(try session.writer.connection.integer("SELECT length(routes_checksum) FROM apps") == 8)
      try expectSound(session)
    }
    try overwrite(#""board":{}}"#, with: #""bnard":{}}"#)
    try expectDamaged()
  }

  @Test("another table over one from before the checksums has one")
  func oldChanged() throws {
    try prepare()
    try age()
    #expect(try fixture.open().set("{}"))
    try overwrite("{}", with: "[]")
    #expect(try fixture.open().restore("main").faults.count == 1)
  }

  @Test("a table from before the checksums that is none any more is told by the look at all pages, and before a start")
  func oldDamaged() throws {
    try prepare()
    try age()
    try overwrite(#""unknownRoutes":"drop""#, with: #""unknownRoutes":"dr0p""#)
    #expect(try Examination(folder: fixture.folder).problems == [fault])
    try expectDamaged()
  }

  // MARK: Export, recovery, the look at all pages

  @Test("an export leaves it out and says so, and an import over it sets it")
  func export() throws {
    try prepare()
    try overwrite(#""board":{}}"#, with: #""bnard":{}}"#)
    let session = try fixture.open()
    var walk = RecordWalk(uid: Fixture.uid)
    var records: [StoredRecord] = []
    while !walk.isDone { try session.reader.advance(&walk).map { records.append($0) } }
    #expect(records.map(\.told) == ["app/main first 1700000000000 \(state)"])
    #expect(walk.faults.count == 1 && walk.faults[0].hasPrefix(fault))
    try session.take([.routes(app: "app", table(text))])
    try expectSound(session)
  }

  /// Recovers what the file holds; answers what there is of each app's table, by name.
  private func recovered() throws -> (tables: [String: String], Recovered) {
    let target = try RecoveredDatabase("", now: 1_700_000_000_000)
    try Salvage(DamagedDatabase(fixture.database, Former(.full))).fill(target)
    let recovered = try target.finish()
    let rows = try Statement("SELECT name, ifnull(routes, '-'), hex(routes_checksum) FROM apps", on: target.connection)
    var tables: [String: String] = [:]
    while try rows.step() { tables[rows.text(0)] = rows.text(1) + " " + rows.text(2) }
    return (tables, recovered)
  }

  @Test("a recovery takes it with its checksum, without one as it is, and not where the checksum does not hold")
  func recovery() throws {
    try prepare()
    do {
      let session = try fixture.open()
      // Without a table, and with one that was lost: rows that look most like those of scenes.
      for app in ["bare", "lost"] {
        session.app = app
        try session.save("main", state)
      }
      try session.set("{}")
      session.app = "closed"
      try session.set(#"{"history":3}"#)
      try session.save("main", state)
      _ = try session.outcome(.launch(scene: "main"))
      _ = try session.outcome(.closeScene(scene: "main"))
    }
    try alter("UPDATE apps SET routes = NULL, routes_checksum = x'' WHERE name = 'lost'")
    let (whole, report) = try recovered()
    #expect(Set(whole.keys) == ["app", "bare", "lost", "closed"] && report.scenes == 4 && report.losses == [])
    #expect(whole["bare"] == "- " && whole["lost"] == "- ")
    let sum = StoredRoutes.checksum(Array(text.utf8), 2).map { String(format: "%02X", $0) }.joined()
    #expect(whole["app"] == "\(text) \(sum)")

    try overwrite(#""board":{}}"#, with: #""bnard":{}}"#)
    let (damaged, loss) = try recovered()
    #expect(damaged["app"] == "- " && loss.damagedTables == 1 && loss.told == ["the route table of app app"])
    try alter("UPDATE apps SET routes = NULL WHERE name = 'closed'")
    #expect(try recovered().1.damagedTables == 2)

    try age()
    let (old, none) = try recovered()
    #expect(old["app"] == text.replacing("board", with: "bnard") + " " && none.damagedTables == 0)
    #expect(none.scenes == 4)
  }
}
