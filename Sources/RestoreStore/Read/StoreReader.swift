import SceneModel

/// Reads over a connection of its own. Confined to one thread.
package final class StoreReader {
  /// Opens the database of a `StoreWriter` that is open.
  package init(folder: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    throw StoreError(.folderUnusable, "\(folder): not built yet")
  }
  /// From here to `endBatch`, all reads see one moment; it is chosen by the first of them.
  package func beginBatch() {}
  /// Ends the read transaction.
  package func endBatch() {}
  /// Drops what the changes made stale, and ends the read transaction, so that the next read sees them.
  package func apply(_ changes: [StoreChange]) {}

  package func restore(_ request: RestoreRequest) throws(StoreError) -> RestoredScene { throw notBuilt }
  package func check(uid: UInt32, app: String, state: SceneState, stale: StalePolicy?) throws(StoreError)
    -> CheckedState
  {
    throw notBuilt
  }
  package func scenes(uid: UInt32, app: String?, closed: Bool) throws(StoreError) -> [SceneSummary] { throw notBuilt }
  package func revisions(uid: UInt32, app: String, scene: String) throws(StoreError) -> [RevisionSummary] {
    throw notBuilt
  }
  package func kinds(uid: UInt32, app: String) throws(StoreError) -> [KindSummary] { throw notBuilt }
  /// - Parameter limit: ids in the page, 1 to 10,000; nil: 1,000. A page also ends after 1 MiB.
  package func entities(uid: UInt32, app: String, kind: String, after: String?, limit: Int?) throws(StoreError)
    -> EntityPage
  { throw notBuilt }
  /// - Parameter uid: nil: totals over all users.
  package func status(uid: UInt32?, problems: [String]) throws(StoreError) -> StoreStatus { throw notBuilt }

  private var notBuilt: StoreError { StoreError(.folderUnusable, "not built yet") }
}
