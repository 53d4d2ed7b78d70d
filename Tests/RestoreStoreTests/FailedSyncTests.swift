import CSQLite
import Foundation
import Testing

@testable import RestoreStore

/// Syncs that fail: what was written since the last one is on no disk, and the kernel takes it for written.
@Suite struct FailedSyncTests {
  let fixture = Fixture(in: Disk.base)

  private func state(_ number: Int, bytes: Int = 0) -> String {
    #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  /// What is found after the process is killed, what is there once `state` was saved to that, and what of it after
  /// a loss of power.
  private func afterKill(_ disk: Disk, save state: String?) throws -> (found: String, alive: [Int], left: [Int]) {
    let next = Fixture(in: Disk.base)
    let killed = try disk.killed(into: next)
    let session = try next.open()
    let found = try session.text("main")
    if let state { try session.save("main", state) }
    let alive = try session.revisions("main")
    let left = Fixture(in: Disk.base)
    try killed.survivors(into: left.root)
    return (found, alive, try killed.away { try left.open().revisions("main") })
  }

  @Test("a save whose sync failed does not come back when the process is killed, whether it came to the disk or not")
  func sealed() throws {
    for isKept in [false, true] {
      let fixture = Fixture(in: Disk.base)
      let disk = try Disk(fixture)
      let session = try fixture.open()
      try session.save("main", state(1))
      if isKept { disk.keepOnFailedSync() }
      disk.fail(.syncs, 1, with: EIO)
      #expect(code { try session.save("main", state(2)) } == .storageFailed)
      #expect(disk.heal() == 1)
      let after = try afterKill(disk, save: nil)
      #expect(after.found == state(1))
      #expect(after.left == [1])
    }
  }

  @Test("where the disk fails until the end, what was not acknowledged is whole or is not there")
  func unknown() throws {
    for isKept in [false, true] {
      let fixture = Fixture(in: Disk.base)
      let disk = try Disk(fixture)
      let session = try fixture.open()
      try session.save("main", state(1))
      if isKept { disk.keepOnFailedSync() }
      disk.fail(.syncs, 1, with: EIO, forever: true)
      #expect(code { try session.save("main", state(2, bytes: 5_000)) } == .storageFailed)
      let left = Fixture(in: Disk.base)
      try disk.survivors(into: left.root)
      let survived = try disk.away { try left.open().text("main") }
      #expect([state(1), state(2, bytes: 5_000)].contains(survived))
    }
  }

  @Test("after a sync that failed and a kill, what the log holds is written once more before it is relied on")
  func rewritten() throws {
    let disk = try Disk(fixture)
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", state(number)) }
    disk.fail(.syncs, 1, with: EIO, forever: true)
    #expect(code { try session.save("main", state(4)) } == .storageFailed)
    disk.heal()
    // The log reads whole, but its end is on no disk: what is appended to it would be lost with it.
    let after = try afterKill(disk, save: state(5))
    #expect(after.found == state(3))
    #expect(after.alive.count == 4)
    #expect(after.left == after.alive)
  }

  @Test("with durability normal a log whose sync failed is written once more before the database relies on it")
  func normal() throws {
    fixture.options.durability = .normal
    fixture.options.limits.turnLogOver(afterPages: 100)
    let disk = try Disk(fixture)
    let session = try fixture.open()
    var number = 0
    do {
      // A reader has the log go on behind what was synced, so that what is lost later stands behind something whole.
      let other = try Connection(path: fixture.database)
      let reading = try Transaction(.reading, on: other)
      #expect(try other.integer("SELECT count(*) FROM revisions") == 0)
      while session.writer.maintenanceDue == nil {
        number += 1
        try session.save("main", state(number, bytes: 3_000))
      }
      #expect(session.maintain().faults == [])
      #expect(disk.unsyncedLog == 0)
      _ = consume reading
    }
    for later in 1...6 { try session.save("main", state(number + later, bytes: 3_000)) }
    #expect(disk.unsyncedLog > 0)
    disk.fail(.syncs, 1, with: EIO)
    #expect(session.maintain().faults.map(\.code) == [.storageFailed])
    #expect(session.writer.problems.count == 1)
    #expect(disk.heal() == 1)
    fixture.clock.pass(milliseconds: 60_000)
    #expect(session.maintain().faults == [])
    #expect(session.writer.problems == [])
    try expectSurvival(of: session, on: disk)
  }

  @Test("what a checkpoint moved half way is moved again where the sync of the one that came to the end failed")
  func movedHalfWay() throws {
    let disk = try Disk(fixture)
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", state(number, bytes: 3_000)) }
    try checkpointBesideReader(session) {
      for number in 1...3 { try session.save("other", state(number, bytes: 3_000)) }
    }
    #expect(session.writer.log.heldPages > 0, "the reader kept a checkpoint from coming to the end")
    // The first is that of the log, the second that of the database.
    disk.fail(.syncs, 2, with: EIO)
    #expect(session.writer.checkpoint()?.code == .storageFailed)
    #expect(disk.heal() == 1)
    #expect(session.writer.checkpoint() == nil)
    #expect(session.writer.log.heldPages == 0)
    // Begins the log anew, over the frames that were moved first.
    for number in 1...9 { try session.save("third", state(number, bytes: 3_000)) }
    try expectSurvival(of: session, on: disk)
  }

  /// Makes a checkpoint while another process reads what is there, so that the log goes on behind what it moved.
  private func checkpointBesideReader(_ session: Session, meanwhile: () throws -> Void) throws {
    let other = try Connection(path: session.fixture.database)
    let reading = try Transaction(.reading, on: other)
    #expect(try other.integer("SELECT count(*) FROM revisions") > 0)
    try meanwhile()
    #expect(session.writer.checkpoint() == nil)
    _ = consume reading
  }

  /// Power is lost: all that was acknowledged is there, and sound.
  private func expectSurvival(of session: Session, on disk: Disk) throws {
    let left = Fixture(in: Disk.base)
    try disk.survivors(into: left.root)
    let survived = try disk.away { try survivor(in: left, of: session).dump() }
    #expect(try survived == session.dump())
  }

  /// What a loss of power left, opened and found sound.
  private func survivor(in left: Fixture, of session: Session) throws -> Session {
    left.options.durability = session.fixture.options.durability
    let survivor = try left.open()
    #expect(survivor.writer.recovery == nil)
    #expect(try survivor.integrity() == [])
    return survivor
  }

  @Test("a save whose sync failed does not come back beside one of its batch that changed nothing", arguments: [0, 1])
  func besideNothing(place: Int) throws {
    let disk = try Disk(fixture)
    let session = try fixture.open()
    try session.save("main", state(1))
    try session.save("equal", state(7))
    var batch = [try session.saving("equal", state(7))]
    batch.insert(try session.saving("main", state(2)), at: place)
    // Of the batch, and of the save by itself; then the disk works again.
    var syncs = 0
    disk.onSync = { [unowned disk] after in
      syncs += 1
      if !after && syncs == 3 { disk.heal() }
    }
    disk.fail(.syncs, 1, with: EIO, forever: true)
    let results = session.writer.perform(batch.map(session.command))
    disk.onSync = { _ in }
    #expect(disk.heal() == 2)
    #expect(results.map { (try? $0.outcome.get()) != nil } == [place != 0, place == 0])
    let after = try afterKill(disk, save: nil)
    #expect(after.found == state(1))
  }

  @Test("with durability normal a sync that failed in an erasure does not have the database rely on the log either")
  func erasure() throws {
    fixture.options.durability = .normal
    let disk = try Disk(fixture)
    let session = try fixture.open()
    for number in 0..<80 { try session.save("scene \(number)", state(number, bytes: 40_000)) }
    #expect(session.maintain(hurried: true).faults == [])
    try session.writer.emptyLog(waiting: 0)
    try session.save("early", state(0))
    try checkpointBesideReader(session) {
      for number in 1...5 { try session.save("early", state(number, bytes: 3_000)) }
    }
    #expect(disk.unsyncedLog == 0)
    for number in 0..<20 { try session.save("late \(number)", state(number, bytes: 3_000)) }
    #expect(disk.unsyncedLog > 0)
    session.perform(.forgetScene(scene: "scene 0"))
    disk.fail(.syncs, 1, with: EIO)
    #expect(session.maintain(hurried: true).faults.map(\.code) == [.notYetErased])
    #expect(disk.heal() == 1)
    fixture.clock.pass(milliseconds: 60_000)
    // Power may be lost at each sync of the one that is tried again.
    var lost: [Fixture] = []
    disk.onSync = { [unowned disk] _ in
      let left = Fixture(in: Disk.base)
      #expect(throws: Never.self) { try disk.survivors(into: left.root) }
      lost.append(left)
    }
    #expect(session.maintain(hurried: true).faults == [])
    disk.onSync = { _ in }
    #expect(lost.count > 4)
    // Before the first of them the newest changes may be lost, as ever with this durability.
    for left in lost { try disk.away { _ = try survivor(in: left, of: session) } }
    try expectSurvival(of: session, on: disk)
  }

  @Test("a checkpoint that fails is told once, tried again by itself, and keeps no save from being acknowledged")
  func failingCheckpoint() throws {
    fixture.options.limits.turnLogOver(afterPages: 30)
    let disk = try Disk(fixture)
    let session = try fixture.open()
    try session.save("main", state(0))
    var told: [StoreError.Code] = []
    for number in 1...60 {
      try session.save("main", state(number, bytes: 2_500))
      guard session.writer.maintenanceDue == 0 else { continue }
      disk.fail(.syncs, 1, with: ENOSPC, forever: true)
      told += session.maintain().faults.map(\.code)
      disk.heal()
    }
    #expect(told == [.storageFull])
    #expect(session.writer.problems.count == 1)
    #expect(try #require(session.writer.maintenanceDue) > 0)
    fixture.clock.pass(milliseconds: 5_000)
    #expect(session.maintain().faults == [])
    #expect(session.writer.problems == [])
    #expect(session.writer.maintenanceDue == nil)
    #expect(try session.text("main") == state(60, bytes: 2_500))
  }
}
