import CSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts a database that can be used in the place of one that cannot.
///
/// Nothing that is there is changed. The new database is filled under another name, synced, and renamed to say that it
/// is whole; then the old files are moved to where they are kept, and the new one to their place. Whoever ends the
/// process in between leaves either all as it was, or a whole database that the next start puts in its place.
/// See docs/decisions/0011-damage.md.
struct Recovery {
  /// The database's path, in a folder that this process has locked.
  let path: String
  let options: StoreOptions
  /// What is known of how the database was written.
  let former: Former

  /// Where a new database is made; what a process that was ended left there is worth nothing.
  private var workshop: String { path + ".building" }

  /// Sees to it that there is a file that SQLite may open: makes an empty one where there is none, and sets aside what is
  /// no database.
  ///
  /// Reads the header and the log, not the rest.
  ///
  /// - Returns: what was set aside; nil: nothing.
  /// - Throws: `folderUnusable`, `storageFull`, `storageFailed`; all that was there is as it was then.
  func prepare() throws(StoreError) -> RecoveryReport? {
    do throws(SystemFault) {
      try clean()
      if let unfinished = SetAside.unfinished(path) { try replace(unfinished) }
    } catch { throw error.asStoreError }
    let finding: Finding
    do throws(SystemFault) {
      finding = try Finding(path, former)
      if case .nothing = finding {
        _ = try SystemCalls.makeFile(path, in: SystemCalls.parent(of: path), options.hooks)
      }
    } catch { throw error.asStoreError }
    switch finding {
    case .usable, .nothing: return nil
    case .damaged(let cause): return try recover(cause)
    case .foreign(let cause): return try setAside(cause)
    }
  }

  /// Recovers what can be read of a database that SQLite refuses, or that is none.
  func repair(_ cause: String) throws(StoreError) -> RecoveryReport {
    let isOurs: Bool
    do throws(SQLiteError) {
      isOurs = try Salvage(DamagedDatabase(path, former)).isOurs()
    } catch { throw StoreError(error, path) }
    return try isOurs ? recover(cause) : setAside(cause)
  }

  /// Sets aside what is not this program's, and begins anew.
  func setAside(_ cause: String) throws(StoreError) -> RecoveryReport {
    let place = SetAside(path, .foreign, at: options.clock.wall())
    let report = RecoveryReport(cause: cause, database: path, kept: place.path, recovered: nil)
    _ = try make(cause) { (_) throws(SQLiteError) in }
    do throws(SystemFault) {
      try SystemCalls.write(report.text, to: place.reportPath, options.hooks)
      try SystemCalls.syncFile(workshop, options.hooks)
      options.hooks.inRecovery?()
      try place.take(options.hooks)
      options.hooks.inRecovery?()
      try SystemCalls.move(workshop, to: path, options.hooks)
      try SystemCalls.syncFolder(SystemCalls.parent(of: path), options.hooks)
    } catch {
      if place.isEmpty { try? SystemCalls.remove(place.reportPath, options.hooks) }
      throw error.asStoreError
    }
    return report
  }

