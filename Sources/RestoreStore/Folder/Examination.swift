/// What looking at every page and every revision of a database came to, and what a start of the daemon would make of it.
///
/// Reads only, beside a running daemon too: it takes no lock that a writer would wait for. Not to be used in a process
/// that has the database open: reading the file by itself drops the locks that SQLite holds there.
package struct Examination: Sendable {
  /// Where the database is.
  package let path: String
  /// Scenes in it, closed ones too.
  package private(set) var scenes = 0
  /// Revisions in it, damaged ones too.
  package private(set) var revisions = 0
  /// One sentence for each thing that is wrong; empty where all is sound.
  package private(set) var problems: [String] = []
  /// What a start would do about it, and what was set aside earlier; empty where there is nothing.
  package private(set) var notes: [String] = []

  /// Problems that are told one by one; the others are only counted.
  private static let problemsTold = 100

  /// Examines the database in `folder`: its header and log, SQLite's own checks, then the checksums.
  ///
  /// Blocks for as long as it takes to read the whole file.
  ///
  /// - Throws: `folderUnusable` where there is none, `newerSchema`, `storageFailed`.
  package init(folder: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    path = try DatabaseFolder.databasePath(in: folder)
    let kept = SetAside.all(path).map(\.problem)
    let former = Former(in: folder)
    switch try Self.find(path, former) {
    case .damaged(let cause): try addDamage(cause, former, options)
    case .foreign(let cause): addForeign(cause)
    case .nothing, .usable:
      do throws(StoreError) { try examine(former, options) } catch {
        switch error.code {
        case .damaged: try addDamage(error.message, former, options)
        case .notOurDatabase: addForeign("is a database of another program")
        default: throw error
        }
      }
    }
    notes += kept
    if problems.count > Self.problemsTold {
      problems = problems.prefix(Self.problemsTold) + ["and \(problems.count - Self.problemsTold) more"]
    }
  }

  private static func find(_ path: String, _ former: Former) throws(StoreError) -> Finding {
    do throws(SystemFault) {
      let finding = try Finding(path, former)
      // A daemon beside this may have emptied its log between one look and the next.
      if case .damaged = finding { return try Finding(path, former) }
      return finding
    } catch { throw error.asStoreError }
  }

  private mutating func examine(_ former: Former, _ options: StoreOptions) throws(StoreError) {
    let check = try PieceCheck(path, try Database.openForExamination(path, options))
    let structure = try check.structure()
    if !structure.isEmpty {
      problems += structure
      return try addDamage(nil, former, options)
    }
    scenes = try check.countScenes()
    var (isRevision, isTable) = (false, false)
    while let faults = try check.advance() {
      for fault in faults {
        problems.append(fault.sentence)
        switch fault {
        case .revision: isRevision = true
        case .routes: isTable = true
        }
      }
    }
    revisions = check.revisions
    if isRevision {
      notes.append("the revision before each of these is served; save those scenes again, and look into the disk")
    }
    if isTable { notes.append("a damaged route table is not applied; set it again, and look into the disk") }
  }

  private mutating func addForeign(_ cause: String) {
    problems.append(cause)
    notes.append("a start sets it aside, not a byte of it changed, and begins an empty database")
  }

  private mutating func addDamage(_ cause: String?, _ former: Former, _ options: StoreOptions) throws(StoreError) {
    if let cause { problems.append(cause) }
    do throws(SQLiteError) {
      // A database without a name is a temporary file, gone when it is closed. https://sqlite.org/inmemorydb.html
      let target = try RecoveredDatabase("", now: options.clock.wall())
      try Salvage(DamagedDatabase(path, former)).fill(target)
      let recovered = try target.finish()
      (scenes, revisions) = (recovered.scenes, recovered.revisions)
      let lost = recovered.losses.isEmpty ? "" : "; lost: " + recovered.losses.joined(separator: ", ")
      notes.append("a start keeps it aside, and recovers \(recovered.gains)\(lost)")
      problems += recovered.told.map { "\($0) cannot be read" }
    } catch { throw StoreError(error, path) }
  }
}
