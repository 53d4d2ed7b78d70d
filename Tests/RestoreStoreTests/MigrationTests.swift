import CSQLite
import Foundation
import Testing

@testable import RestoreStore

@Suite("Before the schema changes a copy is kept, and a newer one is refused untouched")
struct MigrationTests {
  let fixture = Fixture()

  /// The schema of this release.
  private static let present = StoreOptions().migrations.count
  /// A further step, as a later release might bring.
  private static let next = Array("CREATE TABLE later (x INTEGER) STRICT; INSERT INTO later VALUES (2);".utf8)
  private static let nextButOne = Array("CREATE TABLE latest (x INTEGER) STRICT;".utf8)

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder).filter { $0.contains(".v") }.sorted()
  }

  private func error(_ body: () throws -> Void) throws -> StoreError {
    try #require(#expect(throws: StoreError.self) { try body() })
  }

  /// A database that a crash has left, with its newest saves in the log alone.
  private func crashed() throws -> RichStore { try RichStore(scenes: 4, closes: false) }

  @Test("a first start keeps no copy")
  func first() throws {
    _ = try fixture.open()
    #expect(try names() == [])
  }

  @Test("the copy has all that the log had too, is the owner's alone, and opens with the release before")
  func copy() throws {
    let store = try crashed()
    store.fixture.options.migrations.append(Self.next)
    let session = try store.fixture.open()
    #expect(try session.writer.connection.integer("PRAGMA user_version") == Self.present + 1)
    #expect(try session.writer.connection.integer("SELECT x FROM later") == 2)
    #expect(try RichStore.Inventory(session) == store.before)
    let copy = store.fixture.database + ".v\(Self.present)"
    #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
    let earlier = Fixture()
    try FileManager.default.createDirectory(atPath: earlier.folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: copy, toPath: earlier.database)
    let old = try earlier.open()
    #expect(old.writer.recovery == nil)
    #expect(try old.writer.connection.integer("PRAGMA user_version") == Self.present)
    #expect(try RichStore.Inventory(old) == store.before)
  }

  @Test("one copy is kept: the newest takes the place of the older ones")
  func one() throws {
    for steps in [[], [Self.next], [Self.next, Self.nextButOne]] {
      fixture.options.migrations = StoreOptions().migrations + steps
      _ = try fixture.open()
    }
    #expect(try names() == ["restored.sqlite3.v\(Self.present + 1)"])
    _ = try fixture.open()
    #expect(try names() == ["restored.sqlite3.v\(Self.present + 1)"], "nothing changed, nothing is copied")
  }

  @Test("a database of a newer release is refused, named with the copy from before, and not a byte is changed")
  func newer() throws {
    let store = try crashed()
    store.fixture.options.migrations.append(Self.next)
    _ = try store.fixture.open()
    store.fixture.options.migrations.removeLast()
    let before = try store.bytes()
    let error = try error { _ = try store.fixture.open() }
    #expect(error.code == .newerSchema)
    #expect(error.details.actual == Self.present + 1 && error.details.maximum == Self.present)
    #expect(error.description.contains(store.fixture.database + ".v\(Self.present)"))
    #expect(try store.bytes() == before)
    #expect(try store.aside() == [])
  }

  @Test("without a copy from before, the refusal names none")
  func newerAlone() throws {
    try fixture.open().save("main", #"{"values":{}}"#)
    var handle: OpaquePointer?
    sqlite3_open(fixture.database, &handle)
    #expect(sqlite3_exec(handle, "PRAGMA user_version = 4711", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
    let error = try error { _ = try fixture.open() }
    #expect(error.code == .newerSchema && error.details.actual == 4711 && error.message.contains(fixture.folder))
    #expect(!error.description.contains(".v"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == before)
  }

  @Test("where no copy can be made, nothing is migrated, and the next start does both")
  func noCopy() throws {
    try fixture.open().save("main", #"{"values":{}}"#)
    fixture.options.migrations.append(Self.next)
    let obstacle = fixture.database + ".v\(Self.present).building/full"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
    #expect(try error { _ = try fixture.open() }.code == .folderUnusable)
    try FileManager.default.removeItem(atPath: fixture.database + ".v\(Self.present).building")
    fixture.options.migrations.removeLast()
    #expect(try fixture.open().text("main") == #"{"values":{}}"#, "the release before still opens it")
    fixture.options.migrations.append(Self.next)
    #expect(try fixture.open().text("main") == #"{"values":{}}"#)
    #expect(try names() == ["restored.sqlite3.v\(Self.present)"])
  }

  @Test("a row that a step of the schema fails over is damage: what can be read is recovered, and then migrated")
  func damagedRow() throws {
    let store = try RichStore(scenes: 6)
    var handle: OpaquePointer?
    sqlite3_open(store.fixture.database, &handle)
    let loosen = "UPDATE sqlite_schema SET sql = replace(sql, 'kinds INTEGER NOT NULL', 'kinds INTEGER         ')"
    let tighten = "UPDATE sqlite_schema SET sql = replace(sql, 'kinds INTEGER         ', 'kinds INTEGER NOT NULL')"
    let reread = "PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON"
    let sql = "PRAGMA writable_schema = ON; \(loosen); \(reread); UPDATE apps SET kinds = NULL; \(tighten)"
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    // As newer releases of SQLite do by themselves, after a table was given a column.
    let picky = """
      SELECT abs(-9223372036854775807 - 1) FROM pragma_quick_check('apps') WHERE quick_check LIKE 'NULL%';
      CREATE TABLE later (x INTEGER) STRICT;
      """
    store.fixture.options.migrations.append(Array(picky.utf8))
    let session = try store.fixture.open()
    #expect(session.writer.recovery?.recovered?.scenes == store.before.scenes.count)
    #expect(try session.writer.connection.integer("SELECT count(*) FROM later") == 0)
    #expect(try RichStore.Inventory(session).states == store.before.states)
  }

  @Test("a damaged database of an older release is recovered first and then migrated")
  func damaged() throws {
    let store = try RichStore(scenes: 6)
    try store.write(Data(count: 2_048) + store.bytes().dropFirst(2_048))
    store.fixture.options.migrations.append(Self.next)
    let (session, report) = try store.open()
    #expect(report?.recovered?.scenes == store.before.scenes.count)
    #expect(try session.writer.connection.integer("SELECT x FROM later") == 2)
    #expect(try RichStore.Inventory(session).states == store.before.states)
  }
}
