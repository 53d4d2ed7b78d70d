import SceneModel

/// Walking through all that a user owns.
extension StoreReader {
  /// Ids and bytes of ids in one record.
  private static let idsInRecord = 10_000
  private static let idBytesInRecord = 64 << 10
  /// Scenes that are put in order in one step.
  private static let scenesInStep = 64

  /// Takes a walk one step further; to be called until the walk is done.
  ///
  /// A step is one short read: of a state, of some ids, or of where some scenes are. Other steps may see a later
  /// moment, so what changes meanwhile is given as it was, or as it became: each record whole, of each scene that was
  /// there all the time the state that was its newest when the walk came to it, or a newer one, and each id that was
  /// there all the time.
  ///
  /// - Returns: a record; nil: this step had none.
  /// - Throws: what SQLite reports; the walk is where it was, and may go on.
  package func advance(_ walk: inout RecordWalk) throws(StoreError) -> StoredRecord? {
    var ahead = walk
    let record = try reading { () throws(SQLiteError) in try step(&ahead) }
    walk = ahead
    return record
  }

  private func step(_ walk: inout RecordWalk) throws(SQLiteError) -> StoredRecord? {
    switch walk.stage {
    case .nextApp: return try findApp(&walk)
    case .routes:
      walk.stage = .nextKind(after: "")
      let routes = try routes(walk.uid, walk.app.name)
      if let fault = routes.fault { walk.faults.append(fault) }
      return routes.table.map { .routes(app: walk.app.name, bytes: $0.bytes) }
    case .nextKind(let name): return try isThere(&walk) ? findKind(&walk, after: name) : nil
    case .ids(let place): return try ids(&walk, place)
    case .ordering(let name): return try isThere(&walk) ? order(&walk, after: name) : nil
    case .nextScene: return try findScene(&walk)
    case .revisions(let place): return try revision(&walk, place)
    case .done: return nil
    }
  }

  private func findApp(_ walk: inout RecordWalk) throws(SQLiteError) -> StoredRecord? {
    let found: (key: Int, name: String)?
    if let only = walk.onlyApp {
      found = walk.app.name.isEmpty ? try app(walk.uid, only).map { ($0, only) } : nil
    } else {
      try statements.nextApp.bind(Int(walk.uid), walk.app.name)
      found = try statements.nextApp.first { ($0.integer(0), $0.text(1)) }
    }
    guard let found else {
      walk.stage = .done
      return nil
    }
    walk.app = found
    walk.stage = .routes
    return nil
  }

  /// Whether the app still has its key, which may be another's once the app is gone; else the walk goes on to the next.
  ///
  /// Keys of kinds and scenes are never given twice.
  private func isThere(_ walk: inout RecordWalk) throws(SQLiteError) -> Bool {
    if try app(walk.uid, walk.app.name) == walk.app.key { return true }
    walk.stage = .nextApp
    return false
  }

  // MARK: Kinds

  private func findKind(_ walk: inout RecordWalk, after name: String) throws(SQLiteError) -> StoredRecord? {
    try statements.nextKind.bind(walk.app.key, name)
    let kind = try statements.nextKind.first {
      RecordWalk.KindPlace(key: $0.integer(0), name: $0.text(1), revision: $0.integer(2))
    }
    walk.stage = kind.map { .ids($0) } ?? .ordering(after: "")
    return nil
  }

