import SceneModel

/// Reads over a connection of its own, beside the writer's.
///
/// Confined to one thread.
///
/// Its caches are right as long as every change of the writer's is applied (`apply`) before its
/// caller is answered. It changes nothing.
package final class StoreReader {
  /// Scenes whose newest slot is remembered, and apps whose kinds are.
  private static let cached = 1024
  /// Bytes of the kinds, and of the route tables, that are remembered.
  private static let cachedBytes = 4 << 20

  /// Where a scene is.
  struct Place {
    let scene: Int
    /// The row of the newest revision.
    let row: Int
    let newest: Int
    let savedAt: Int
  }

  struct SceneName: Hashable {
    let uid: UInt32
    let app: ExactName
    let scene: ExactName
  }

  struct AppName: Hashable {
    let uid: UInt32
    let app: ExactName
  }

  let path: String
  let clock: StoreClock
  let connection: Connection
  let statements: ReadStatements
  private var transaction: Transaction?
  private var isInBatch = false
  private var places = BoundedCache<SceneName, Place>(bound: cached)
  private var kinds = SizedCache<AppName, DeclaredKinds>(bound: cached, maximumBytes: cachedBytes) { $0.bytes }
  /// Parsed, a table takes several times its bytes.
  var tables = SizedCache<AppName, AppRoutes>(bound: cached, maximumBytes: cachedBytes) { $0.table?.bytes.count ?? 0 }
  /// Called where a read meets damage in the database's structure, before it throws.
  package var onDamage: (StoreError) -> Void = { _ in }
  /// Kinds of which a sync runs, as far as the changes that were applied tell.
  private(set) var syncing: Set<Int64> = []

  /// Opens the database of a `StoreWriter` that is open on the same folder.
  ///
  /// - Throws: `folderUnusable`, `damaged`, `storageFailed`.
  package init(folder: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    path = try DatabaseFolder.databasePath(in: folder)
    clock = options.clock
    connection = try Database.openForReading(path, options)
    do throws(SQLiteError) {
      // In KiB; a million entities and the states that refer to them. With the default of 2 MB a page is read for nearly
      // each reference. It is filled by what is read, and emptied by each commit.
      try connection.execute("PRAGMA cache_size = -20000")
      statements = try ReadStatements(connection)
    } catch {
      throw StoreError(opening: error, path)
    }
    transaction = nil
  }

  // MARK: Batches

  /// From here to `endBatch`, or to the next `apply`, all reads see one moment, which the first of them chooses.
  ///
  /// To be ended before waiting for anything: an open read transaction keeps the WAL from being emptied.
  package func beginBatch() { isInBatch = true }

  /// Ends the read transaction, if a read has begun one.
  package func endBatch() {
    isInBatch = false
    transaction = nil
  }

  /// Drops what the changes made stale, and ends the read transaction, so that the next read sees them.
  package func apply(_ changes: [StoreChange]) {
    if changes.isEmpty { return }
    transaction = nil
    for change in changes {
      switch change.subject {
      case .scene(let scene):
        forget(change.uid, change.app, scene)
      case .kind(_, let key):
        note(change, key)
      case .routes: tables.remove(AppName(uid: change.uid, app: ExactName(change.app)))
      }
    }
  }

  private func note(_ change: StoreChange, _ key: Int64) {
    let isSyncing =
      switch change.type {
      case .entitiesChanged(_, let syncing), .syncing(let syncing): syncing
      default: false
      }
    if isSyncing { syncing.insert(key) } else { syncing.remove(key) }
    switch change.type {
    case .entitiesChanged(declared: false, _), .syncing: break
    default: kinds.remove(AppName(uid: change.uid, app: ExactName(change.app)))
    }
  }

  /// Carries out a read in the batch's transaction, or in one of its own.
  func reading<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
    do throws(SQLiteError) {
      if transaction == nil { transaction = try Transaction(.reading, on: connection) }
      defer { if !isInBatch { transaction = nil } }
      return try body()
    } catch {
      transaction = nil
      let failure = StoreError(error, path)
      if failure.code == .damaged { onDamage(failure) }
      throw failure
    }
  }

  // MARK: Finding

  /// The app's key; nil: there is none.
  func app(_ uid: UInt32, _ name: String) throws(SQLiteError) -> Int? {
    try statements.app.bind(Int(uid), name)
    return try statements.app.first { $0.integer(0) }
  }

  /// The scene's key; nil: there is none.
  func scene(_ uid: UInt32, _ app: String, _ scene: String) throws(SQLiteError) -> Int? {
    guard let app = try self.app(uid, app) else { return nil }
    try statements.scene.bind(app, scene)
    return try statements.scene.first { $0.integer(0) }
  }

  /// Where the scene's newest revision is; nil: there is no such scene.
  func place(_ uid: UInt32, _ app: String, _ scene: String) throws(SQLiteError) -> Place? {
    let name = SceneName(uid: uid, app: ExactName(app), scene: ExactName(scene))
    if let place = places.value(for: name) { return place }
    try statements.place.bind(Int(uid), app, scene)
    let found = try statements.place.first { row -> Place? in
      guard let scene = row.optionalInteger(0) else { return nil }
      return Place(scene: scene, row: row.integer(1), newest: row.integer(2), savedAt: row.integer(3))
    }
    guard let place = found ?? nil else { return nil }
    for number in [place.scene, place.row, place.newest, place.savedAt] where !StoredNumber.isValid(number) {
      throw StoredNumber.fault
    }
    places.set(place, for: name)
    return place
  }

  /// Forgets where a scene is, so that it is looked up anew.
  func forget(_ uid: UInt32, _ app: String, _ scene: String) {
    places.remove(SceneName(uid: uid, app: ExactName(app), scene: ExactName(scene)))
  }

  /// A scene's revisions, newest first.
  func revisions(of scene: Int) throws(SQLiteError) -> [(row: Int, revision: Int, savedAt: Int)] {
    let first = scene * SceneHead.slotsPerScene
    try statements.heads.bind(first, first + SceneHead.slotsPerScene - 1)
    return try statements.heads.all { (row: $0.integer(0), revision: $0.integer(1), savedAt: $0.integer(2)) }
      .sorted { $0.revision > $1.revision }
  }

  /// The app's declared kinds.
  func declaredKinds(_ uid: UInt32, _ app: String) throws(SQLiteError) -> DeclaredKinds {
    let name = AppName(uid: uid, app: ExactName(app))
    if let found = kinds.value(for: name) { return found }
    var rows: [(key: Int64, name: String)] = []
    if let key = try self.app(uid, app) {
      try statements.declaredKinds.bind(key)
      rows = try statements.declaredKinds.all { (key: Int64($0.integer(0)), name: $0.text(1)) }
    }
    let found = DeclaredKinds(rows)
    kinds.set(found, for: name)
    return found
  }
}
