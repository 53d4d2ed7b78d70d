import CSQLite
import Foundation
import SceneModel
import Testing

@testable import RestoreStore

@Suite struct StatementTests {
  let fixture = Fixture()

  private func connect() throws -> Connection {
    try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: fixture.database, contents: nil)
    return try Connection(path: fixture.database)
  }

  @Test("bad SQL fails when it is prepared, and the error names it")
  func badSQL() throws {
    let connection = try connect()
    let error = #expect(throws: SQLiteError.self) { _ = try Statement("SELEC 1", on: connection) }
    #expect(error?.sql == "SELEC 1")
  }

  @Test("texts and blobs go with their lengths: empty is not NULL, and no byte ends them")
  func lengths() throws {
    let connection = try connect()
    try connection.execute("CREATE TABLE t (a ANY, b ANY) STRICT")
    let insert = try Statement("INSERT INTO t VALUES (?1, ?2)", on: connection)
    try insert.bind("", "a\0b")
    try insert.run(lending: [], at: 2)
    try insert.bind(String?.none, EntityID.text([0x61, 0, 0x62]))
    try insert.run()
    try insert.bind(EntityID.uuid(0x0102_0304_0506_0708, 0x090A_0B0C_0D0E_0F10), true)
    try insert.run()
    let select = try Statement("SELECT typeof(a), a, typeof(b), b FROM t ORDER BY rowid", on: connection)
    let rows = try select.all { ($0.text(0), $0.bytes(1), $0.text(2), $0.bytes(3)) }
    #expect(rows[0] == ("text", [], "blob", []))
    #expect(rows[1] == ("null", [], "text", [0x61, 0, 0x62]))
    #expect(rows[2].0 == "blob")
    #expect(rows[2].1 == Array(1...16))
  }

  @Test("ids come back as they were bound, and UUIDs sort as their texts do")
  func ids() throws {
    let connection = try connect()
    try connection.execute("CREATE TABLE t (id ANY PRIMARY KEY) STRICT, WITHOUT ROWID")
    let insert = try Statement("INSERT INTO t VALUES (?1)", on: connection)
    var generator = SystemRandomNumberGenerator()
    var texts: [String] = ["0123456789abcdef", "sixteen bytes id"]
    for _ in 0..<50 {
      texts.append(
        UUID(
          uuid: (
            generator.next(), generator.next(), generator.next(), generator.next(), generator.next(), generator.next(),
            generator.next(), generator.next(), generator.next(), generator.next(), generator.next(), generator.next(),
            generator.next(), generator.next(), generator.next(), generator.next()
          )
        ).uuidString.lowercased()
      )
    }
    for text in texts {
      try insert.bind(try #require(EntityID(text)))
      try insert.run()
    }
    let select = try Statement("SELECT id FROM t ORDER BY id", on: connection)
    let read = try select.all { $0.entityID(0).description }
    #expect(read == texts[..<2] + texts[2...].sorted())
  }

  @Test("an error never holds a bound value")
  func noValues() throws {
    let connection = try connect()
    try connection.execute("CREATE TABLE t (a INTEGER NOT NULL UNIQUE CHECK (a < 9)) STRICT")
    let insert = try Statement("INSERT INTO t VALUES (?1)", on: connection)
    try insert.bind("secret")
    let type = #expect(throws: SQLiteError.self) { try insert.run() }
    try insert.bind(4711)
    let check = #expect(throws: SQLiteError.self) { try insert.run() }
    try insert.bind(String?.none)
    let null = #expect(throws: SQLiteError.self) { try insert.run() }
    for error in [type, check, null] {
      let told = "\(String(describing: error)) \(StoreError(try #require(error), "/path"))"
      #expect(!told.contains("secret"))
      #expect(!told.contains("4711"))
    }
    // After an error a statement can be used again.
    try insert.bind(1)
    try insert.run()
  }

  @Test("a transaction that is not committed is rolled back when it goes")
  func rollsBack() throws {
    let connection = try connect()
    try connection.execute("CREATE TABLE t (a)")
    do {
      let transaction = try Transaction(.writing, on: connection)
      try connection.execute("INSERT INTO t VALUES (1)")
      let isOpen = connection.isInTransaction
      #expect(isOpen)
      _ = consume transaction
    }
    let isOpen = connection.isInTransaction
    #expect(!isOpen)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    let transaction = try Transaction(.writing, on: connection)
    try connection.execute("INSERT INTO t VALUES (1)")
    try transaction.commit()
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("when SQLite has rolled back by itself, the error that made it do so is the one told")
  func firstErrorWins() throws {
    let connection = try connect()
    try connection.execute("CREATE TABLE t (a)")
    func fail() throws(SQLiteError) {
      let transaction = try Transaction(.writing, on: connection)
      try connection.execute("INSERT INTO t VALUES (1)")
      try connection.execute("ROLLBACK")
      try transaction.commit()
    }
    let error = #expect(throws: SQLiteError.self) { try fail() }
    #expect(error?.sql == "COMMIT")
    let isOpen = connection.isInTransaction
    #expect(!isOpen)
  }
}
