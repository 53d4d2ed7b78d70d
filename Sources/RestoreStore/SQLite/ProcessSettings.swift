import CSQLite

/// Settings of SQLite that hold for the whole process.
package enum ProcessSettings {
  /// Has SQLite keep no statistics of its memory, for which it takes a lock at each allocation.
  ///
  /// For a program whose only user of SQLite the store is, before it opens one; later calls change nothing.
  /// https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
  package static func leaveOutMemoryStatistics() { _ = csqlite_config(SQLITE_CONFIG_MEMSTATUS, 0) }
}
