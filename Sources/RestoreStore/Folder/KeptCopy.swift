import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The copy of a database that is kept before a migration changes it: `restored.sqlite3.vN`, N its schema.
///
/// There is one: a newer one takes the place of all older ones.
struct KeptCopy {
  private let database: String
  private let schema: Int
  private let hooks: StoreHooks

  /// The copy of `database`, which has this schema.
  init(_ database: String, schema: Int, _ hooks: StoreHooks = StoreHooks()) {
    self.database = database
    self.schema = schema
    self.hooks = hooks
  }

  /// Where it is.
  var path: String { "\(database).v\(schema)" }

  /// Makes the copy of one moment of the database, with what its log holds, and takes older ones away.
  ///
  /// On return it is on disk.
  ///
  /// - Throws: `storageFull`, `storageFailed`, `folderUnusable`; the copies there were are still there then.
  func make(from connection: borrowing Connection) throws(StoreError) {
    let unfinished = path + ".building"
    do throws(SystemFault) {
      try SystemCalls.remove(unfinished)
      // With the right mode from the beginning; SQLite takes a file that is empty.
      _ = try SystemCalls.makeFile(unfinished, in: SystemCalls.parent(of: database), hooks)
    } catch { throw error.asStoreError }
    do throws(SQLiteError) {
      // Neither synced nor whole if it is interrupted. https://sqlite.org/lang_vacuum.html#vacuum_into
      let copy = try Statement("VACUUM INTO ?1", on: connection)
      try copy.bind(unfinished)
      try copy.run()
    } catch {
      try? SystemCalls.remove(unfinished)
      throw StoreError(error, database)
    }
    do throws(SystemFault) {
      try SystemCalls.syncFile(unfinished)
      try SystemCalls.move(unfinished, to: path)
      for old in Self.all(database) where old.schema != schema { try SystemCalls.remove(old.path) }
      try SystemCalls.syncFolder(SystemCalls.parent(of: database))
    } catch { throw error.asStoreError }
  }

  /// The copy with the newest schema that a release can read; nil: there is none.
  static func newest(_ database: String, upTo schema: Int) -> String? {
    all(database).filter { $0.schema <= schema }.max { $0.schema < $1.schema }?.path
  }

  private static func all(_ database: String) -> [KeptCopy] {
    let folder = SystemCalls.parent(of: database)
    let prefix = database.dropFirst(folder.utf8.count + 1) + ".v"
    return SystemCalls.names(in: folder).filter { $0.hasPrefix(prefix) }
      .compactMap { Int($0.dropFirst(prefix.count)) }.map { KeptCopy(database, schema: $0) }
  }
}
