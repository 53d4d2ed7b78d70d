import Foundation
import Synchronization
import Testing

@testable import RestoreStore

@Suite("An erasure that is broken off, or ends with its process, is made up for")
struct BrokenOffErasureTests {
  let fixture = Fixture(in: Disk.base)
  private static let secret = "the secret draft"
  private static let scenes = 40

  private static func state(_ text: String, _ scene: Int) -> String {
    #"{"values":{"is":"\#(text) of \#(scene)","x":"\#(String(repeating: "x", count: 200 * (scene % 20)))"}}"#
  }

  /// A folder with scenes, of which every other one is deleted and not yet scrubbed.
  private func prepare() throws {
    let session = try fixture.open()
    for round in 0..<3 {
      for scene in 0..<Self.scenes {
        try session.save("s\(scene)", Self.state(scene % 2 == 0 ? Self.secret : "round \(round)", scene))
      }
    }
    for scene in stride(from: 0, to: Self.scenes, by: 2) {
      _ = try session.outcome(.forgetScene(scene: "s\(scene)"))
    }
  }

  private func expectWhole(_ session: Session, _ comment: Comment) throws {
    for scene in 0..<Self.scenes {
      if scene % 2 == 0 {
        #expect(code { _ = try session.restore("s\(scene)") } == .sceneNotFound, comment)
      } else {
        #expect(try session.text("s\(scene)") == Self.state("round 2", scene), comment)
      }
    }
    let connection = try Connection(path: session.fixture.database)
    let check = try Statement("PRAGMA integrity_check", on: connection)
    #expect(try check.first { $0.text(0) } == "ok", comment)
  }

  private func isPending(_ session: Session) throws -> Bool {
    try session.writer.connection.integer("SELECT pending FROM erasure") == 1
  }

  private func expectErased(_ session: Session, _ comment: Comment) throws {
    session.fixture.clock.pass(milliseconds: 5_000)
    let done = session.maintain()
    #expect(done.faults == [] && done.lateErasure != nil, comment)
    #expect(try !isPending(session) && session.writer.problems == [], comment)
    for name in try FileManager.default.contentsOfDirectory(atPath: session.fixture.folder) {
      let data = try Data(contentsOf: URL(fileURLWithPath: session.fixture.folder + "/" + name))
      #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(comment): \(name)")
    }
  }

  /// How many steps the erasure has.
  private func steps() throws -> Int {
    let steps = Mutex(0)
    let twin = try twin(hooks: { $0.atLongStep = { steps.withLock { $0 += 1 } } })
    #expect(try twin.open().maintain().faults == [])
    return steps.withLock { $0 }
  }

  /// Another folder with the same files.
  private func twin(of folder: String? = nil, hooks: (inout StoreHooks) -> Void = { _ in }) throws -> Fixture {
    let twin = Fixture(in: Disk.base)
    // A log of this length is "long": closing leaves it for the next start.
    twin.options.limits.turnLogOver(afterPages: 20)
    hooks(&twin.options.hooks)
    try FileManager.default.copyItem(atPath: folder ?? fixture.folder, toPath: twin.folder)
    return twin
  }

