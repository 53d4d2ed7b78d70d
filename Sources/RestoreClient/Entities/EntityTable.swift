import RestoreInterface

/// What exists of one kind, as the app says it.
///
/// From a kind's first `put` or ended `sync` on, routes that refer to an entity of it that is not there are left out of
/// restores, and come back when the entity does.
public struct EntityTable: Sendable {
  /// The client that it belongs to.
  public let client: SceneClient
  /// The kind.
  public let kind: EntityKind

  var caller: Caller { client.caller }

  /// Says that these exist; declares the kind, also with none.
  ///
  /// The sequence is gone through once, on the caller's actor, and sent in portions that one call takes; saying it again
  /// changes nothing more.
  ///
  /// - Parameters:
  ///   - ids: the entities.
  ///   - version: the app's own mark of its model, kept with the last portion; nil: the kind's stays as it is.
  /// - Throws: as every call; earlier portions are in the table then.
  public nonisolated(nonsending) func put<IDs: Sequence>(
    _ ids: IDs,
    version: String? = nil
  ) async throws(RestoreError) where IDs.Element: EntityIdentifier {
    var portions = IDPortions(ids)
    repeat {
      let portion = portions.next()
      try await put(portion, sync: nil, version: portions.isAtEnd ? version : nil)
    } while !portions.isAtEnd
  }

  /// Says that one more exists.
  ///
  /// - Throws: as every call.
  public func put(_ id: some EntityIdentifier, version: String? = nil) async throws(RestoreError) {
    try await put([id.entityText], sync: nil, version: version)
  }

  /// Says that these no longer exist; as `put`.
  public nonisolated(nonsending) func delete<IDs: Sequence>(
    _ ids: IDs,
    version: String? = nil
  ) async throws(RestoreError) where IDs.Element: EntityIdentifier {
    var portions = IDPortions(ids)
    repeat {
      let portion = portions.next()
      try await delete(portion, version: portions.isAtEnd ? version : nil)
    } while !portions.isAtEnd
  }

  /// Says that one no longer exists.
  ///
  /// - Throws: as every call.
  public func delete(_ id: some EntityIdentifier, version: String? = nil) async throws(RestoreError) {
    try await delete([id.entityText], version: version)
  }

  /// Lists all ids, UUIDs in lower case, in an order that stays.
  ///
  /// - Throws: as every call.
  public func list() async throws(RestoreError) -> [String] {
    var ids: [String] = []
    var after: String?
    repeat {
      let page = ListEntities.Parameters(
        app: client.app,
        kind: kind.name,
        after: after,
        limit: RestoredInterface.maximumIDs
      )
      let reply = try await caller.call(ListEntities.self, page)
      ids += reply.ids
      after = reply.next
    } while after != nil
    client.lists.set(.entities(kind: Array(kind.name.utf8)), ids)
    return ids
  }

  /// What is known of the kind; nil: it is not declared.
  ///
  /// Where `version` is equal to the app's own at a start, no sync is needed.
  ///
  /// - Throws: as every call.
  public func info() async throws(RestoreError) -> KindInfo? {
    try await client.kinds().first { $0.kind.name.utf8.elementsEqual(kind.name.utf8) }
  }

  /// Erases the kind and its entities: it is no longer declared, and routes to it are no longer checked.
  ///
  /// - Throws: as every call.
  public func forget() async throws(RestoreError) {
    _ = try await caller.call(ForgetKind.self, .init(app: client.app, kind: kind.name))
  }

  // MARK: Portions

  func put(_ ids: [String], sync: String?, version: String?) async throws(RestoreError) {
    let parameters = PutEntities.Parameters(app: client.app, kind: kind.name, ids: ids, sync: sync, version: version)
    _ = try await caller.call(PutEntities.self, parameters)
  }

  private func delete(_ ids: [String], version: String?) async throws(RestoreError) {
    let parameters = DeleteEntities.Parameters(app: client.app, kind: kind.name, ids: ids, version: version)
    _ = try await caller.call(DeleteEntities.self, parameters)
  }
}

extension SceneClient {
  /// What exists of one kind.
  public func entities(_ kind: EntityKind) -> EntityTable { EntityTable(client: self, kind: kind) }

  /// Lists the kinds that the app has declared, by name.
  ///
  /// - Throws: as every call.
  public func kinds() async throws(RestoreError) -> [KindInfo] {
    try await caller.call(ListKinds.self, .init(app: app)).kinds.map(KindInfo.init)
  }
}
