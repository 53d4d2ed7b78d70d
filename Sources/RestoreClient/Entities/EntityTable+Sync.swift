import RestoreInterface

extension EntityTable {
  /// What a sync did.
  public struct SyncOutcome: Hashable, Sendable {
    /// Entities that were not there before.
    public let added: Int
    /// Entities that were there and are gone.
    public let deleted: Int
    /// Entities that there are now.
    public let count: Int

    init(_ reply: EndSync.Reply) {
      added = reply.added
      deleted = reply.deleted
      count = reply.count
    }
  }

  /// Replaces all that exists of the kind by these, at once at the end.
  ///
  /// Until then what was there resolves, and what is not there is not missing yet. What is put and deleted meanwhile
  /// counts. The sequence is gone through once, on the caller's actor.
  ///
  /// - Parameters:
  ///   - ids: all that exists.
  ///   - version: the app's own mark of the model that they are from; nil: none.
  /// - Throws: `syncNotFound` where it lapsed, also because the daemon was started anew: sync again from the beginning.
  ///   After every error what was there before stays.
  @discardableResult
  public nonisolated(nonsending) func sync<IDs: Sequence>(
    _ ids: IDs,
    version: String? = nil
  ) async throws(RestoreError) -> SyncOutcome where IDs.Element: EntityIdentifier {
    let sync = try await begin()
    var portions = IDPortions(ids)
    while !portions.isAtEnd { try await put(portions.next(), sync: sync, version: nil) }
    return try await end(sync, version)
  }

  /// Replaces all that exists of the kind by what the sequence brings; as `sync` of a sequence.
  ///
  /// The next element is asked for only when the portion before it is in the table.
  ///
  /// - Throws: also what the sequence throws; what was there before stays then.
  @discardableResult
  public nonisolated(nonsending) func sync<IDs: AsyncSequence>(
    _ ids: IDs,
    version: String? = nil
  ) async throws -> SyncOutcome where IDs.Element: EntityIdentifier {
    let sync = try await begin()
    var portion = IDPortion()
    for try await id in ids {
      portion.append(id)
      guard portion.isFull else { continue }
      try await put(portion.ids, sync: sync, version: nil)
      portion = IDPortion()
    }
    if !portion.ids.isEmpty { try await put(portion.ids, sync: sync, version: nil) }
    return try await end(sync, version)
  }

  private func begin() async throws(RestoreError) -> String {
    try await caller.call(BeginSync.self, .init(app: client.app, kind: kind.name)).sync
  }

  private func end(_ sync: String, _ version: String?) async throws(RestoreError) -> SyncOutcome {
    SyncOutcome(try await caller.call(EndSync.self, .init(app: client.app, sync: sync, version: version)))
  }
}
