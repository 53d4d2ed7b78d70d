import SceneModel

/// Owns the one connection that writes. Confined to one thread.
package final class StoreWriter {
  /// Opens or makes the database `restored.sqlite3` in `folder`, and the folder.
  package init(folder: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    throw StoreError(.folderUnusable, "\(folder): not built yet")
  }

  /// Carries out all commands in one transaction.
  package func perform(_ batch: [WriteCommand]) -> [WriteResult] { [] }

  /// When `maintain` is due, on the steady clock in milliseconds; nil: nothing is.
  package var maintenanceDue: Int? { nil }

  /// Does what is due: checkpoints, erasures, syncs that lapse.
  package func maintain() -> Maintenance { Maintenance() }

  /// What is not as it should be, one sentence each with what to do.
  package var problems: [String] { [] }
}