  @Test("at each of its steps: all else is as it was, whoever waits is told, and it is done by the next try or start")
  func everyStep() throws {
    try prepare()
    let steps = try steps()
    #expect(steps > 100)
    for last in Array(stride(from: 1, to: steps, by: isLong ? 1 : max(1, steps / 20))) + [steps] {
      let passed = Mutex(0)
      let twin = try twin()
      let (folder, killed) = (twin.folder, twin.folder + "-killed")
      defer { try? FileManager.default.removeItem(atPath: killed) }
      twin.options.hooks.atLongStep = {
        passed.withLock { $0 += 1 }
        // What a process leaves that is killed here.
        if passed.withLock({ $0 }) == last { try? FileManager.default.copyItem(atPath: folder, toPath: killed) }
      }
      var session: Session? = try twin.open()
      session?.writer.demand = { passed.withLock { $0 } >= last ? .end : .none }
      try breakOff(#require(session), "step \(last) of \(steps)")
      session?.writer.demand = { .none }
      if last % 2 == 0 {
        try #require(session).save("s1", Self.state("round 2", 1))
      } else {
        session = nil
        session = try twin.open()
      }
      try expectWhole(#require(session), "step \(last) of \(steps)")
      try expectErased(#require(session), "step \(last) of \(steps)")
      try expectWhole(#require(session), "step \(last) of \(steps), erased")
      try expectKilled(killed, "killed at step \(last) of \(steps)")
    }
  }

  private func breakOff(_ session: Session, _ comment: Comment) throws {
    let done = session.maintain(hurried: true)
    #expect(done.faults.map(\.code) == [.notYetErased] && done.lateErasure == nil, comment)
    #expect(done.faults.first?.message.contains("told to stop") == true, comment)
    #expect(try isPending(session), comment)
  }

  private func expectKilled(_ folder: String, _ comment: Comment) throws {
    let twin = try twin(of: folder)
    let session = try twin.open()
    #expect(session.writer.recovery == nil, comment)
    #expect(try isPending(session), comment)
    try expectWhole(session, comment)
    try expectErased(session, comment)
  }

  @Test("who waits for it when it is broken off is told that it is deleted and not yet scrubbed, and who will do it")
  func told() throws {
    let session = try fixture.open()
    try session.save("main", Self.state(Self.secret, 0))
    session.writer.demand = { .end }
    _ = try session.outcome(.forgetScene(scene: "main"))
    let done = session.maintain(hurried: true)
    #expect(done.erased.count == 1)
    let outcome = try #require(done.erased.first?.outcome)
    guard case .failure(let error) = outcome else { throw Unexpected() }
    #expect(error.code == .notYetErased && error.remedy?.contains("next start") == true)
    #expect(session.writer.maintenanceDue == 5_000, "not at once again")
  }

  @Test("what nobody waits for makes room for commands, for a minute; what is waited for does not")
  func makesRoom() throws {
    try prepare()
    let session = try fixture.open()
    session.writer.demand = { .commands }
    for _ in 0..<3 {
      let done = session.maintain()
      #expect(done.faults == [] && done.lateErasure == nil)
      #expect(try isPending(session) && session.writer.problems == [])
      let due = try #require(session.writer.maintenanceDue)
      #expect(due == fixture.clock.steady.withLock { $0 } + 100)
      try session.save("s1", Self.state("round 2", 1))
      fixture.clock.pass(milliseconds: 100)
    }
    fixture.clock.pass(milliseconds: 60_000)
    try expectErased(session, "after a minute")
    _ = try session.outcome(.forgetScene(scene: "s1"))
    fixture.clock.pass(milliseconds: 1)
    #expect(try session.maintain().erased.first?.outcome.get() == .forgot(count: 1), "it is waited for")
  }

  @Test("a start waits with what is left for as long as it is told to")
  func resumedLater() throws {
    try prepare()
    fixture.options.limits.resumedErasureMilliseconds = 700
    let session = try fixture.open()
    #expect(session.writer.maintenanceDue == 700)
    #expect(try session.maintain().faults == [] && isPending(session))
    try expectErased(session, "later")
  }

  @Test("a checkpoint is broken off at the end, and a log that is long is left to the next start")
  func checkpoint() throws {
    fixture.options.limits.turnLogOver(afterPages: 20)
    let looks = Mutex(0)
    var session: Session? = try fixture.open()
    for scene in 0..<Self.scenes { try session?.save("s\(scene)", Self.state("round 2", scene)) }
    session?.writer.demand = {
      looks.withLock { $0 += 1 }
      return .end
    }
    #expect(try #require(session).writer.checkpoint() == nil, "that is no fault")
    #expect(looks.withLock { $0 } == 1, "at the first step")
    #expect(try #require(session).writer.problems == [])
    // The writer is to be the last to close.
    session?.reader.retire()
    session = nil
    #expect(FileManager.default.fileExists(atPath: fixture.database + "-wal"))
    session = try fixture.open()
    for scene in 0..<Self.scenes {
      #expect(try session?.text("s\(scene)") == Self.state("round 2", scene))
    }
  }

  @Test("the look at all pages is broken off at once, wherever it is, and may be done again")
  func lookAtPages() throws {
    let session = try fixture.open()
    for scene in 0..<Self.scenes { try session.save("s\(scene)", Self.state("round 2", scene)) }
    let check = try PieceCheck(folder: fixture.folder, options: fixture.options)
    let isWanted = Mutex(true)
    check.breakOff(when: { isWanted.withLock { $0 } })
    #expect(throws: StoreError.self) { try check.structure() }
    #expect(check.wasBrokenOff)
    isWanted.withLock { $0 = false }
    #expect(try check.structure() == [])
    while let faults = try check.advance() { #expect(faults == []) }
    #expect(!check.wasBrokenOff && check.revisions == Self.scenes)
  }

  @Test("what was found in a piece of that look is not lost where the piece is broken off")
  func lookAtPiece() throws {
    let session = try fixture.open()
    let saves = try (0..<64).map { session.command(try session.saving("s\($0)", #"{"values":{}}"#)) }
    for result in session.writer.perform(saves) { session.apply(result.changes) }
    try session.writer.connection.execute("UPDATE revisions SET checksum = checksum + 1 WHERE revision = 1")
    let check = try PieceCheck(folder: fixture.folder, options: fixture.options)
    let looks = Mutex(0)
    check.breakOff(when: {
      looks.withLock { $0 += 1 }
      return looks.withLock { $0 } == 1
    })
    #expect(throws: StoreError.self) { try check.advance() }
    #expect(check.wasBrokenOff)
    #expect(try check.advance() == [.revision(1, scene: "s0", app: "app")])
    #expect(try check.advance() == nil && check.revisions == 64)
  }

  @Test("at the end the lock of another process is not waited for", .timeLimit(.minutes(5)))
  func lock() throws {
    // Longer than the test may take.
    fixture.options.limits.busyMilliseconds = 600_000
    let looks = Mutex(0)
    fixture.options.hooks.atLongStep = { looks.withLock { $0 += 1 } }
    let session = try fixture.open()
    let other = try Connection(path: fixture.database)
    let writing = try Transaction(.writing, on: other)
    session.writer.demand = { looks.withLock { $0 } >= 3 ? .end : .none }
    #expect(code { try session.save("main", Self.state("waits", 0)) } == .locked)
    #expect(looks.withLock { $0 } >= 3, "it did wait before")
    _ = consume writing
    session.writer.demand = { .none }
    try session.save("main", Self.state("goes on", 0))
  }
}
