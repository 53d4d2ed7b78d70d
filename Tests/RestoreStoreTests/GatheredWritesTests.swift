import Foundation
import SceneModel
import Testing

@testable import RestoreStore

@Suite("A commit is written to the log with few calls, and as it would be page by page")
struct GatheredWritesTests {
  let fixture = Fixture(in: Disk.base)

  private func state(_ number: Int, bytes: Int = 100) -> String {
    #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  private func isSaved(_ result: WriteResult) -> Bool {
    if case .success(.saved) = result.outcome { true } else { false }
  }

  /// Whether all of a batch is saved with so many writes at most.
  private func saves(_ batch: [WriteCommand.Action], writes: Int, _ session: Session, _ disk: Disk) -> Bool {
    disk.fail(.writes, writes + 1, with: EIO, forever: true)
    defer { disk.heal() }
    let results = session.writer.perform(batch.map(session.command))
    return results.allSatisfy(isSaved) && disk.failures == 0
  }

  @Test("one write for a batch whose pages come to less than 64 KiB, some for a larger one")
  func writes() throws {
    let disk = try Disk(fixture)
    let session = try fixture.open()
    try session.save("main", state(0))
    let small = try (0..<20).map { try session.saving("scene \($0)", state($0, bytes: 1_000)) }
    let isOneWrite = saves(small, writes: 1, session, disk)
    #expect(isOneWrite)
    let large = try (0..<20).map { try session.saving("scene \($0)", state($0, bytes: 20_000)) }
    let isFew = saves(large, writes: 10, session, disk)
    #expect(isFew)
    #expect(try session.text("scene 19") == state(19, bytes: 20_000))
    #expect(try session.integrity() == [])
  }

  @Test("with durability normal, whose commits are not synced, nothing is held back")
  func normal() throws {
    fixture.options.durability = .normal
    let disk = try Disk(fixture)
    let session = try fixture.open()
    try session.save("main", state(0))
    let batch = try (0..<20).map { try session.saving("scene \($0)", state($0, bytes: 1_000)) }
    let isHeldBack = saves(batch, writes: 10, session, disk)
    #expect(!isHeldBack)
    let results = session.writer.perform(batch.map(session.command))
    #expect(results.map(isSaved) == batch.map { _ in true })
  }

  @Test("a batch larger than the cache, whose pages are written early and then again, is in the log as committed")
  func spilled() throws {
    let session = try fixture.open()
    var batch: [WriteCommand.Action] = []
    for round in 0..<3 {
      for scene in 0..<60 { batch.append(try session.saving("scene \(scene)", state(round, bytes: 20_000))) }
    }
    let results = session.writer.perform(batch.map(session.command))
    #expect(results.map(isSaved) == batch.map { _ in true })
    // What a kill leaves, without the index, so that each checksum is looked at.
    let left = Fixture(in: Disk.base)
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: left.folder)
    try FileManager.default.removeItem(atPath: left.database + "-shm")
    let after = try left.open()
    #expect(after.writer.recovery == nil)
    for scene in 0..<60 { #expect(try after.text("scene \(scene)") == state(2, bytes: 20_000)) }
    #expect(try after.integrity() == [])
  }

  @Test("on a full disk each of a batch is refused as full, and nothing of it is left")
  func failed() throws {
    let disk = try Disk(fixture)
    let session = try fixture.open()
    try session.save("main", state(0))
    disk.fail(.writes, 1, with: ENOSPC, forever: true)
    let batch = try (0..<20).map { try session.saving("scene \($0)", state($0)) }
    for result in session.writer.perform(batch.map(session.command)) {
      guard case .failure(let error) = result.outcome else {
        Issue.record("saved on a full disk")
        continue
      }
      #expect(error.code == .storageFull)
    }
    disk.heal()
    #expect(try session.reader.scenes(uid: Fixture.uid, app: nil, closed: false).map(\.scene) == ["main"])
    try session.save("main", state(1))
    let left = Fixture(in: Disk.base)
    try disk.survivors(into: left.root)
    #expect(try disk.away { try left.open().text("main") } == state(1))
  }
}
