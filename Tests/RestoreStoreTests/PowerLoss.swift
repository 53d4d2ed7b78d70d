import Foundation
import TestSupport
import Testing

@testable import RestoreStore

/// A store at work on a disk that loses power at every sync: before it, and after it.
///
/// What each loss leaves is opened as a daemon would after it, and compared with what had been acknowledged.
final class PowerLoss {
  /// What one loss of power left.
  private struct Remains {
    let fixture: Fixture
    /// Steps that had returned.
    let acknowledged: Int
    /// Steps whose last write was certainly synced.
    let synced: Int
    let seed: UInt64
  }

  private static let folder = "users/anna/state"

  let fixture = Fixture(in: Disk.base)
  let disk: Disk
  private var opened: Session?
  private var random: SeededGenerator
  private let randomLosses: Int
  /// What was stored after each step, the empty store first.
  private var dumps: [[String]] = []
  private var remains: [Remains] = []
  private var synced = 0
  /// Losses that were looked at, and those of them that took something acknowledged.
  private(set) var losses = (all: 0, costly: 0)

  var session: Session {
    get throws { try #require(opened) }
  }

  /// - Parameter randomLosses: at each moment, beside the loss of all that was not synced.
  init(seed: UInt64, durability: StoreOptions.Durability, randomLosses: Int) throws {
    random = SeededGenerator(seed: seed)
    self.randomLosses = randomLosses
    fixture.nest(Self.folder)
    fixture.options.durability = durability
    fixture.options.limits.checkpointPages = 60
    dumps = [try Self.emptyDump()]
    disk = try Disk(fixture)
    disk.onSync = { [unowned self] after in
      if after && disk.unsyncedLog == 0 { synced = dumps.count - 1 }
      lose()
    }
  }

  private static func emptyDump() throws -> [String] { try Fixture(in: Disk.base).open().dump() }

  /// Carries out one step, and looks at what the losses in it left.
  func step(_ name: String, _ body: (Session) throws -> Void) throws {
    try body(try session)
    try finish(name)
  }

  /// Closes the store, where it is open, and opens it again.
  func open() throws {
    opened = nil
    opened = try fixture.open()
    try finish("open")
  }

  func close() { opened = nil }

  private func finish(_ name: String) throws {
    lose()
    dumps.append(try session.dump())
    try disk.away {
      for remains in remains { try check(remains, name) }
    }
    remains = []
  }

  private func lose() {
    for seed in [0] + (0..<randomLosses).map({ _ in random.next() | 1 }) {
      let left = Fixture(in: Disk.base)
      left.nest(Self.folder)
      #expect(throws: Never.self) { try disk.survivors(seed, into: left.root) }
      remains.append(Remains(fixture: left, acknowledged: dumps.count - 1, synced: synced, seed: seed))
    }
  }

  private func check(_ remains: Remains, _ step: String) throws {
    let place = Comment(rawValue: "step \(dumps.count - 1), \(step), what survives: seed \(remains.seed)")
    losses.all += 1
    let session = try remains.fixture.open()
    let dump = try session.dump()
    // The step under way may have come as far as its commit.
    let least = fixture.options.durability == .full ? remains.acknowledged : remains.synced
    #expect(dumps[least...].contains(dump), place)
    if !dumps[remains.acknowledged...].contains(dump) { losses.costly += 1 }
    #expect(try session.integrity() == [], place)
    #expect(try session.save("afterwards", #"{"values":{}}"#).changed, place)
  }
}
