import Foundation
import SceneModel
import Synchronization
import Testing

@testable import RestoreStore

/// A folder of its own, removed at the end of the test, with a clock that the test turns.
final class Fixture {
  /// Time that stands still until it is told to go on.
  final class Clock: Sendable {
    let wall = Mutex(1_700_000_000_000)
    let steady = Mutex(0)

    func pass(milliseconds: Int) {
      wall.withLock { $0 += milliseconds }
      steady.withLock { $0 += milliseconds }
    }
  }

  static let uid: UInt32 = 1000

  let root: String
  private(set) var folder: String
  let clock = Clock()
  var options = StoreOptions()

  /// - Parameter base: where the folder is to be; nil: where temporary files are.
  init(in base: String? = nil) {
    root = (base ?? FileManager.default.temporaryDirectory.path) + "/store-\(UUID().uuidString)"
    folder = root
    let clock = clock
    options.clock = StoreClock(wall: { clock.wall.withLock { $0 } }, steady: { clock.steady.withLock { $0 } })
    options.limits.busyMilliseconds = 50
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Uses a folder deeper down.
  func nest(_ path: String) { folder = root + "/" + path }

  var database: String { folder + "/restored.sqlite3" }

  func open() throws -> Session { try Session(self) }
}

extension Session {
  /// The log's file.
  var log: URL { URL(fileURLWithPath: fixture.database + "-wal") }
}

/// A writer and a reader on a fixture's folder, used as a daemon does: changes are applied before anyone is answered.
final class Session {
  let fixture: Fixture
  var writer: StoreWriter
  var reader: StoreReader
  var app = "app"
  var changes: [StoreChange] = []

  init(_ fixture: Fixture) throws {
    self.fixture = fixture
    writer = try StoreWriter(folder: fixture.folder, options: fixture.options)
    reader = try StoreReader(folder: fixture.folder, options: fixture.options)
  }

  func command(_ action: WriteCommand.Action) -> WriteCommand {
    WriteCommand(uid: Fixture.uid, app: app, action)
  }

  @discardableResult
  func perform(_ actions: WriteCommand.Action...) -> [WriteResult] {
    let results = writer.perform(actions.map(command))
    for result in results { apply(result.changes) }
    return results
  }

  func outcome(_ action: WriteCommand.Action) throws -> WriteOutcome {
    try perform(action)[0].outcome.get()
  }

  func apply(_ changes: [StoreChange]) {
    self.changes += changes
    reader.apply(changes)
  }

  @discardableResult
  func maintain(hurried: Bool = false) -> Maintenance {
    let done = writer.maintain(hurried: hurried)
    apply(done.changes)
    return done
  }

  // MARK: In short

  @discardableResult
  func save(
    _ scene: String,
    _ state: String,
    ifRevision: Int? = nil,
    autosave: Bool = false
  ) throws -> SaveOutcome {
    guard case .saved(let outcome) = try outcome(saving(scene, state, ifRevision: ifRevision, autosave: autosave))
    else { throw Unexpected() }
    return outcome
  }

  func saving(
    _ scene: String,
    _ state: String,
    ifRevision: Int? = nil,
    autosave: Bool = false
  ) throws -> WriteCommand.Action {
    .save(
      scene: scene,
      state: StateContent(try SceneState(validating: Array(state.utf8))),
      ifRevision: ifRevision,
      autosave: autosave
    )
  }

  func restore(_ scene: String, revision: Int? = nil, stale: StalePolicy? = nil) throws -> RestoredScene {
    try reader.restore(
      RestoreRequest(uid: Fixture.uid, app: app, scene: scene, revision: revision, stale: stale)
    )
  }

  func text(_ scene: String, revision: Int? = nil) throws -> String {
    String(decoding: try restore(scene, revision: revision).state, as: UTF8.self)
  }

  func revisions(_ scene: String) throws -> [Int] {
    try reader.revisions(uid: Fixture.uid, app: app, scene: scene).map(\.revision)
  }

  @discardableResult
  func put(_ kind: String, _ ids: [String], sync: String? = nil, version: String? = nil) throws -> Int {
    let ids = ids.compactMap { EntityID($0) }
    guard case .put(let added) = try outcome(.putEntities(kind: kind, ids: ids, sync: sync, version: version))
    else { throw Unexpected() }
    return added
  }

  @discardableResult
  func delete(_ kind: String, _ ids: [String]) throws -> Int {
    let ids = ids.compactMap { EntityID($0) }
    guard case .deleted(let count) = try outcome(.deleteEntities(kind: kind, ids: ids, version: nil)) else {
      throw Unexpected()
    }
    return count
  }

  func beginSync(_ kind: String) throws -> String {
    guard case .syncBegan(let sync) = try outcome(.beginSync(kind: kind)) else { throw Unexpected() }
    return sync
  }

  @discardableResult
  func endSync(_ sync: String, version: String? = nil) throws -> SyncOutcome {
    guard case .syncEnded(let outcome) = try outcome(.endSync(sync: sync, version: version)) else {
      throw Unexpected()
    }
    return outcome
  }

  func ids(_ kind: String) throws -> [String] {
    try reader.entities(uid: Fixture.uid, app: app, kind: kind, after: nil, limit: nil).ids
  }

  func kind(_ name: String) throws -> KindSummary? {
    try reader.kinds(uid: Fixture.uid, app: app).first { $0.kind == name }
  }
}

struct Unexpected: Error {}

/// The code of the `StoreError` that `body` throws; nil: it throws none.
func code(_ body: () throws -> Void) -> StoreError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StoreError)?.code
  }
}
