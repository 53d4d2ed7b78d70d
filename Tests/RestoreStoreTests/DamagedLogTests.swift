import Foundation
import Testing

@testable import RestoreStore

@Suite("A damaged log costs what stood in the damaged frames, and never goes unnoticed while its index is there")
struct DamagedLogTests {
  private func open(_ store: RichStore, log: Data, index: Data?, of database: Data) throws -> (Session, RecoveryReport?)
  {
    try store.clear()
    try store.write(database)
    try store.write(log, "-wal")
    if let index { try store.write(index, "-shm") }
    return try store.open()
  }

  /// The most rows that one page of revisions has.
  private static let rowsOfPage = 40

  @Test("a flipped byte anywhere in the log")
  func flipped() throws {
    let store = try RichStore(scenes: 6, closes: false)
    let (database, log, index) = (try store.bytes(), try store.bytes("-wal"), try store.bytes("-shm"))
    #expect(log.count > 100_000)
    for step in 0..<28 {
      let offset = step < 8 ? step * 7 : log.count * (step - 8) / 20
      var damaged = log
      damaged[offset] ^= 0x55
      let (session, report) = try open(store, log: damaged, index: index, of: database)
      let lost = Set(store.before.states.keys).subtracting(try RichStore.Inventory(session).states.keys)
      #expect(lost.count <= Self.rowsOfPage, "byte \(offset)")
      #expect(lost.isEmpty || report != nil, "byte \(offset): lost and not said")
      try store.expectSound(session, "byte \(offset) of the log")
      if let report {
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.kept + "-wal")) == damaged, "byte \(offset)")
      }
    }
  }

  @Test("a log that is cut to nothing, to half, or anywhere else", arguments: [true, false])
  func cut(hasIndex: Bool) throws {
    let store = try RichStore(scenes: 6, closes: false)
    let (database, log, index) = (try store.bytes(), try store.bytes("-wal"), try store.bytes("-shm"))
    for step in 0..<16 {
      let length = log.count * step / 16
      let (session, report) = try open(store, log: log.prefix(length), index: hasIndex ? index : nil, of: database)
      // Without the index nothing tells a log that was cut from one whose last commit was never finished.
      #expect(report != nil || !hasIndex, "cut to \(length)")
      try store.expectSound(session, "cut to \(length)", numbersGrow: report != nil)
    }
  }

  @Test("an index that is damaged, cut or of another log costs nothing")
  func index() throws {
    let store = try RichStore(scenes: 3, closes: false)
    let (database, log, index) = (try store.bytes(), try store.bytes("-wal"), try store.bytes("-shm"))
    for step in 0..<24 {
      var damaged = index
      if step < 16 { damaged[step * 9] ^= 0x55 } else { damaged = index.prefix(index.count * (step - 16) / 8) }
      let (session, _) = try open(store, log: log, index: damaged, of: database)
      #expect(try RichStore.Inventory(session).states == store.before.states, "step \(step)")
    }
  }

  @Test("without the index, damage is told where two commits stand behind it")
  func commitsBehind() throws {
    let store = try RichStore(scenes: 6, closes: false)
    let (database, log) = (try store.bytes(), try store.bytes("-wal"))
    var damaged = log
    damaged[damaged.count / 2] ^= 0x55
    let (session, report) = try open(store, log: damaged, index: nil, of: database)
    #expect(report?.cause.contains("commits behind that") == true)
    let lost = Set(store.before.states.keys).subtracting(try RichStore.Inventory(session).states.keys)
    #expect(lost.count <= Self.rowsOfPage)
  }

  /// What a loss of power in the last save leaves: of its first page other bytes than the rest of it goes with, and no
  /// index.
  private func torn(_ session: Session, at offset: Int) throws -> Fixture {
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: session.fixture.folder, toPath: left.folder)
    try FileManager.default.removeItem(atPath: left.database + "-shm")
    let log = URL(fileURLWithPath: left.database + "-wal")
    var bytes = try Data(contentsOf: log)
    bytes[offset + 1_000] ^= 0x55
    try bytes.write(to: log)
    return left
  }

  @Test("saves that power took twice, the rest of one behind the rest of the other, are no damage")
  func tornTwice() throws {
    func state(_ number: Int, bytes: Int) -> String {
      #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
    }
    func end(_ session: Session) throws -> Int { try Data(contentsOf: session.log).count }
    let first = try Fixture(in: Disk.base).open()
    for number in 1...3 { try first.save("main", state(number, bytes: 10)) }
    let before = try end(first)
    try first.save("large", state(4, bytes: 40_000))

    let second = try torn(first, at: before).open()
    #expect(second.writer.recovery == nil)
    #expect(try second.revisions("main").count == 3)
    #expect(code { _ = try second.text("large") } == .sceneNotFound)
    try second.save("main", state(5, bytes: 10))
    let sound = try end(second)
    try #require(sound < before + 20_000, "nothing of the lost save stands behind the one that was acknowledged")
    try second.save("other", state(6, bytes: 9_000))

    let third = try torn(second, at: sound).open()
    #expect(third.writer.recovery == nil)
    #expect(try third.text("main") == state(5, bytes: 10))
    #expect(try third.integrity() == [])
  }

  @Test(
    "an index that is older than a log which was emptied since says nothing after a loss of power",
    arguments: [true, false]
  )
  func olderIndex(isOfThisBoot: Bool) throws {
    let store = try RichStore(scenes: 3, closes: false)
    let index = try store.bytes("-shm")
    let (session, _) = try store.open()
    try session.writer.emptyLog(waiting: 0)
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: session.fixture.folder, toPath: left.folder)
    try index.write(to: URL(fileURLWithPath: left.database + "-shm"))
    // The kernel's name for the time since the last start is another one after a loss of power.
    if !isOfThisBoot {
      let lock = URL(fileURLWithPath: left.folder + "/restored.lock")
      let boot = UUID().uuidString.lowercased()
      try Data("1\ndatabase full\nboot \(boot)\n".utf8).write(to: lock)
    }
    let opened = try left.open()
    #expect((opened.writer.recovery != nil) == isOfThisBoot, "a log that was cut to nothing while nobody looked")
    #expect(try RichStore.Inventory(opened).states == store.before.states)
  }

  /// What is there after one of the log's frames was damaged and the process killed; the log was moved into the database
  /// before, all of it or half.
  private func damagedMoved(_ frame: Int, half: Bool) throws -> (before: [String: String], session: Session) {
    let fixture = Fixture(in: Disk.base)
    let session = try fixture.open()
    var before: [String: String] = [:]
    func save(_ scene: String, _ number: Int) throws {
      let text = #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: 900))"}}"#
      try session.save(scene, text)
      before[scene] = text
    }
    for number in 1...6 { try save("scene \(number % 3)", number) }
    do {
      let other = try Connection(path: fixture.database)
      let reading = half ? try Transaction(.reading, on: other) : nil
      #expect(try other.integer("SELECT count(*) FROM revisions") > 0)
      for number in 7...9 { try save("scene \(number % 3)", number) }
      #expect(session.writer.checkpoint() == nil)
      _ = consume reading
    }
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: left.folder)
    var log = try Data(contentsOf: session.log)
    log[32 + frame * 2_072 + 1_000] ^= 0x55
    try log.write(to: URL(fileURLWithPath: left.database + "-wal"))
    return (before, try left.open())
  }

  @Test("damage in frames that a checkpoint has moved costs nothing", arguments: [false, true])
  func damagedMoved(half: Bool) throws {
    for frame in 0..<8 {
      let (before, session) = try damagedMoved(frame, half: half)
      for (scene, text) in before { #expect(try session.text(scene) == text, "frame \(frame), \(scene)") }
      #expect(try session.integrity() == [], "frame \(frame)")
    }
  }

  @Test("a log that is sound gives back what was moved out of it, where the database is damaged")
  func damagedBehindMoved() throws {
    let fixture = Fixture(in: Disk.base)
    let session = try fixture.open()
    let text = #"{"values":{"x":"\#(String(repeating: "x", count: 900))"}}"#
    for number in 1...6 { try session.save("scene \(number)", text) }
    #expect(session.writer.checkpoint() == nil)
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: left.folder)
    // All pages, the header with them.
    let database = URL(fileURLWithPath: left.database)
    try Data(count: try Data(contentsOf: database).count).write(to: database)
    let opened = try left.open()
    #expect(opened.writer.recovery != nil)
    for number in 1...6 { #expect(try opened.text("scene \(number)") == text) }
  }

  @Test("where a commit may be lost with its ids and their count, nothing is dropped for the lack of them")
  func lostPut() throws {
    let fixture = Fixture(in: Disk.base)
    let session = try fixture.open()
    try session.put("note", ["n0"])
    let before = try Data(contentsOf: session.log).count
    try session.put("note", ["n1"])
    let after = try Data(contentsOf: session.log).count
    let state = #"{"stacks":{"m":[{"note":{"id":"n1"}}]}}"#
    try session.save("main", state)
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: left.folder)
    var log = try Data(contentsOf: session.log)
    for offset in stride(from: before + 500, to: after, by: 2_072) { log[offset] ^= 0x55 }
    try log.write(to: URL(fileURLWithPath: left.database + "-wal"))
    let opened = try left.open()
    #expect(opened.writer.recovery != nil)
    let restored = try opened.restore("main")
    #expect(restored.dropped.isEmpty)
    #expect(String(decoding: restored.state, as: UTF8.self) == state)
  }

  @Test("all of a log whose header is damaged is read where its index may be older")
  func olderIndexOfDamagedLog() throws {
    let fixture = Fixture(in: Disk.base)
    let session = try fixture.open()
    let shm = URL(fileURLWithPath: fixture.database + "-shm")
    try session.save("main", #"{"values":{}}"#)
    let index = try Data(contentsOf: shm)
    for number in 1...5 { try session.save("scene \(number)", #"{"values":{"n":\#(number)}}"#) }
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: left.folder)
    try index.write(to: URL(fileURLWithPath: left.database + "-shm"))
    try Data("1\ndatabase full\n".utf8).write(to: URL(fileURLWithPath: left.folder + "/restored.lock"))
    var log = try Data(contentsOf: session.log)
    log[9] ^= 0x55
    try log.write(to: URL(fileURLWithPath: left.database + "-wal"))
    let opened = try left.open()
    #expect(opened.writer.recovery != nil)
    for number in 1...5 { #expect(try opened.text("scene \(number)") == #"{"values":{"n":\#(number)}}"#) }
  }

  @Test("a log of a database that somebody made anew with larger pages is cut behind its last commit, not in it")
  func largerPages() throws {
    let fixture = Fixture(in: Disk.base)
    try fixture.open().save("main", #"{"values":{"n":0}}"#)
    do {
      let other = try Connection(path: fixture.database)
      try other.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM; PRAGMA journal_mode = WAL")
    }
    let session = try fixture.open()
    for number in 1...5 { try session.save("scene \(number)", #"{"values":{"n":\#(number)}}"#) }
    let killed = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: killed.folder)
    let next = try killed.open()
    try next.save("main", #"{"values":{"n":1}}"#)
    let again = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: killed.folder, toPath: again.folder)
    try FileManager.default.removeItem(atPath: again.database + "-shm")
    let opened = try again.open()
    #expect(opened.writer.recovery == nil)
    for number in 1...5 { #expect(try opened.text("scene \(number)") == #"{"values":{"n":\#(number)}}"#) }
    #expect(try opened.text("main") == #"{"values":{"n":1}}"#)
  }

  @Test("the rest of an older log, and of a commit that was never finished, are no damage")
  func ordinaryRemains() throws {
    let store = try RichStore(scenes: 3, closes: false)
    let (database, log, index) = (try store.bytes(), try store.bytes("-wal"), try store.bytes("-shm"))
    for rest in [log.prefix(2_072 * 3), log.suffix(2_072 + 100), Data(count: 5_000)] {
      let (session, report) = try open(store, log: log + rest, index: index, of: database)
      #expect(report == nil)
      #expect(try RichStore.Inventory(session).states == store.before.states)
    }
  }

  @Test("a database that is gone or empty while its log is there is recovered from the log")
  func logAlone() throws {
    let store = try RichStore(scenes: 6, closes: false)
    let (log, index) = (try store.bytes("-wal"), try store.bytes("-shm"))
    for database in [Data?.none, Data()] {
      try store.clear()
      if let database { try store.write(database) }
      try store.write(log, "-wal")
      try store.write(index, "-shm")
      let (session, report) = try store.open()
      #expect(report != nil)
      #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(report?.kept) + "-wal")) == log)
      #expect(try !RichStore.Inventory(session).states.isEmpty)
      try store.expectSound(session, "from the log alone")
    }
  }
}
