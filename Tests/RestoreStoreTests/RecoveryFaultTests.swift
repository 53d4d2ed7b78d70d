import Foundation
import Synchronization
import Testing

@testable import RestoreStore

/// A recovery on a disk that fails at each of its steps in turn, or whose process ends there.
@Suite("Whatever fails in a recovery, the damaged files or the new database are there, and the next start has all")
struct RecoveryFaultTests {
  /// What is damaged.
  private enum Damage: String, CaseIterable {
    /// A page of the log, which is as a crash leaves it.
    case log
    /// The header, which SQLite would refuse.
    case header
    /// A file that is somebody else's.
    case foreign
  }

  /// A store's files with damage, what they are byte for byte, and the states that a recovery on a sound disk gives.
  private struct Case {
    let store: RichStore
    var before: [String: Data] = [:]
    var states: [RichStore.Inventory.Key: String] = [:]

    init(_ damage: Damage) throws {
      store = try RichStore(scenes: 4, closes: damage == .header)
      for file in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: store.fixture.database + file) {
        before[file] = try store.bytes(file)
      }
      switch damage {
      case .log: before["-wal"]?[60_000] ^= 1
      case .header: before[""]?.replaceSubrange(0..<100, with: Data(count: 100))
      case .foreign: before = ["": Data("somebody's notes".utf8)]
      }
      try putBack()
      states = try RichStore.Inventory(try store.fixture.open()).states
      #expect(damage == .foreign || states.count > 10)
    }

    /// The damaged files, and nothing else.
    func putBack() throws {
      try store.clear()
      for (file, bytes) in before { try store.write(bytes, file) }
    }

    /// That each damaged file is where it was, or where it is kept, as it was.
    func expectKept(_ comment: Comment) throws {
      let places = [store.fixture.database] + SetAside.all(store.fixture.database).map(\.path)
      for (file, bytes) in before {
        let found = places.contains { (try? Data(contentsOf: URL(fileURLWithPath: $0 + file))) == bytes }
        #expect(found, "\(comment): \(file)")
      }
    }

    /// That a start on a sound disk has all that there was to be had, once.
    func expectNextStart(_ comment: Comment) throws {
      let session = try store.fixture.open()
      #expect(try RichStore.Inventory(session).states == states, comment)
      if !states.isEmpty { try store.expectSound(session, comment) }
      try expectKept("\(comment), after the next start")
      let names = try FileManager.default.contentsOfDirectory(atPath: store.fixture.folder)
      #expect(names.filter { $0.contains(".building") || $0.contains(".recovered-") } == [], comment)
      #expect(SetAside.all(store.fixture.database).count == 1, "\(comment): \(names)")
    }
  }

  @Test(
    "each call for the folder and its files fails, once or from there on, with each error",
    arguments: zip([EIO, EIO, ENOSPC, EROFS, EACCES], [false, true, false, true, true])
  )
  func calls(error: Int32, forever: Bool) throws {
    for damage in Damage.allCases {
      var last = 0
      let tried = try Case(damage)
      var failed = false
      repeat {
        last += 1
        try tried.putBack()
        failed = try start(tried, failingAt: last, error, forever, "\(damage), call \(last)")
      } while failed
      #expect(last > 6, "\(damage): a recovery has more calls than \(last)")
    }
  }

  /// Starts once with a call failing, and once without.
  ///
  /// - Returns: whether a call failed.
  private func start(
    _ tried: Case,
    failingAt last: Int,
    _ error: Int32,
    _ forever: Bool,
    _ comment: Comment
  ) throws -> Bool {
    let calls = Mutex(0)
    let fixture = tried.store.fixture
    fixture.options.hooks.folderCall = { _, _ in
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      return number == last || forever && number > last ? error : 0
    }
    do {
      let session = try fixture.open()
      #expect(try RichStore.Inventory(session).states == tried.states, comment)
    } catch let failure as StoreError {
      let codes: [StoreError.Code] =
        switch error {
        case ENOSPC: [.storageFull]
        case EROFS: [.unsuitableDisk]
        case EACCES: [.folderUnusable]
        default: [.storageFailed, .damaged]
        }
      #expect(codes.contains(failure.code), "\(comment): \(failure)")
      #expect(failure.remedy?.isEmpty == false, comment)
    }
    fixture.options.hooks.folderCall = nil
    try tried.expectKept(comment)
    try tried.expectNextStart(comment)
    return calls.withLock { $0 } >= last
  }

  @Test("the process ends before each of those calls")
  func ended() throws {
    for damage in Damage.allCases {
      let tried = try Case(damage)
      try tried.putBack()
      let folder = tried.store.fixture.folder
      let copies = Mutex<[String]>([])
      tried.store.fixture.options.hooks.folderCall = { _, _ in
        let copy = copies.withLock { copies in
          copies.append("\(folder)-ended-\(copies.count)")
          return copies[copies.count - 1]
        }
        try? FileManager.default.copyItem(atPath: folder, toPath: copy)
        return 0
      }
      _ = try tried.store.fixture.open()
      tried.store.fixture.options.hooks.folderCall = nil
      let ended = copies.withLock { $0 }
      #expect(ended.count > 5, "\(damage)")
      for (number, copy) in ended.enumerated() {
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: copy, toPath: folder)
        try tried.expectKept("\(damage), ended before call \(number + 1)")
        try tried.expectNextStart("\(damage), ended before call \(number + 1)")
      }
    }
  }

  @Test("each call of SQLite's to the disk fails", arguments: [EIO, ENOSPC])
  func sqlite(error: Int32) throws {
    let tried = try Case(.header)
    var number = 0
    var failures = 0
    repeat {
      number += 1
      try tried.putBack()
      let disk = try Disk(tried.store.fixture)
      tried.store.fixture.options.hooks.folderCall = nil
      // A recovery has hundreds, one like the other.
      disk.fail(.changing, isLong ? number : number * number, with: error, forever: number % 2 == 0)
      do { _ = try tried.store.fixture.open() } catch let failure as StoreError {
        #expect([.damaged, .storageFull, .storageFailed].contains(failure.code), "call \(number): \(failure)")
      }
      failures = disk.heal()
      try tried.expectKept("call \(number)")
      try tried.expectNextStart("call \(number)")
    } while failures > 0
    #expect(number > 3)
  }

  @Test("a recovery that was given up does not come back over what was saved after it")
  func givenUp() throws {
    final class Faults: Sendable {
      let isFailing = Mutex(false)
      let hasMoved = Mutex(false)
    }
    let faults = Faults()
    let fixture = Fixture()
    fixture.options.hooks.folderCall = { call, path in
      guard faults.isFailing.withLock({ $0 }) else { return 0 }
      if call == .rename { faults.hasMoved.withLock { $0 = true } }
      // The sync after the new database has its name, and the removal that is to take that back.
      let isSync = call == .syncFolder && faults.hasMoved.withLock { $0 }
      return isSync || call == .remove && path.contains(".recovered-") ? EIO : 0
    }
    do {
      let session = try fixture.open()
      try session.save("main", #"{"values":{"n":1}}"#)
      faults.isFailing.withLock { $0 = true }
      #expect(throws: StoreError.self) { _ = try session.writer.replacement("is damaged") }
      #expect(code { try session.save("main", #"{"values":{"n":2}}"#) } == .storageFailed, "it may still come back")
      faults.isFailing.withLock { $0 = false }
      try session.save("main", #"{"values":{"n":3}}"#)
    }
    let next = try fixture.open()
    #expect(next.writer.recovery == nil)
    #expect(try next.text("main") == #"{"values":{"n":3}}"#)
  }
}
