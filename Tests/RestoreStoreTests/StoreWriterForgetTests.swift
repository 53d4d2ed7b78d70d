import Foundation
import Synchronization
import Testing

@testable import RestoreStore

@Suite struct StoreWriterForgetTests {
  let fixture = Fixture()
  private let secret = "the secret draft"

  private func state(_ text: String, _ number: Int = 0) -> String {
    #"{"values":{"draft":"\#(text)","n":\#(number)}}"#
  }

  /// Whether any file of the store holds these bytes.
  private func isOnDisk(_ text: String) throws -> Bool {
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
      let data = try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/" + name))
      if data.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  private func ticket(_ result: WriteResult) throws -> ErasureTicket {
    guard case .erasing(let ticket) = try result.outcome.get() else { throw Unexpected() }
    return ticket
  }

  @Test("when a forget is answered no byte of the scene is in any file, and its neighbour is untouched")
  func forgetsScene() throws {
    let session = try fixture.open()
    for number in 0..<40 { try session.save("window 1", state(secret, number)) }
    for number in 0..<40 { try session.save("window 2", state("public", number)) }
    #expect(try isOnDisk(secret))
    let ticket = try ticket(session.perform(.forgetScene(scene: "window 1"))[0])
    let done = session.maintain()
    #expect(done.erased.map(\.ticket) == [ticket])
    #expect(try done.erased[0].outcome.get() == .forgot(count: 1))
    #expect(try !isOnDisk(secret))
    #expect(try !isOnDisk("window 1"))
    #expect(try session.text("window 2") == state("public", 39))
    #expect(try session.revisions("window 2").count == 10)
    #expect(code { _ = try session.restore("window 1") } == .sceneNotFound)
    #expect(session.writer.maintenanceDue == nil)
  }

  @Test("a reset erases scenes and entities, or scenes alone, and counts the scenes")
  func resets() throws {
    let session = try fixture.open()
    for app in ["one", "two"] {
      session.app = app
      for scene in ["a", "b"] { try session.save(scene, state("\(app) \(secret)")) }
      _ = try session.outcome(.closeScene(scene: "b"))
      try session.put("card", ["\(app) entity"])
    }
    session.app = "one"
    session.perform(.resetApp(keepEntities: false))
    #expect(try session.maintain().erased[0].outcome.get() == .forgot(count: 2))
    #expect(try !isOnDisk("one \(secret)"))
    #expect(try !isOnDisk("one entity"))
    #expect(try isOnDisk("two \(secret)"))
    #expect(try session.kind("card") == nil)
    session.app = "two"
    session.perform(.resetApp(keepEntities: true))
    #expect(try session.maintain(hurried: true).erased[0].outcome.get() == .forgot(count: 2))
    #expect(try !isOnDisk("two \(secret)"))
    #expect(try session.ids("card") == ["two entity"])
    #expect(try session.outcome(.resetApp(keepEntities: true)) == .forgot(count: 0))
    #expect(try session.reader.status(uid: Fixture.uid, problems: []).usedBytes == 10)
  }

  @Test("a forgotten kind is declared no longer, and nothing of its ids is left")
  func forgetsKind() throws {
    let session = try fixture.open()
    try session.put("card", ["secret-1", "secret-2"], version: "secret version")
    _ = try session.beginSync("card")
    try session.delete("card", ["secret-2", "secret-3"])
    session.perform(.forgetKind(kind: "card"))
    #expect(try session.maintain().erased[0].outcome.get() == .forgot(count: 1))
    #expect(try !isOnDisk("secret"))
    #expect(try session.kind("card") == nil)
    #expect(try session.outcome(.forgetKind(kind: "card")) == .forgot(count: 0))
    #expect(session.writer.maintenanceDue == nil, "its sync is over")
  }

  @Test("forgets that wait share one scrubbing; the next starts no sooner than ten times what it took")
  func pacing() throws {
    let scrubs = Mutex(0)
    let clock = fixture.clock
    fixture.options.hooks.inErasure = {
      scrubs.withLock { $0 += 1 }
      clock.pass(milliseconds: 70)
    }
    let session = try fixture.open()
    for scene in ["a", "b", "c", "d"] { try session.save(scene, state(secret)) }
    let tickets = try session.perform(.forgetScene(scene: "a"), .forgetScene(scene: "b")).map(ticket)
    #expect(session.maintain().erased.map(\.ticket) == tickets)
    #expect(scrubs.withLock { $0 } == 1)
    let third = try ticket(session.perform(.forgetScene(scene: "c"))[0])
    #expect(session.writer.maintenanceDue == 770)
    #expect(session.maintain().erased.isEmpty)
    try session.save("e", state("other commands go on"))
    fixture.clock.pass(milliseconds: 699)
    #expect(session.maintain().erased.isEmpty)
    fixture.clock.pass(milliseconds: 1)
    #expect(session.maintain().erased.map(\.ticket) == [third])
    #expect(scrubs.withLock { $0 } == 2)
  }

  @Test("a reader of another process prevents it: deleted, not yet scrubbed, and tried again until done")
  func prevented() throws {
    let session = try fixture.open()
    try session.save("main", state(secret))
    let other = try Connection(path: fixture.database)
    do {
      let reading = try Transaction(.reading, on: other)
      #expect(try other.integer("SELECT count(*) FROM revisions") == 1)
      session.perform(.forgetScene(scene: "main"))
      let done = session.maintain()
      #expect(code { _ = try done.erased[0].outcome.get() } == .notYetErased)
      #expect(session.writer.problems.count == 1)
      #expect(session.writer.problems[0].contains("not yet scrubbed"))
      #expect(code { _ = try session.restore("main") } == .sceneNotFound)
      #expect(session.writer.maintenanceDue == 5_000)
      _ = consume reading
    }
    fixture.clock.pass(milliseconds: 5_000)
    #expect(session.maintain().faults.isEmpty)
    #expect(try !isOnDisk(secret))
    #expect(session.writer.problems == [])
    #expect(session.writer.maintenanceDue == nil)
  }

  @Test("a deletion whose scrubbing a crash prevented is scrubbed after the next start")
  func crashBetween() throws {
    do {
      let session = try fixture.open()
      for number in 0..<20 { try session.save("main", state(secret, number)) }
      session.perform(.forgetScene(scene: "main"))
    }
    let session = try fixture.open()
    #expect(session.writer.maintenanceDue == 0)
    #expect(session.maintain().erased.isEmpty)
    #expect(try !isOnDisk(secret))
    #expect(try fixtureIsClean(session))
  }

  private func fixtureIsClean(_ session: Session) throws -> Bool {
    try session.writer.connection.integer("SELECT pending FROM erasure") == 0
  }

  @Test("a full disk does not keep anything from being forgotten")
  func fullDisk() throws {
    let session = try fixture.open()
    try session.save("main", state(secret))
    let pages = try session.writer.connection.integer("PRAGMA page_count")
    _ = try session.writer.connection.execute(script: Array("PRAGMA max_page_count = \(pages)".utf8))
    session.perform(.forgetScene(scene: "main"))
    #expect(try session.maintain().erased[0].outcome.get() == .forgot(count: 1))
    #expect(try !isOnDisk(secret))
  }
}
