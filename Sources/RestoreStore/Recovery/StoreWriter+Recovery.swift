import CSQLite

/// Going on with a new database where damage is met while the old one is open.
extension StoreWriter {
  /// Sets the damaged database aside, and opens a new one with all that could be read of it.
  ///
  /// This writer must not be used any more after that; it may be let go of before or after the readers of the old
  /// database, which go on reading what they read until they are retired (`StoreReader.retire`). What was to be
  /// scrubbed is waited for as before; syncs have lapsed, and the numbers of every user go on far ahead.
  ///
  /// Blocks for as long as it takes to read the whole database, and to write what can be read.
  ///
  /// - Parameter cause: what was found, as it follows the database's path.
  /// - Throws: `storageFull`, `damaged`, `storageFailed`: the damaged database is where it was, and this writer can
  ///   still be used as far as the damage lets it.
  package func replacement(_ cause: String) throws(StoreError) -> StoreWriter {
    if let fault = files.look() { throw fault }
    retire(true)
    var isMoved = false
    do throws(StoreError) {
      let report = try Recovery(path: path, options: options, former: Former(options.durability)).recover(cause)
      isMoved = true
      let writer = StoreWriter(try OpenDatabase(path, options, after: report), in: folder, options)
      writer.transient.erasure = transient.erasure
      writer.demand = demand
      writer.aroundErasure = aroundErasure
      // The new database has no deleted bytes: it only has to be said on disk that nothing is pending.
      if transient.erasure.isPending { writer.transient.erasure.isRewritten = true }
      return writer
    } catch {
      // What it has open is set aside then, and a log that it would remove is the new database's.
      if !isMoved { retire(false) }
      // Where files were set aside already, the next start goes on with it.
      log.mayHaveSuccessor = !isMoved && SetAside.unfinished(path)?.isEmpty ?? true
      throw error
    }
  }

  /// Whether closing the connection leaves the log alone, which by then may be another database's of that name.
  private func retire(_ retires: Bool) {
    isRetired = retires
    try? connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, retires)
  }
}

extension StoreReader {
  /// Has the connection closed without a look at the log, which by then is another database's of that name.
  ///
  /// To be called before the reader of a database that was set aside is let go of.
  package func retire() { try? connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
}
