import SceneModel

extension SceneStore {
  /// Adds entities and declares the kind, also with no ids.
  ///
  /// From then on references to it are checked.
  ///
  /// - Parameters:
  ///   - app: the app; 1 to 255 bytes of UTF-8 without control characters.
  ///   - kind: the kind; a name as the app's.
  ///   - ids: each 1 to 4,096 bytes without control characters, at most 10,000. UUIDs are equal in any case.
  ///   - version: the app's own mark of the model the ids are from; nil: the kind's stays as it is.
  /// - Returns: how many were not there.
  /// - Throws: `invalidParameter`, `limitExceeded`, `storageFull`, `storageFailed`.
  @discardableResult
  public func put(app: String, kind: String, ids: [String], version: String? = nil) throws(StoreError) -> Int {
    try put(app: app, kind: kind, ids: ids, sync: nil, version: version)
  }

  /// Adds entities as part of a sync: they are what its end leaves.
  ///
  /// As `put`, but it declares nothing.
  ///
  /// - Parameters:
  ///   - app: the app; 1 to 255 bytes of UTF-8 without control characters.
  ///   - kind: the kind; a name as the app's.
  ///   - ids: as for `put`.
  ///   - sync: what `beginSync` gave; nil: as the `put` without one.
  ///   - version: the mark of the model the ids are from, kept for the end of the sync.
  /// - Returns: how many were not there.
  /// - Throws: `syncNotFound` where it has lapsed, after 10 minutes without a call, was ended, or is another kind's.
  @discardableResult
  public func put(
    app: String,
    kind: String,
    ids: [String],
    sync: String?,
    version: String? = nil
  ) throws(StoreError) -> Int {
    try Self.check(kind, "kind")
    let ids = try Self.entityIDs(ids)
    guard case .put(let added) = try perform(app, .putEntities(kind: kind, ids: ids, sync: sync, version: version))
    else { throw .unexpected }
    return added
  }

  /// Removes entities.
  ///
  /// One deleted while a sync of the kind runs stays deleted, even if the sync puts it later.
  ///
  /// - Parameters:
  ///   - app: the app; 1 to 255 bytes of UTF-8 without control characters.
  ///   - kind: the kind; a name as the app's.
  ///   - ids: as for `put`.
  ///   - version: the app's own mark of its model now; nil: the kind's stays as it is.
  /// - Returns: how many were there.
  /// - Throws: as `put`.
  @discardableResult
  public func delete(app: String, kind: String, ids: [String], version: String? = nil) throws(StoreError) -> Int {
    try Self.check(kind, "kind")
    let ids = try Self.entityIDs(ids)
    guard case .deleted(let count) = try perform(app, .deleteEntities(kind: kind, ids: ids, version: version)) else {
      throw .unexpected
    }
    return count
  }

  /// Begins to replace all ids of a kind.
  ///
  /// An older sync of it lapses.
  ///
  /// Until the end, no id that is not there counts as missing.
  ///
  /// - Parameters:
  ///   - app: the app; 1 to 255 bytes of UTF-8 without control characters.
  ///   - kind: the kind; a name as the app's.
  /// - Returns: the sync, for `put` and `endSync`.
  /// - Throws: `invalidParameter`, `limitExceeded`, `storageFull`, `storageFailed`.
  public func beginSync(app: String, kind: String) throws(StoreError) -> String {
    try Self.check(kind, "kind")
    guard case .syncBegan(let sync) = try perform(app, .beginSync(kind: kind)) else { throw .unexpected }
    return sync
  }

  /// Ends a sync: takes away at once all ids that were put neither by it nor by anyone since it began.
  ///
  /// - Parameters:
  ///   - app: the app whose sync it is.
  ///   - sync: what `beginSync` gave.
  ///   - version: the mark of the model the ids are from; nil: the one last put with the sync, else none.
  /// - Returns: what the sync did in all.
  /// - Throws: `syncNotFound`, `storageFull`, `storageFailed`.
  @discardableResult
  public func endSync(app: String, sync: String, version: String? = nil) throws(StoreError) -> SyncOutcome {
    guard case .syncEnded(let outcome) = try perform(app, .endSync(sync: sync, version: version)) else {
      throw .unexpected
    }
    return outcome
  }

  /// Lists ids of a kind, page by page, in an order that stays.
  ///
  /// - Parameters:
  ///   - app: the app; one there is not has no ids.
  ///   - kind: the kind, declared or not; one there is not has no ids.
  ///   - after: the page before's `next`; nil: from the first.
  ///   - limit: ids in the page, 1 to 10,000; nil: 1,000.
  /// - Throws: `storageFailed`.
  public func entities(
    app: String,
    kind: String,
    after: String? = nil,
    limit: Int? = nil
  ) throws(StoreError) -> EntityPage {
    try read { (reader, _) throws(StoreError) in
      try reader.entities(uid: owner, app: app, kind: kind, after: after, limit: limit)
    }
  }

  /// Lists the declared kinds by name.
  ///
  /// - Parameter app: the app; one there is not has none.
  /// - Throws: `storageFailed`.
  public func kinds(app: String) throws(StoreError) -> [KindSummary] {
    try read { (reader, _) throws(StoreError) in try reader.kinds(uid: owner, app: app) }
  }

  /// Erases a kind and its entities: it is no longer declared, and no byte of them is in the files; as `forget(app:scene:)`.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - kind: the kind; of one there is not, nothing is erased.
  /// - Returns: how many entities there were.
  /// - Throws: `notYetErased`, `storageFull`, `storageFailed`.
  @discardableResult
  public func forget(app: String, kind: String) throws(StoreError) -> Int {
    guard case .forgot(let count) = try perform(app, .forgetKind(kind: kind)) else { throw .unexpected }
    return count
  }

  private static func entityIDs(_ texts: [String]) throws(StoreError) -> [EntityID] {
    var ids: [EntityID] = []
    ids.reserveCapacity(texts.count)
    for text in texts {
      var text = text
      let isControlled = text.withUTF8 { Names.hasControlCharacter($0) }
      if let id = EntityID(text), !isControlled {
        ids.append(id)
      } else if text.utf8.count > EntityID.maximumBytes {
        throw .limit("id", EntityID.maximumBytes, text.utf8.count, "bytes of an id", remedy: "choose shorter ids")
      } else {
        let reason = text.isEmpty ? "must not be empty" : "must not hold a control character"
        throw StoreError(.invalidParameter, "an id \(reason)", remedy: "choose another id") {
          $0.parameter = "ids"
          $0.reason = reason
        }
      }
    }
    return ids
  }
}
