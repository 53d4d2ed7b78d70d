import CSQLite
import Foundation
import Testing

@testable import RestoreStore

@Suite struct DatabaseTests {
  let fixture = Fixture()

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  private func error(_ body: () throws -> Void) throws -> StoreError {
    try #require(#expect(throws: StoreError.self) { try body() })
  }

  @Test("folders are made 0700 and files 0600, with a umask that forbids nothing")
  func modes() throws {
    fixture.nest("above/below")
    // Of all the process, so only one that breaks no other test.
    let before = umask(0)
    defer { umask(before) }
    let session = try fixture.open()
    try session.save("main", #"{"values":{}}"#)
    #expect(try mode(fixture.folder) == 0o700)
    #expect(try mode(String(fixture.folder.dropLast("/below".count))) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
      #expect(try mode(fixture.folder + "/" + name) == 0o600, "\(name)")
    }
  }

  @Test("a database that others could read is made the owner's alone")
  func tightens() throws {
    _ = try fixture.open()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: fixture.database)
    _ = try fixture.open()
    #expect(try mode(fixture.database) == 0o600)
  }

  @Test("the settings that durability and erasing rely on are on")
  func settings() throws {
    let session = try fixture.open()
    let writer = session.writer
    #expect(try writer.connection.integer("PRAGMA synchronous") == 2)
    #expect(try writer.connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try writer.connection.integer("PRAGMA secure_delete") == 1)
    #expect(try writer.connection.integer("PRAGMA page_size") == 2048)
    #expect(try writer.connection.integer("PRAGMA application_id") == Database.applicationID)
    #expect(try writer.connection.integer("PRAGMA user_version") == fixture.options.migrations.count)
    #expect(try session.reader.connection.integer("PRAGMA query_only") == 1)
    let mode = try Statement("PRAGMA journal_mode", on: writer.connection)
    #expect(try mode.first { $0.text(0) } == "wal")
  }

  @Test("durability normal syncs at checkpoints alone")
  func normal() throws {
    fixture.options.durability = .normal
    let session = try fixture.open()
    #expect(try session.writer.connection.integer("PRAGMA synchronous") == 1)
  }

  @Test("a folder is one writer's: a second one is refused and names the process that has it")
  func oneWriter() throws {
    let session = try fixture.open()
    let error = try error { _ = try StoreWriter(folder: fixture.folder) }
    #expect(error.code == .locked)
    #expect(error.details.process == Int(getpid()))
    #expect(error.message.contains(fixture.folder))
    try session.save("main", #"{"values":{}}"#)
  }

  @Test("a folder is one writer's also where somebody has removed the lock file")
  func removedLock() throws {
    do {
      let session = try fixture.open()
      try FileManager.default.removeItem(atPath: fixture.folder + "/restored.lock")
      let error = try error { _ = try StoreWriter(folder: fixture.folder) }
      #expect(error.code == .locked)
      #expect(error.details.process == nil)
      try session.save("main", #"{"values":{}}"#)
    }
    #expect(try fixture.open().text("main") == #"{"values":{}}"#)
  }

  @Test("a folder below a file is refused with the path")
  func unusable() throws {
    let error = try error { _ = try StoreWriter(folder: "/dev/null/state") }
    #expect(error.code == .folderUnusable)
    #expect(error.message.contains("/dev/null/state"))
    #expect(error.remedy != nil)
  }

  @Test("a symbolic link in place of the database is not followed; one on the way to the folder is")
  func links() throws {
    let real = fixture.folder + "-real"
    defer { try? FileManager.default.removeItem(atPath: real) }
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: fixture.folder, withDestinationPath: real)
    try fixture.open().save("main", #"{"values":{}}"#)
    try FileManager.default.moveItem(atPath: real + "/restored.sqlite3", toPath: real + "/elsewhere")
    try FileManager.default.createSymbolicLink(atPath: fixture.database, withDestinationPath: real + "/elsewhere")
    #expect(try error { _ = try StoreWriter(folder: fixture.folder) }.code == .folderUnusable)
  }

  @Test("closed in good order, the store leaves no WAL behind")
  func closes() throws {
    do {
      let session = try fixture.open()
      for number in 0..<50 { try session.save("main", #"{"values":{"n":\#(number)}}"#) }
    }
    #expect(!FileManager.default.fileExists(atPath: fixture.database + "-wal"))
  }

  @Test("the file system of a folder is found among the mounts, whatever optional fields there are")
  func fileSystems() {
    let mounts = """
      22 1 8:1 / / rw,relatime shared:1 master:2 - ext4 /dev/sda1 rw
      35 22 0:44 / /home rw - nfs4 server:/home rw,vers=4.2
      """
    #expect(FileSystem.type(ofDevice: "8:1", in: mounts) == "ext4")
    #expect(FileSystem.type(ofDevice: "0:44", in: mounts) == "nfs4")
    #expect(FileSystem.type(ofDevice: "0:4", in: mounts) == nil)
    let own = SystemCalls.contents("/proc/self/mountinfo")
    #expect(
      own.split(separator: "\n").allSatisfy { line in
        FileSystem.type(ofDevice: String(line.split(separator: " ")[2]), in: own) != nil
      }
    )
  }
}