  /// Fills a new database with what can be read, and puts it in the place of the damaged one.
  ///
  /// A connection that is open on the damaged one stays as it is; it must not be closed in a way that removes the log.
  ///
  /// - Throws: `storageFull` and the like; the damaged database is where it was then.
  func recover(_ cause: String) throws(StoreError) -> RecoveryReport {
    // SQLite's failures name the path themselves.
    let cause = cause.hasPrefix(path + " ") ? String(cause.dropFirst(path.count + 1)) : cause
    let place = SetAside(path, .damaged, at: options.clock.wall())
    // Kept until the end: closing the file drops the locks that a connection of this process may have on it.
    let source = DamagedDatabase(path, former)
    defer { withExtendedLifetime(source) {} }
    let recovered = try make(cause) { (target) throws(SQLiteError) in try Salvage(source).fill(target) }
    let report = RecoveryReport(cause: cause, database: path, kept: place.path, recovered: recovered)
    do throws(SystemFault) {
      options.hooks.inRecovery?()
      try SystemCalls.write(report.text, to: place.reportPath, options.hooks)
      try SystemCalls.syncFile(workshop, options.hooks)
      try SystemCalls.move(workshop, to: place.successor, options.hooks)
      try SystemCalls.syncFolder(SystemCalls.parent(of: path), options.hooks)
      options.hooks.inRecovery?()
      try replace(place)
    } catch {
      // What cannot be moved back is gone on with at the next start.
      guard place.isEmpty else { throw .halfRecovered(cause, error.asStoreError, path) }
      for file in [place.successor, place.reportPath] { try? SystemCalls.remove(file, options.hooks) }
      try? clean()
      throw .notRecovered(cause, error.asStoreError, path)
    }
    SetAside.prune(path)
    return report
  }

  /// Makes a database in the workshop, and puts in it what `fill` finds.
  private func make(
    _ cause: String,
    _ fill: (RecoveredDatabase) throws(SQLiteError) -> Void
  ) throws(StoreError) -> Recovered {
    do throws(SystemFault) {
      try clean()
      _ = try SystemCalls.makeFile(workshop, in: SystemCalls.parent(of: path), options.hooks)
    } catch { throw .notRecovered(cause, error.asStoreError, path) }
    do throws(SQLiteError) {
      let target = try RecoveredDatabase(workshop, now: options.clock.wall())
      try fill(target)
      let recovered = try target.finish()
      try target.commit()
      return recovered
    } catch {
      try? clean()
      throw .notRecovered(cause, StoreError(error, workshop), path)
    }
  }

  /// Moves the damaged files to where they are kept, and the new database to their place.
  private func replace(_ place: SetAside) throws(SystemFault) {
    try place.take(options.hooks)
    // The old log must never stand beside the new database, whatever the order in which names come to the disk.
    try? SystemCalls.syncFolder(SystemCalls.parent(of: path), options.hooks)
    options.hooks.inRecovery?()
    do throws(SystemFault) { try SystemCalls.move(place.successor, to: path, options.hooks) } catch {
      for suffix in SetAside.suffixes where access(place.path + suffix, F_OK) == 0 {
        try? SystemCalls.move(place.path + suffix, to: path + suffix, options.hooks)
      }
      throw error
    }
    options.hooks.inRecovery?()
    // It is done. Where this fails, a loss of power may leave the new database under its former name, which the next
    // start goes on with; and SQLite syncs the folder once more with the first commit.
    try? SystemCalls.syncFolder(SystemCalls.parent(of: path), options.hooks)
  }

  private func clean() throws(SystemFault) {
    for suffix in ["", "-journal", "-wal", "-shm"] where access(workshop + suffix, F_OK) == 0 {
      try SystemCalls.remove(workshop + suffix, options.hooks)
    }
  }
}

extension StoreError {
  fileprivate static func notRecovered(_ cause: String, _ error: StoreError, _ path: String) -> StoreError {
    StoreError(
      code(error),
      "\(path) \(cause), and what can be read of it could not be copied: \(error.message); it was left as it is",
      remedy: error.remedy
    )
  }

  fileprivate static func halfRecovered(_ cause: String, _ error: StoreError, _ path: String) -> StoreError {
    StoreError(
      code(error),
      "\(path) \(cause), and what could be read of it stands beside it, but could not be put in its place: "
        + error.message,
      remedy: "\(error.remedy ?? "look into the disk"), and start again: nothing is lost, and the start goes on with it"
    )
  }

  /// What the folder or the disk has to be made to allow keeps its code: the rest is the damage's.
  private static func code(_ error: StoreError) -> Code {
    [.storageFull, .folderUnusable, .unsuitableDisk].contains(error.code) ? error.code : .damaged
  }
}
