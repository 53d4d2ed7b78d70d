import CSQLite
import Foundation
import SceneModel
import Testing

@testable import RestoreStore

/// The files stay small, however much is saved and whoever reads.
@Suite struct GrowthTests {
  let fixture = Fixture(in: Disk.base)
  /// 10,000 in the long form; enough for several turns of the log in the short one.
  private static let saves = isLong ? 10_000 : 500
  private static let stateBytes = 100_000
  private static let bound = 40_000_000

  private func state(_ number: Int, bytes: Int) -> String {
    #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  /// Bytes of all files of the store.
  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }

  private var logBytes: Int { SystemCalls.size(fixture.database + "-wal") }

  /// Saves, and does what is due as a daemon does.
  private func save(_ session: Session, _ number: Int, bytes: Int) throws {
    try session.save("scene \(number % 3)", state(number, bytes: bytes))
    if session.writer.maintenanceDue == 0 { #expect(session.maintain().faults.allSatisfy { $0.code == .logHeld }) }
  }

  @Test("saves of 100 KB, each another one, leave the files under 40 MB at any time")
  func manySaves() throws {
    let session = try fixture.open()
    var largest = 0
    for number in 0..<Self.saves {
      try save(session, number, bytes: Self.stateBytes)
      largest = max(largest, try size())
    }
    #expect(largest < Self.bound)
    #expect(largest > session.writer.options.limits.checkpointPages * 2_072, "the log came round")
    print("GrowthTests: \(Self.saves) saves of \(Self.stateBytes) bytes, at most \(largest) bytes of files")
  }

  @Test("reads of one's own in batches do not keep the log from being emptied")
  func ownReader() throws {
    fixture.options.limits.turnLogOver(afterPages: 100)
    let session = try fixture.open()
    var largest = 0
    for number in 0..<400 {
      session.reader.beginBatch()
      if number > 0 { _ = try session.text("scene \((number - 1) % 3)") }
      session.reader.endBatch()
      try save(session, number, bytes: 3_000)
      largest = max(largest, logBytes)
    }
    #expect(largest < 300 * 2_072)
  }

  @Test("who saves fast has the log moved when it is full, and who stops has it moved after the rest")
  func rest() throws {
    fixture.options.limits.checkpointPages = 20
    fixture.options.limits.fullLogPages = 100
    let session = try fixture.open()
    func pages() -> Int { session.writer.connection.pagesInWAL }
    func saveUntilDue() throws -> Int {
      for number in 0..<200 where session.writer.maintenanceDue != 0 {
        try session.save("main", state(number, bytes: 3_000))
      }
      let reached = pages()
      #expect(session.maintain().faults.isEmpty)
      return reached
    }
    // What made the database is in the log too, and there was no checkpoint to rest from.
    let first = try saveUntilDue()
    #expect((20..<100).contains(first))
    let second = try saveUntilDue()
    #expect((100..<110).contains(second))

    try session.save("main", state(1_000, bytes: 3_000))
    #expect(pages() < 20 && session.writer.maintenanceDue == nil)
    for number in 1_001..<1_010 { try session.save("main", state(number, bytes: 3_000)) }
    let restOver = fixture.options.limits.checkpointRest
    #expect((20..<100).contains(pages()) && session.writer.maintenanceDue == restOver)
    fixture.clock.pass(milliseconds: restOver)
    #expect(session.maintain().faults.isEmpty && session.writer.maintenanceDue == nil)
    try session.save("main", state(1_010, bytes: 3_000))
    #expect(pages() < 20, "the log began anew")
  }

  @Test("a foreign reader that stays is told of, bounds the log at last, and once it goes the log is small again")
  func foreignReader() throws {
    fixture.options.limits.turnLogOver(afterPages: 20)
    fixture.options.limits.logPages = 200
    let session = try fixture.open()
    try session.save("main", state(0, bytes: 10))
    let other = try Connection(path: fixture.database)
    var told: [StoreError.Code] = []
    do {
      let reading = try Transaction(.reading, on: other)
      #expect(try other.integer("SELECT count(*) FROM revisions") == 1)
      var refused: StoreError?
      for number in 1...400 where refused == nil {
        do { try session.save("main", state(number, bytes: 3_000)) } catch { refused = error as? StoreError }
        if session.writer.maintenanceDue == 0 { told += session.maintain().faults.map(\.code) }
      }
      #expect(told == [.logHeld], "once, not at each save")
      #expect(session.writer.problems.first?.contains("fuser") == true)
      #expect(refused?.code == .storageFull)
      #expect(refused?.message.contains("another process reads") == true)
      #expect(logBytes < 240 * 2_072)
      guard case .launched(let launch) = try session.outcome(.launch(scene: "main")) else { throw Unexpected() }
      #expect(launch.uncounted?.code == .storageFull, "a launch is served all the same")
      #expect(try session.text("main").contains("xxx"))
      _ = consume reading
    }
    fixture.clock.pass(milliseconds: 5_000)
    #expect(try #require(session.writer.maintenanceDue) <= fixture.options.clock.steady())
    #expect(session.maintain().faults == [])
    #expect(logBytes <= 2 * 20 * 2_072)
    #expect(session.writer.problems == [])
    #expect(try session.save("main", state(999, bytes: 10)).changed)
  }

  @Test("a reader at the log's end keeps it long for no longer than it reads")
  func readerAtTheEnd() throws {
    fixture.options.limits.turnLogOver(afterPages: 20)
    let session = try fixture.open()
    let other = try Connection(path: fixture.database)
    let first = try Transaction(.reading, on: other)
    #expect(try other.integer("SELECT count(*) FROM revisions") == 0)
    for number in 1...40 { try session.save("main", state(number, bytes: 3_000)) }
    _ = consume first
    let second = try Transaction(.reading, on: other)
    #expect(try other.integer("SELECT count(*) FROM revisions") == 10)
    // All can be moved into the database, but the log cannot be cut while someone reads it.
    #expect(session.maintain().faults == [])
    #expect(logBytes > 2 * 20 * 2_072)
    _ = consume second
    fixture.clock.pass(milliseconds: 5_000)
    session.maintain()
    #expect(logBytes == 0)
  }
}
