import CSQLite
import Foundation
import Synchronization
import Testing

@testable import RestoreStore

@Suite("What is not the database is set aside, and the way there may end anywhere")
struct SetAsideTests {
  let fixture = Fixture()

  private func run(_ sql: String, on path: String) throws {
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder).sorted()
  }
  private func prepare() throws {
    try FileManager.default.createDirectory(atPath: fixture.folder, withIntermediateDirectories: true)
  }
  private func problems(_ session: Session) throws -> [String] {
    try session.reader.status(uid: nil, problems: []).problems
  }

  @Test(
    "a database of another program is kept byte for byte and named, and an empty one begun",
    arguments: [0, 0x1234_5678]
  )
  func foreign(application: Int) throws {
    try prepare()
    try run(
      "PRAGMA application_id = \(application); CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)",
      on: fixture.database
    )
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
    let session = try fixture.open()
    let report = try #require(session.writer.recovery)
    #expect(report.recovered == nil && report.kept.contains(".foreign-"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: report.kept)) == before)
    try session.save("main", #"{"values":{}}"#)
    #expect(try problems(session).count == 1 && problems(session)[0].contains(report.kept))
  }

  @Test("a database of another program keeps the log that it has not emptied, beside it")
  func foreignWAL() throws {
    let elsewhere = fixture.folder + "-theirs"
    defer { try? FileManager.default.removeItem(atPath: elsewhere) }
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try prepare()
    var handle: OpaquePointer?
    sqlite3_open(elsewhere + "/theirs", &handle)
    sqlite3_exec(handle, "PRAGMA journal_mode = WAL; CREATE TABLE theirs (x)", nil, nil, nil)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: elsewhere + "/theirs" + suffix, toPath: fixture.database + suffix)
    }
    sqlite3_close(handle)
    let log = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-wal"))
    #expect(log.count > 0)
    let session = try fixture.open()
    #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(session.writer.recovery?.kept) + "-wal")) == log)
  }

  @Test("a text, and a folder, are kept as they are")
  func noDatabase() throws {
    try prepare()
    try Data("this is no database, but it may be dear to somebody".utf8).write(
      to: URL(fileURLWithPath: fixture.database)
    )
    var kept = try #require(try fixture.open().writer.recovery?.kept)
    #expect(try String(contentsOfFile: kept, encoding: .utf8).hasSuffix("dear to somebody"))
    try FileManager.default.removeItem(atPath: fixture.database)
    try FileManager.default.createDirectory(atPath: fixture.database + "/inside", withIntermediateDirectories: true)
    let session = try fixture.open()
    kept = try #require(session.writer.recovery?.kept)
    #expect(FileManager.default.fileExists(atPath: kept + "/inside"))
    try session.save("main", #"{"values":{}}"#)
    #expect(try problems(session).count == 2)
  }

  @Test("an empty file, as a crash at the very first start leaves it, becomes a database; later it is a lost one")
  func empty() throws {
    try prepare()
    _ = FileManager.default.createFile(atPath: fixture.database, contents: nil)
    #expect(try fixture.open().writer.recovery == nil)
    try Data().write(to: URL(fileURLWithPath: fixture.database))
    let session = try fixture.open()
    #expect(session.writer.recovery?.cause == "is empty")
    #expect(try session.save("main", #"{"values":{}}"#).revision > 1_000_000)
  }

  @Test("what is set aside is named with the command that removes it, until it is removed")
  func told() throws {
    let store = try RichStore(scenes: 3)
    try store.write(try store.bytes().prefix(30_000))
    var session: Session? = try store.open().session
    let kept = try #require(session?.writer.recovery?.kept)
    let told = try problems(#require(session))
    #expect(told.count == 1 && told[0].contains("rm -r '\(kept)'*") && told[0].contains("scenes"))
    // The lock goes with the session.
    session = nil
    session = try store.fixture.open()
    #expect(try problems(#require(session)) == told, "after another start too")
    for name in try store.aside() { try FileManager.default.removeItem(atPath: store.fixture.folder + "/" + name) }
    #expect(try problems(#require(session)) == [])
  }

  @Test("three damaged databases are kept, and never fewer of what is somebody else's")
  func kept() throws {
    try prepare()
    for round in 0..<5 {
      try Data("somebody's".utf8).write(to: URL(fileURLWithPath: fixture.database))
      _ = try fixture.open()
      try Data(count: 0).write(to: URL(fileURLWithPath: fixture.database))
      _ = try fixture.open()
      fixture.clock.pass(milliseconds: round * 700)
    }
    let all = SetAside.all(fixture.database)
    #expect(all.filter { $0.kind == .damaged }.count == 3 && all.filter { $0.kind == .foreign }.count == 5)
  }

  @Test("ended between any two steps, a recovery is gone on with at the next start, and nothing is lost")
  func endedAnywhere() throws {
    let store = try RichStore(scenes: 6, closes: false)
    let files = ["", "-wal", "-shm"]
    var before: [String: Data] = [:]
    for file in files { before[file] = try store.bytes(file) }
    before["-wal"]?[100_000] ^= 1
    for file in files { try store.write(before[file] ?? Data(), file) }
    let folder = store.fixture.folder
    let copies = Mutex<[String]>([])
    store.fixture.options.hooks.inRecovery = {
      let copy = copies.withLock { copies in
        copies.append("\(folder)-ended-\(copies.count)")
        return copies[copies.count - 1]
      }
      try? FileManager.default.copyItem(atPath: folder, toPath: copy)
    }
    let whole = try RichStore.Inventory(try store.open().session).states
    store.fixture.options.hooks.inRecovery = nil
    let ended = copies.withLock { $0 }
    #expect(ended.count == 4)
    for copy in ended {
      defer { try? FileManager.default.removeItem(atPath: copy) }
      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.moveItem(atPath: copy, toPath: folder)
      let session = try store.fixture.open()
      #expect(try RichStore.Inventory(session).states == whole, "\(copy)")
      try store.expectSound(session, "\(copy)")
      let kept = try #require(SetAside.all(store.fixture.database).first).path
      #expect(SetAside.all(store.fixture.database).count == 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == before[""])
      #expect(try Data(contentsOf: URL(fileURLWithPath: kept + "-wal")) == before["-wal"])
      #expect(try names(in: folder).filter { $0.contains(".building") || $0.contains(".recovered-") } == [])
    }
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  @Test("damage that a call meets is repaired under it: the call is answered, and nothing has to be opened again")
  func whileOpen() throws {
    let store = try SceneStore(folder: fixture.folder)
    for number in 0..<40 {
      try store.save(app: "app", scene: "s\(number)", state: Array(#"{"values":{"n":\#(number)}}"#.utf8))
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-wal"))
    #expect(log.count > 0)
    // Every page of the database, the schema's too; what is read then is what the log has.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.database + "-wal"))
    try handle.seek(toOffset: 32)
    for _ in 0..<(log.count - 32) / 2_072 {
      let start = try handle.offset()
      try handle.seek(toOffset: start + 24)
      try handle.write(contentsOf: Data(repeating: 0x5A, count: 2_048))
    }
    try handle.close()
    #expect(code { _ = try store.restore(app: "app", scene: "s7") } != .damaged)
    try store.save(app: "app", scene: "after", state: Array(#"{"values":{}}"#.utf8))
    #expect(try store.restore(app: "app", scene: "after").state == Array(#"{"values":{}}"#.utf8))
    #expect(try store.status().problems.count == 1)
  }
}
