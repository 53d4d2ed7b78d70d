import Foundation
import SceneModel
import Testing

@testable import RestoreStore

/// A disk that fails at each step of whatever the store does, once or until it is mended, and then goes on.
@Suite struct FaultTests {
  /// How the disk fails.
  struct Failing: Sendable, CustomTestStringConvertible {
    let error: Int32
    let forever: Bool
    var calls: Disk.Calls = .changing

    var testDescription: String {
      let name = String(cString: strerror(error))
      return "\(name), \(forever ? "until it is mended" : "once")\(calls == .changing ? "" : ", reads too")"
    }

    /// The code of whoever is told.
    var code: StoreError.Code { error == EIO ? .storageFailed : .storageFull }

    /// Every error, once and until it is mended; in the short form two of these are left out, and under a sanitizer,
    /// which takes its time, all but two.
    static let all: [Failing] =
      isSanitized ? [Failing(error: EDQUOT, forever: false), Failing(error: EIO, forever: true)] : whole
    private static let whole: [Failing] =
      [Failing(error: ENOSPC, forever: true), Failing(error: EDQUOT, forever: false)]
      + [false, true].map { Failing(error: EIO, forever: $0) }
      + [false, true].map { Failing(error: EIO, forever: $0, calls: .sharing) }
      + (isLong ? [Failing(error: ENOSPC, forever: false), Failing(error: EDQUOT, forever: true)] : [])
  }

  /// Calls at most that make and sync the folders of a first start, before the database is made.
  private static let folderCalls = 12

  private static func state(_ number: Int, bytes: Int = 0) -> String {
    #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  /// Does something with the first call failing, then the second and so on, until no call fails.
  ///
  /// The store is never opened anew in between.
  private func atEveryStep(
    _ failing: Failing,
    prepare: (FaultRun, Int) throws -> Void = { _, _ in },
    _ act: (FaultRun, Int) throws -> Void
  ) throws {
    let run = try FaultRun(failing)
    var number = 0
    repeat {
      number += 1
      try prepare(run, number)
      try run.failing(at: number) { try act(run, number) }
    } while run.failures > 0
    #expect(number > 1, "something failed")
    try run.reopen()
  }

  @Test("a save, and a batch of saves of many", arguments: Failing.all)
  func save(failing: Failing) throws {
    try atEveryStep(failing) { run, number in
      if number == 1 { try run.perform(run.session.saving("main", Self.state(0))) }
    } _: { run, number in
      try run.perform(run.session.saving("main", Self.state(number)))
      try run.perform(
        run.session.saving("main", Self.state(-number)),
        run.session.saving("new \(number)", Self.state(number, bytes: 900)),
        .closeScene(scene: "main"),
        run.session.saving("large", Self.state(number, bytes: 3_000))
      )
    }
  }

  @Test("a save into a log that has just been emptied", arguments: Failing.all)
  func saveAfterCheckpoint(failing: Failing) throws {
    try atEveryStep(failing) { run, _ in
      let fault = try run.session.writer.checkpoint()
      #expect(fault == nil)
    } _: { run, number in
      try run.perform(run.session.saving("main", Self.state(number)))
    }
  }

  @Test("entities, and a sync of them", arguments: Failing.all)
  func sync(failing: Failing) throws {
    try atEveryStep(failing) { run, number in
      let ids = (0..<30).compactMap { EntityID("c\($0 + number)") }
      try run.perform(.putEntities(kind: "card", ids: ids, sync: nil, version: "\(number)"))
      try run.perform(.deleteEntities(kind: "card", ids: Array(ids.prefix(5)), version: nil))
      guard case .syncBegan(let sync) = try? run.perform(.beginSync(kind: "board"))[0].outcome.get() else { return }
      try run.perform(.putEntities(kind: "board", ids: ids, sync: sync, version: nil))
      try run.perform(.endSync(sync: sync, version: "\(number)"))
    }
  }

  @Test("a launch is served even where it cannot be counted", arguments: Failing.all)
  func launch(failing: Failing) throws {
    try atEveryStep(failing) { run, number in
      if number == 1 { try run.perform(run.session.saving("main", Self.state(0))) }
      try run.perform(.confirm(scene: "main", revision: nil))
    } _: { run, _ in
      let launched = try run.perform(.launch(scene: "main"))[0].outcome
      if failing.calls == .changing {
        guard case .launched(let launch) = try launched.get() else { throw Unexpected() }
        #expect(String(decoding: launch.state, as: UTF8.self) == Self.state(0))
      }
      try run.perform(.confirm(scene: "main", revision: nil))
    }
  }

  @Test("a forget with the erasure that follows", arguments: Failing.all)
  func forget(failing: Failing) throws {
    try atEveryStep(failing) { run, number in
      try run.perform(
        run.session.saving("secret", Self.state(number, bytes: 2_500)),
        run.session.saving("main", Self.state(number))
      )
    } _: { run, _ in
      try run.perform(.forgetScene(scene: "secret"))
      try run.maintain()
    }
  }

  @Test("a checkpoint", arguments: Failing.all)
  func checkpoint(failing: Failing) throws {
    try atEveryStep(failing) { run, number in
      var scene = 0
      while try run.session.writer.maintenanceDue == nil {
        scene += 1
        try run.perform(run.session.saving("\(scene)", Self.state(number, bytes: 2_500)))
      }
    } _: { run, _ in
      try run.maintain()
    }
  }

  @Test("a first start, which makes folders and database", arguments: Failing.all)
  func firstStart(failing: Failing) throws {
    var number = 0
    var failures = 0
    repeat {
      number += 1
      let fixture = Fixture(in: Disk.base)
      fixture.nest("users/anna/state")
      let disk = try Disk(fixture)
      disk.fail(failing.calls.union(.opens), number, with: failing.error, forever: failing.forever)
      do { _ = try fixture.open() } catch let error as StoreError { #expect(error.code == failing.code, "\(error)") }
      failures = disk.heal()
      let saved = try fixture.open().save("main", Self.state(number))
      #expect(saved.revision == 1)
      guard isLong || number <= Self.folderCalls || number % 8 == 0 else { continue }
      let left = Fixture(in: Disk.base)
      left.nest("users/anna/state")
      try disk.survivors(into: left.root)
      let survived = try disk.away { try left.open().text("main") }
      #expect(survived == Self.state(number), "call \(number)")
    } while failures > 0
    #expect(number > 10)
  }

  @Test("a start after the process was killed", arguments: Failing.all)
  func startAfterKill(failing: Failing) throws {
    let fixture = Fixture(in: Disk.base)
    let disk = try Disk(fixture)
    let session = try fixture.open()
    for scene in 0..<5 { try session.save("\(scene)", Self.state(scene)) }
    var number = 0
    var failures = 0
    repeat {
      number += 1
      let next = Fixture(in: Disk.base)
      let killed = try disk.killed(into: next)
      killed.fail(failing.calls.union(.opens), number, with: failing.error, forever: failing.forever)
      do { _ = try next.open() } catch let error as StoreError { #expect(error.code == failing.code, "\(error)") }
      failures = killed.heal()
      let opened = try next.open()
      #expect(try opened.dump() == session.dump())
      #expect(try opened.integrity() == [])
    } while failures > 0
    #expect(number > 2)
  }
}
