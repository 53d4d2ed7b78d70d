import SceneModel

/// Lists and counts.
extension StoreReader {
  /// Ids in a page of which the caller names no limit, and at most.
  package static let defaultPage = 1_000
  package static let largestPage = 10_000
  /// Bytes of ids after which a page ends, so that a reply stays within what a message may be.
  static let pageBytes = 1 << 20

  /// Lists the open scenes, or the closed ones, last saved first.
  ///
  /// - Parameter app: nil: those of all the user's apps. An app there is not has none.
  package func scenes(uid: UInt32, app: String?, closed: Bool) throws(StoreError) -> [SceneSummary] {
    try reading { () throws(SQLiteError) in
      try statements.scenes.bind(Int(uid), closed, app)
      return try statements.scenes.all { row in
        SceneSummary(
          app: row.text(0),
          scene: row.text(1),
          revision: row.integer(2),
          savedAt: row.integer(3),
          size: row.integer(4),
          selectedTab: row.optionalText(5),
          routes: row.integer(6),
          closedAt: row.optionalInteger(7),
          unconfirmedLaunches: row.integer(8)
        )
      }
    }
  }

  /// Lists a scene's revisions, newest first.
  ///
  /// - Throws: `sceneNotFound`; what SQLite reports.
  package func revisions(uid: UInt32, app: String, scene: String) throws(StoreError) -> [RevisionSummary] {
    let found = try reading { () throws(SQLiteError) -> [RevisionSummary]? in
      guard let key = try self.scene(uid, app, scene) else { return nil }
      let first = key * SceneHead.slotsPerScene
      try statements.revisions.bind(first, first + SceneHead.slotsPerScene - 1, key)
      return try statements.revisions.all { row in
        RevisionSummary(
          revision: row.integer(0),
          savedAt: row.integer(1),
          size: row.integer(2),
          routes: row.integer(3),
          selectedTab: row.optionalText(4),
          confirmed: row.bool(5),
          quarantined: row.bool(6)
        )
      }
    }
    guard let found else { throw .noScene(app, scene) }
    return found
  }

  /// Lists the declared kinds by name.
  ///
  /// An app there is not has none.
  package func kinds(uid: UInt32, app: String) throws(StoreError) -> [KindSummary] {
    try reading { () throws(SQLiteError) in
      guard let key = try self.app(uid, app) else { return [] }
      try statements.kinds.bind(key)
      return try statements.kinds.all { row in
        KindSummary(
          kind: row.text(1),
          count: row.integer(2),
          version: row.optionalText(3),
          syncing: syncing.contains(Int64(row.integer(0)))
        )
      }
    }
  }

  /// Lists ids of a kind, which need not be declared: those that are no UUIDs first, by their bytes, then the
  /// UUIDs.
  ///
  /// A kind there is not has none.
  ///
  /// - Parameters:
  ///   - after: the `next` of the page before; nil: from the first. An id that is not there will do.
  ///   - limit: ids in the page, 1 to `largestPage`; nil: `defaultPage`. What is beyond is brought
  ///     into the range. A page also ends after 1 MiB of ids.
  package func entities(
    uid: UInt32,
    app: String,
    kind: String,
    after: String?,
    limit: Int?
  ) throws(StoreError) -> EntityPage {
    let limit = min(max(limit ?? Self.defaultPage, 1), Self.largestPage)
    return try reading { () throws(SQLiteError) in
      guard let app = try self.app(uid, app) else { return EntityPage(ids: [], next: nil) }
      try statements.kind.bind(app, kind)
      guard let key = try statements.kind.first({ $0.integer(0) }) else { return EntityPage(ids: [], next: nil) }
      guard let after, let id = EntityID(after) else {
        try statements.firstEntities.bind(key)
        return try page(statements.firstEntities, limit)
      }
      try statements.nextEntities.bind(key, id)
      return try page(statements.nextEntities, limit)
    }
  }

  /// The ids of the rows, until there are `limit`, or `maximum` bytes of them.
  func page(
    _ rows: borrowing Statement,
    _ limit: Int,
    bytes maximum: Int = pageBytes
  ) throws(SQLiteError) -> EntityPage {
    defer { rows.reset() }
    var ids: [String] = []
    var bytes = 0
    while try rows.step() {
      if ids.count == limit || bytes >= maximum { return EntityPage(ids: ids, next: ids.last) }
      let id = rows.entityID(0).description
      bytes += id.utf8.count
      ids.append(id)
    }
    return EntityPage(ids: ids, next: nil)
  }

  /// Counts what a user has.
  ///
  /// - Parameters:
  ///   - uid: nil: totals over all users.
  ///   - problems: those of the writer, which are passed on; what was set aside is added.
  package func status(uid: UInt32?, problems: [String]) throws(StoreError) -> StoreStatus {
    try reading { () throws(SQLiteError) in
      let user = if let uid { try counts(of: uid) } else { try totals() }
      return StoreStatus(
        scenes: user.scenes,
        entities: user.entities,
        revision: user.revision,
        lastSaveAt: user.savedAt,
        databaseBytes: SystemCalls.size(path),
        walBytes: SystemCalls.size(path + "-wal"),
        usedBytes: user.bytes,
        problems: problems + SetAside.all(path).map(\.problem)
      )
    }
  }

  private typealias Counts = (scenes: Int, entities: Int, revision: Int, savedAt: Int?, bytes: Int)

  private func counts(of uid: UInt32) throws(SQLiteError) -> Counts {
    try statements.userStatus.bind(Int(uid))
    let user = try statements.userStatus.first { ($0.integer(0), $0.optionalInteger(1), $0.integer(2)) }
    try statements.sceneCount.bind(Int(uid))
    let scenes = try statements.sceneCount.first { $0.integer(0) } ?? 0
    try statements.entityCount.bind(Int(uid))
    let entities = try statements.entityCount.first { $0.integer(0) } ?? 0
    return (scenes, entities, user?.0 ?? 0, user?.1, user?.2 ?? 0)
  }

  private func totals() throws(SQLiteError) -> Counts {
    let all = try statements.totalStatus.first { ($0.integer(0), $0.optionalInteger(1), $0.integer(2)) }
    let scenes = try statements.totalScenes.first { $0.integer(0) } ?? 0
    let entities = try statements.totalEntities.first { $0.integer(0) } ?? 0
    return (scenes, entities, all?.0 ?? 0, all?.1, all?.2 ?? 0)
  }
}
