import Foundation
import TestSupport
import Testing

@testable import RestoreStore

@Suite("A damaged database is set aside, and every row whose checksum holds is in the new one")
struct RecoveryTests {
  @Test("whichever page is overwritten, the store opens, and only revisions of that page are lost")
  func everyPage() throws {
    let store = try RichStore(scenes: 6)
    let whole = try store.bytes()
    let pages = try store.pages()
    var random = SeededGenerator(seed: 17)
    for number in 1...whole.count / 2048 {
      var damaged = whole
      let garbage = Data((0..<2048).map { _ in number % 2 == 0 ? 0 : UInt8.random(in: 0...255, using: &random) })
      damaged.replaceSubrange((number - 1) * 2048..<number * 2048, with: garbage)
      try store.clear()
      try store.write(damaged)
      let (session, report) = try store.open()
      let use = pages[number]
      let comment: Comment = "page \(number), \(use?.type ?? "free") of \(use?.table ?? "nothing")"
      try store.expectSound(session, comment)
      let lost = Set(store.before.states.keys).subtracting(try RichStore.Inventory(session).states.keys)
      // A page that a row goes on in is of that row alone.
      let rows = use?.type == "leaf" ? use?.cells ?? 0 : use?.type == "overflow" ? 1 : 0
      #expect(lost.count <= (use?.table == "revisions" ? rows : 0), "\(comment): \(lost)")
      if let report {
        #expect(try store.aside().contains(URL(fileURLWithPath: report.kept).lastPathComponent), comment)
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.kept)) == damaged, comment)
      }
    }
  }

  @Test("whichever byte of the header is flipped, nothing is lost, or the file is refused as a newer one and untouched")
  func header() throws {
    let store = try RichStore(scenes: 3)
    let whole = try store.bytes()
    for offset in 0..<100 {
      var damaged = whole
      damaged[offset] ^= 0xFF
      try store.clear()
      try store.write(damaged)
      // The schema's number: a larger one is a newer release's, whatever made it so.
      if (60..<64).contains(offset), code({ _ = try store.open() }) == .newerSchema {
        #expect(try store.bytes() == damaged)
        continue
      }
      let (session, _) = try store.open()
      #expect(try RichStore.Inventory(session).states == store.before.states, "byte \(offset)")
      try store.expectSound(session, "byte \(offset)")
    }
  }

  @Test("wherever the file is cut, the store opens and serves what is left")
  func cut() throws {
    let store = try RichStore(scenes: 6)
    let whole = try store.bytes()
    for step in 0..<24 {
      let length = whole.count * step / 24 + (step % 3) * 100
      try store.clear()
      try store.write(whole.prefix(length))
      let (session, report) = try store.open()
      #expect(report != nil, "cut to \(length)")
      try store.expectSound(session, "cut to \(length)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(report?.kept))) == whole.prefix(length))
      if step > 12 { #expect(try !RichStore.Inventory(session).states.isEmpty, "cut to \(length)") }
    }
  }

  @Test("a database with every kind of row comes through a recovery as it was, but for the numbers that go on ahead")
  func nothingDamaged() throws {
    let store = try RichStore(scenes: 8)
    let session = try store.fixture.open()
    let before = try Dump(session)
    session.reader.retire()
    session.writer = try session.writer.replacement("is as sound as can be")
    session.reader = try StoreReader(folder: store.fixture.folder, options: store.fixture.options)
    let after = try Dump(session)
    for (table, rows) in before.tables { #expect(after.tables[table] == rows, "\(table)") }
    #expect(after.revision == before.revision + 20_000_000)
    #expect(session.writer.recovery?.recovered?.losses == [])
    #expect(try RichStore.Inventory(session) == store.before)
    try store.expectSound(session, "recovered")
  }

  /// All rows of the tables, but for what a recovery changes on purpose.
  private struct Dump {
    var tables: [String: [String]] = [:]
    let revision: Int

    init(_ session: Session) throws {
      let writer = session.writer
      func rows(_ sql: StaticString) throws -> [String] { try Statement(sql, on: writer.connection).all { $0.text(0) } }
      tables["apps"] = try rows(
        """
        SELECT json_array(app, uid, name, scenes, kinds, routes_revision, routes_at, history, hex(routes),
          hex(routes_checksum)) FROM apps
        """
      )
      tables["scenes"] = try rows(
        """
        SELECT json_array(scene, app, name, closed, switched, switched_at, launches, launched_at, launched1, launched2,
          launched3) FROM scenes
        """
      )
      tables["revisions"] = try rows(
        """
        SELECT json_array(slot, revision, saved_at, placed_at, hash, checksum, routes, selected_tab, hex(state))
          FROM revisions
        """
      )
      tables["marks"] = try rows("SELECT json_array(scene, revision, confirmed, quarantined) FROM marks")
      tables["kinds"] = try rows(
        "SELECT json_array(kind, app, name, declared, version, count, bytes, revision, changed_at) FROM kinds"
      )
      tables["entities"] = try rows("SELECT json_array(kind, hex(id), typeof(id), mark) FROM entities")
      tables["users"] = try rows("SELECT json_array(uid, changed_at, saved_at, used_bytes) FROM user_counts")
      revision = try writer.connection.integer("SELECT max(revision) FROM user_counts")
    }
  }

  @Test("a kind of which ids were lost is undeclared, so that nothing counts as missing for the damage")
  func doubtfulKinds() throws {
    let store = try RichStore(scenes: 3)
    var damaged = try store.bytes()
    let page = try #require(try store.pages().first { $0.value.table == "entities" && $0.value.type == "leaf" }?.key)
    damaged.replaceSubrange((page - 1) * 2048..<page * 2048, with: Data(count: 2048))
    try store.write(damaged)
    let (session, report) = try store.open()
    let now = try RichStore.Inventory(session)
    #expect(report?.recovered?.doubtfulKinds ?? 0 > 0)
    var lacking = Set<String>()
    for (kind, ids) in store.before.entities where now.entities[kind] != ids { lacking.insert(kind) }
    #expect(!lacking.isEmpty && now.declared == store.before.declared.subtracting(lacking))
    for app in ["left", "right"] {
      session.app = app
      #expect(try session.restore("scene 2").dropped.isEmpty)
    }
  }

  @Test("numbers only grow: over a recovery, over a second one, and for a user of whom nothing was found")
  func numbers() throws {
    let store = try RichStore(scenes: 3)
    let whole = try store.bytes()
    var newest = store.before.states.keys.map(\.revision).max() ?? 0
    for round in 0..<3 {
      // All of it, then half, then nothing is left.
      try store.write(
        round == 0 ? Data(count: 100) + whole.dropFirst(100) : try store.bytes().prefix(round == 1 ? 40_000 : 0)
      )
      let (session, report) = try store.open()
      #expect(report != nil)
      session.app = "left"
      let saved = try session.save("main", #"{"values":{"round":\#(round)}}"#)
      #expect(saved.revision > newest)
      let count = try session.reader.userCounts()[0]
      #expect(count.forgotten > newest && count.revision == saved.revision, "a watch from before is told of a gap")
      newest = saved.revision
    }
    #expect(try store.aside().count == 6, "with a report beside each")
  }

  @Test("a step of the schema that changes rows has to be taught to the recovery")
  func schema() {
    #expect(RecoveredDatabase.schema == StoreOptions().migrations.count)
  }
}
