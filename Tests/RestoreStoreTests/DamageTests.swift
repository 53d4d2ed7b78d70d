import Foundation
import Testing

@testable import RestoreStore

/// Bytes that change behind the store's back.
@Suite struct DamageTests {
  let fixture = Fixture()

  /// Overwrites every copy of `old` in the database file, which nobody has open.
  private func overwrite(_ old: String, with new: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
    var found = 0
    while let range = bytes.range(of: Data(old.utf8)) {
      bytes.replaceSubrange(range, with: Data(new.utf8))
      found += 1
    }
    #expect(found > 0)
    try bytes.write(to: URL(fileURLWithPath: fixture.database))
  }

  private func prepare() throws {
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", #"{"values":{"draft":"payload \#(number)"}}"#) }
  }

  @Test("a newest revision with a flipped payload is passed over for the one before, and that is told")
  func servesTheOneBefore() throws {
    try prepare()
    try overwrite("payload 3", with: "payload X")
    let session = try fixture.open()
    let integrity = try Statement("PRAGMA integrity_check", on: session.writer.connection)
    let answer = try integrity.first { $0.text(0) }
    #expect(answer == "ok", "SQLite alone does not tell")
    let restored = try session.restore("main")
    #expect(restored.revision == 2)
    #expect(restored.newest == 3)
    #expect(String(decoding: restored.state, as: UTF8.self).contains("payload 2"))
    #expect(restored.faults.count == 1)
    #expect(restored.faults.first?.contains("revision 3") == true)
  }

  @Test("saving works again after a damaged revision, also the very state that was damaged")
  func savesAgain() throws {
    try prepare()
    try overwrite("payload 3", with: "payload X")
    let session = try fixture.open()
    let saved = try session.save("main", #"{"values":{"draft":"payload 3"}}"#)
    #expect(saved == SaveOutcome(revision: 4, savedAt: saved.savedAt, changed: true))
    #expect(try session.restore("main").faults == [])
    #expect(code { _ = try session.restore("main", revision: 3) } == .storageFailed)
    #expect(code { _ = try session.outcome(.rollback(scene: "main", revision: 3)) } == .storageFailed)
  }

  @Test("where no revision can be read, a restore fails, and the next save mends it")
  func nothingLeft() throws {
    try prepare()
    for number in 1...3 { try overwrite("payload \(number)", with: "payload X") }
    let session = try fixture.open()
    #expect(code { _ = try session.restore("main") } == .storageFailed)
    #expect(code { _ = try session.outcome(.launch(scene: "main")) } == .storageFailed)
    try session.save("main", #"{"values":{}}"#)
    #expect(try session.text("main") == #"{"values":{}}"#)
  }

  @Test("a launch is served the newest revision that can be read")
  func launches() throws {
    try prepare()
    try overwrite("payload 3", with: "payload X")
    let session = try fixture.open()
    guard case .launched(let launch) = try session.outcome(.launch(scene: "main")) else { throw Unexpected() }
    #expect(launch.revision == 2)
    #expect(launch.faults.count == 1)
  }

  @Test("one damaged scene among many harms neither the others nor the list")
  func othersComeBack() throws {
    do {
      let session = try fixture.open()
      for number in 1...5 { try session.save("scene \(number)", #"{"values":{"draft":"payload \#(number)"}}"#) }
    }
    try overwrite("payload 3", with: "payload X")
    let session = try fixture.open()
    #expect(try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false).count == 5)
    for number in [1, 2, 4, 5] { #expect(try session.restore("scene \(number)").faults == []) }
    #expect(code { _ = try session.restore("scene 3") } == .storageFailed)
  }
}
