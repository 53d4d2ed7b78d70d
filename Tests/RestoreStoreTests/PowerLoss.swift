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
    /// The same once more, for a second loss of power; nil: there is none.
    let again: Fixture?
  }

  private static let folder = "users/anna/state"

  /// Of so many losses one is followed by a second one, while the store is opened and first written to.
  private static let secondLossRate: UInt64 = isLong ? 8 : 40

  let fixture: Fixture
  let disk: Disk
  private var opened: Session?
  private var random: SeededGenerator
  private let randomLosses: Int
  private let isSecond: Bool
  /// What was stored after each step, the empty store first.
  private var dumps: [[String]] = []
  private var remains: [Remains] = []
  private var synced = 0
  /// Losses that were looked at, and those of them that took something acknowledged.
  ///
  /// `second`: those after which power was lost again.
  private(set) var losses = (all: 0, costly: 0, second: 0)

  var session: Session {
    get throws { try #require(opened) }
  }

  /// - Parameter randomLosses: at each moment, beside the loss of all that was not synced.
  convenience init(seed: UInt64, durability: StoreOptions.Durability, randomLosses: Int) throws {
    let fixture = Fixture(in: Disk.base)
    fixture.nest(Self.folder)
    fixture.options.durability = durability
    fixture.options.limits.turnLogOver(afterPages: 60)
    try self.init(fixture, [try Self.emptyDump()], SeededGenerator(seed: seed), randomLosses, isSecond: false)
  }

  /// - Parameter dumps: what the folder holds.
  private init(
    _ fixture: Fixture,
    _ dumps: [[String]],
    _ random: SeededGenerator,
    _ randomLosses: Int,
    isSecond: Bool
  ) throws {
    self.fixture = fixture
    self.dumps = dumps
    self.random = random
    self.randomLosses = randomLosses
    self.isSecond = isSecond
    disk = try Disk(fixture)
    disk.onSync = { [unowned self] after in
      if after && disk.unsyncedLog == 0 { synced = self.dumps.count - 1 }
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
      let isRepeated = !isSecond && random.next() % Self.secondLossRate == 0
      remains.append(
        Remains(
          fixture: survivors(seed),
          acknowledged: dumps.count - 1,
          synced: synced,
          seed: seed,
          again: isRepeated ? survivors(seed) : nil
        )
      )
    }
  }

  private func survivors(_ seed: UInt64) -> Fixture {
    let left = Fixture(in: Disk.base)
    left.nest(Self.folder)
    left.options.durability = fixture.options.durability
    #expect(throws: Never.self) { try disk.survivors(seed, into: left.root) }
    return left
  }

  private func check(_ remains: Remains, _ step: String) throws {
    let place = Comment(rawValue: "step \(dumps.count - 1), \(step), what survives: seed \(remains.seed)")
    losses.all += 1
    // The file of the lock, which the model knows nothing of, says how the log was written.
    if remains.acknowledged > 0 {
      try "1\ndatabase \(fixture.options.durability.rawValue)\n".write(
        toFile: remains.fixture.folder + "/restored.lock",
        atomically: true,
        encoding: .utf8
      )
    }
    let session = try remains.fixture.open()
    #expect(session.writer.recovery == nil, place)
    let dump = try session.dump()
    // The step under way may have come as far as its commit.
    let least = fixture.options.durability == .full ? remains.acknowledged : remains.synced
    #expect(dumps[least...].contains(dump), place)
    if !dumps[remains.acknowledged...].contains(dump) { losses.costly += 1 }
    #expect(try session.integrity() == [], place)
    #expect(try session.save("afterwards", #"{"values":{}}"#).changed, place)
    if let again = remains.again { try loseAgain(again, dump) }
  }

  /// Loses power at each sync of the start after a loss, and of the first save.
  private func loseAgain(_ fixture: Fixture, _ dump: [String]) throws {
    let second = try PowerLoss(fixture, [dump], random, 1, isSecond: true)
    try second.open()
    try second.step("first save") { try $0.save("second loss", #"{"values":{}}"#) }
    second.close()
    losses.second += second.losses.all
  }
}
