import Foundation
import SceneModel
import TestSupport
import Testing

@testable import RestoreStore

/// What a loss of power takes.
@Suite struct PowerLossTests {
  /// Beside the plain loss at each moment; more with RESTORED_LONG.
  private static let randomLosses = isLong ? 20 : 1

  private func state(_ number: Int, bytes: Int = 0) -> String {
    let routes = #"[{"card":{"id":"c\#(number)"}}]"#
    return #"{"stacks":{"main":\#(routes)},"values":{"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  /// Some of everything that a store does, with checkpoints, erasures and restarts in between.
  private func work(_ power: PowerLoss) throws {
    try power.open()
    for number in 1...3 {
      try power.step("save") { try $0.save("main", state(number)) }
    }
    try power.step("entities") { try $0.put("card", (0..<40).map { "c\($0)" }, version: "1") }
    try power.step("batch") {
      $0.perform(
        try $0.saving("a", state(1)),
        try $0.saving("b", state(2)),
        try $0.saving("main", state(4), ifRevision: 1),
        .deleteEntities(kind: "card", ids: [try #require(EntityID("c3"))], version: nil),
        try $0.saving("c", state(5))
      )
    }
    try sync(power)
    try power.step("launch") { _ = try $0.outcome(.launch(scene: "main")) }
    try power.step("confirm") { _ = try $0.outcome(.confirm(scene: "main", revision: nil)) }
    try grow(power, from: 10)
    try power.step("close") { _ = try $0.outcome(.closeScene(scene: "a")) }
    try erase(power)
    try power.open()
    try power.step("reopen") { _ = try $0.outcome(.reopenScene(scene: nil)) }
    try power.step("rollback") { _ = try $0.outcome(.rollback(scene: "main", revision: 2)) }
    try grow(power, from: 20)
    try power.open()
    try power.step("save") { try $0.save("main", state(30)) }
    power.close()
  }

  private func sync(_ power: PowerLoss) throws {
    var sync = ""
    try power.step("begin") { sync = try $0.beginSync("board") }
    try power.step("put") { try $0.put("board", ["b1", "b2"], sync: sync) }
    try power.step("delete") { try $0.delete("board", ["b2", "b3"]) }
    try power.step("end") { try $0.endSync(sync, version: "2") }
  }

  /// Saves until the log has been emptied into the database twice.
  private func grow(_ power: PowerLoss, from first: Int) throws {
    var checkpoints = 0
    var number = first
    while checkpoints < 2 {
      number += 1
      try power.step("large save") { try $0.save("large", state(number, bytes: 9_000 + 700 * number)) }
      guard try power.session.writer.maintenanceDue == 0 else { continue }
      checkpoints += 1
      try power.step("checkpoint") { #expect($0.maintain().faults == []) }
    }
  }

  private func erase(_ power: PowerLoss) throws {
    try power.step("forget") { $0.perform(.forgetScene(scene: "large")) }
    try power.step("scrub") { #expect($0.maintain(hurried: true).faults == []) }
    try power.step("save") {
      $0.app = "other"
      try $0.save("main", state(1))
    }
    try power.step("reset") {
      $0.app = "other"
      $0.perform(.resetApp(keepEntities: false))
    }
    try power.step("scrub") { #expect($0.maintain(hurried: true).faults == []) }
  }

  @Test("power lost before or after any sync, whatever of the unsynced survives: every acknowledged change is there")
  func full() throws {
    let power = try PowerLoss(seed: SeededGenerator.seedOfThisRun, durability: .full, randomLosses: Self.randomLosses)
    try work(power)
    #expect(power.losses.costly == 0)
    #expect(power.losses.all > 200, "the losses were at every sync")
    print("power loss: \(power.losses.all) losses, \(power.losses.second) of power lost again")
  }

  @Test("with durability normal the newest changes since the last sync may be lost, in their order, and never torn")
  func normal() throws {
    let power = try PowerLoss(seed: SeededGenerator.seedOfThisRun, durability: .normal, randomLosses: Self.randomLosses)
    try work(power)
    #expect(power.losses.costly > 0, "this disk does lose")
    #expect(power.losses.all > 100)
  }

  @Test(
    "what was forgotten and answered for stays erased after a loss of power",
    arguments: [StoreOptions.Durability.full, .normal]
  )
  func erased(durability: StoreOptions.Durability) throws {
    let fixture = Fixture(in: Disk.base)
    fixture.options.durability = durability
    let disk = try Disk(fixture)
    let session = try fixture.open()
    for number in 0..<20 { try session.save("secret", #"{"values":{"draft":"secret \#(number)"}}"#) }
    try session.save("main", state(1))
    session.perform(.forgetScene(scene: "secret"))
    let done = session.maintain(hurried: true)
    #expect(try done.erased[0].outcome.get() == .forgot(count: 1))
    let left = Fixture(in: Disk.base)
    try disk.survivors(into: left.root)
    for name in try FileManager.default.contentsOfDirectory(atPath: left.root) {
      let data = try Data(contentsOf: URL(fileURLWithPath: left.root + "/" + name))
      #expect(data.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
    #expect(FileManager.default.fileExists(atPath: left.database))
  }
}

/// Whether the long form of random and repeated tests was asked for.
let isLong = ProcessInfo.processInfo.environment["RESTORED_LONG"] != nil

/// Whether this runs under a sanitizer.
let isSanitized = ProcessInfo.processInfo.environment["RESTORED_SANITIZER"] != nil