  private func ids(_ walk: inout RecordWalk, _ place: RecordWalk.KindPlace) throws(SQLiteError) -> StoredRecord? {
    try statements.kindNow.bind(place.key)
    let now = try statements.kindNow.first { (revision: $0.integer(0), version: $0.optionalText(1)) }
    walk.stage = .nextKind(after: place.name)
    // Forgotten meanwhile.
    guard let now else { return nil }
    let page: EntityPage
    if let after = place.after {
      try statements.nextEntities.bind(place.key, after)
      page = try self.page(statements.nextEntities, Self.idsInRecord, bytes: Self.idBytesInRecord)
    } else {
      try statements.firstEntities.bind(place.key)
      page = try self.page(statements.firstEntities, Self.idsInRecord, bytes: Self.idBytesInRecord)
    }
    var version: String?
    if let next = page.next {
      var place = place
      place.after = EntityID(next)
      walk.stage = .ids(place)
    } else if now.revision == place.revision, !syncing.contains(Int64(place.key)) {
      // Else the ids that were given are of no one model.
      version = now.version
    }
    return .entities(app: walk.app.name, kind: place.name, version: version, ids: page.ids)
  }

  // MARK: Scenes

  private func order(_ walk: inout RecordWalk, after name: String) throws(SQLiteError) -> StoredRecord? {
    try statements.sceneOrder.bind(walk.app.key, name, Self.scenesInStep)
    let found = try statements.sceneOrder.all { (name: $0.text(0), order: $0.integer(2), key: $0.integer(1)) }
    walk.scenes += found.map { ($0.order, $0.key) }
    if found.count == Self.scenesInStep, let last = found.last {
      walk.stage = .ordering(after: last.name)
    } else {
      walk.scenes.sort { $0.order > $1.order }
      walk.stage = .nextScene
    }
    return nil
  }

  private func findScene(_ walk: inout RecordWalk) throws(SQLiteError) -> StoredRecord? {
    guard let scene = walk.scenes.popLast() else {
      walk.stage = .nextApp
      return nil
    }
    let rows = Self.rows(of: scene.key)
    try statements.newestRevision.bind(rows.lowerBound, rows.upperBound)
    // None: forgotten meanwhile.
    if let newest = try statements.newestRevision.first({ $0.optionalInteger(0) }) ?? nil {
      walk.stage = .revisions(RecordWalk.ScenePlace(key: scene.key, newest: newest))
    }
    return nil
  }

  private func revision(
    _ walk: inout RecordWalk,
    _ place: RecordWalk.ScenePlace
  ) throws(SQLiteError) -> StoredRecord? {
    var place = place
    walk.stage = .nextScene
    try statements.sceneNow.bind(place.key)
    let scene = try statements.sceneNow.first { (name: $0.text(0), closedAt: $0.optionalInteger(1)) }
    let rows = Self.rows(of: place.key)
    try statements.nextRevision.bind(rows.lowerBound, rows.upperBound, place.last)
    let next = try statements.nextRevision.first { (row: $0.integer(0), revision: $0.integer(1)) }
    guard let scene, let next else { return nil }
    let stored = try stored(next.row, next.revision)
    let isFirst = !place.hasBegun
    place.last = next.revision
    place.hasBegun = place.hasBegun || stored != nil
    if next.revision < place.newest { walk.stage = .revisions(place) }
    guard let stored else {
      walk.faults.append(StoreError.leftOut(walk.app.name, scene.name, next.revision, in: path))
      return nil
    }
    try statements.isConfirmed.bind(place.key, next.revision)
    return .state(
      app: walk.app.name,
      scene: scene.name,
      first: isFirst,
      savedAt: stored.savedAt,
      closedAt: scene.closedAt,
      confirmed: try statements.isConfirmed.first { $0.bool(0) } ?? false,
      bytes: stored.bytes
    )
  }

  /// The rows that may be a scene's.
  static func rows(of scene: Int) -> ClosedRange<Int> {
    scene * SceneHead.slotsPerScene...scene * SceneHead.slotsPerScene + SceneHead.slotsPerScene - 1
  }
}

extension StoreError {
  /// What is said of a damaged revision that an export leaves out.
  fileprivate static func leftOut(_ app: String, _ scene: String, _ revision: Int, in path: String) -> String {
    "revision \(revision) of scene \(scene) of app \(app) is damaged in \(path), and was left out of an export: "
      + "look into the disk, and save the scene again"
  }
}
