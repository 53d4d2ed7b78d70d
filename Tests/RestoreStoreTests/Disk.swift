import FaultVFS
import Foundation
import Testing

@testable import RestoreStore

/// A fixture's disk, which can fail and lose power.
///
/// All that SQLite does on this thread is on it, until the test lets go of it.
final class Disk {
  /// What can fail, as `FaultVFS.h` tells it.
  struct Calls: OptionSet, Sendable {
    let rawValue: Int
    static let opens = Self(rawValue: FAULT_OPEN)
    static let reads = Self(rawValue: FAULT_READ)
    static let writes = Self(rawValue: FAULT_WRITE)
    static let truncates = Self(rawValue: FAULT_TRUNCATE)
    static let syncs = Self(rawValue: FAULT_SYNC)
    static let deletes = Self(rawValue: FAULT_DELETE)
    static let maps = Self(rawValue: FAULT_SHM_MAP)
    static let locks = Self(rawValue: FAULT_LOCK)
    static let folders = Self(rawValue: FAULT_FOLDER)
    /// Those that bring something to the disk.
    static let changing: Self = [.opens, .writes, .truncates, .syncs, .deletes, .folders]
    /// Those that a read needs as well.
    static let sharing: Self = [.reads, .maps, .locks]
  }

  /// Where a test's folder is synced in no time: what is stable is known to the model alone.
  static let base =
    ProcessInfo.processInfo.environment["RESTORED_TEST_MEMORY"]
    ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory())

  /// The model, which may be asked from any thread: as long as there is a fixture, or a store, that asks it.
  private final class Handle: @unchecked Sendable {
    let disk: OpaquePointer
    init(_ disk: OpaquePointer) { self.disk = disk }
    deinit { fault_disk_free(disk) }
  }

  private let handle: Handle
  /// Called before (false) and after (true) each sync; must not call the store.
  var onSync: (Bool) -> Void = { _ in }

  /// Watches the fixture's folder, which is made, and has its stores ask this disk.
  convenience init(_ fixture: Fixture) throws {
    guard fault_vfs_install() == 0 else { throw Unexpected() }
    try FileManager.default.createDirectory(atPath: fixture.root, withIntermediateDirectories: true)
    self.init(fault_disk_new(fixture.root))
    enter(fixture)
  }

  private init(_ disk: OpaquePointer) { handle = Handle(disk) }

  deinit {
    fault_disk_leave(handle.disk)
    // An optimised build lets go of this after its last use; a store that closes later still syncs.
    fault_disk_at_sync(handle.disk, nil, nil)
  }

  private func enter(_ fixture: Fixture) {
    fault_disk_enter(handle.disk)
    fault_disk_at_sync(
      handle.disk,
      { context, after in Unmanaged<Disk>.fromOpaque(context!).takeUnretainedValue().onSync(after != 0) },
      Unmanaged.passUnretained(self).toOpaque()
    )
    fixture.options.hooks.folderCall = { [handle] call, path in
      switch call {
      case .makeFolder: fault_disk_make_folder(handle.disk, path)
      case .makeFile: fault_disk_make_file(handle.disk, path)
      case .syncFolder: fault_disk_sync_folder(handle.disk, path)
      // Of a recovery, which RecoveryFaultTests have fail by themselves.
      case .syncFile, .rename, .remove, .write: 0
      }
    }
  }

  /// Does something that is not on this disk.
  func away<Value>(_ body: () throws -> Value) rethrows -> Value {
    fault_disk_enter(nil)
    defer { fault_disk_enter(handle.disk) }
    return try body()
  }

  // MARK: Failing

  /// Has the `number`-th of these calls from now on fail, counted from 1, and with `forever` all after it.
  func fail(_ calls: Calls, _ number: Int, with error: Int32, forever: Bool = false) {
    fault_disk_fail(handle.disk, Int32(calls.rawValue), Int32(number), error, forever ? 1 : 0)
  }

  /// Ends that.
  ///
  /// - Returns: how many calls failed.
  @discardableResult
  func heal() -> Int {
    fault_disk_heal(handle.disk)
    return failures
  }

  /// How many calls have failed since `fail`.
  var failures: Int { Int(fault_disk_failures(handle.disk)) }

  /// Has a sync that fails sync all the same.
  func keepOnFailedSync() { fault_disk_failed_sync_keeps(handle.disk, 1) }

  // MARK: Losing power

  /// Writes what a loss of power now would leave into a folder that is made.
  ///
  /// - Parameter seed: 0: nothing that was not synced; else what of it is left.
  func survivors(_ seed: UInt64 = 0, into folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let number = fault_disk_survivors(handle.disk, folder, seed)
    if number != 0 { throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO) }
  }

  /// What is left when the process ends: another fixture's folder, and its disk.
  func killed(into fixture: Fixture) throws -> Disk {
    try FileManager.default.createDirectory(atPath: fixture.root, withIntermediateDirectories: true)
    guard let copy = fault_disk_killed(handle.disk, fixture.root) else { throw Unexpected() }
    let disk = Disk(copy)
    disk.enter(fixture)
    return disk
  }

  /// Bytes of the log that are written and not synced.
  var unsyncedLog: Int { Int(fault_disk_unsynced(handle.disk, "-wal")) }
}

extension Session {
  /// All that is stored, as it reads: scenes with every revision, kinds with every id, and the count of numbers.
  func dump() throws -> [String] {
    var lines = ["newest number \(try reader.newest(of: Fixture.uid))"]
    for closed in [false, true] {
      for scene in try reader.scenes(uid: Fixture.uid, app: nil, closed: closed) {
        lines.append("\(scene.app) \(scene.scene) closed \(closed) launches \(scene.unconfirmedLaunches)")
        app = scene.app
        for revision in try reader.revisions(uid: Fixture.uid, app: scene.app, scene: scene.scene) {
          let restored = try restore(scene.scene, revision: revision.revision)
          #expect(restored.faults == [])
          let marks = "\(revision.confirmed) \(revision.quarantined)"
          lines.append("  \(revision.revision) \(marks) \(String(decoding: restored.state, as: UTF8.self))")
        }
      }
    }
    for app in ["app", "other"] {
      self.app = app
      for kind in try reader.kinds(uid: Fixture.uid, app: app) {
        lines.append("\(app) \(kind.kind) \(kind.version ?? "-") \(try ids(kind.kind))")
      }
    }
    app = "app"
    return lines
  }

  /// What SQLite itself says of the database, by a connection of its own.
  func integrity() throws -> [String] { try Examination(folder: fixture.folder).problems }
}
