import CSQLite

/// Looks at a database piece by piece, on a connection of its own, while others use it.
///
/// First at its structure in one read, then at the checksum of each revision and each route table, which SQLite does not
/// see. It takes no lock that anyone waits for, and reads no bytes but through SQLite: opening the file by itself would
/// drop the locks of the other connections. Confined to one thread.
package final class PieceCheck {
  /// Something stored that is not what was saved, in a database whose structure is sound.
  package enum Fault: Hashable, Sendable {
    /// A revision.
    case revision(Int, scene: String, app: String)
    /// An app's route table.
    case routes(app: String)

    /// What is wrong, in a sentence without a full stop.
    package var sentence: String {
      switch self {
      case .revision(let number, let scene, let app): "revision \(number) of scene \(scene) of app \(app) is damaged"
      case .routes(let app): "the route table of app \(app) is damaged"
      }
    }

    /// What to do.
    package var remedy: String {
      switch self {
      case .revision: "look into the disk, and save the scene again"
      case .routes: "look into the disk, and set the table again; until then it is not applied"
      }
    }
  }

  /// Revisions, and route tables, that are looked at in one piece.
  private static let (piece, tables) = (64, 16)
  /// Faults of the structure that are told.
  private static let faultsTold = 20

  /// The database's path.
  package let path: String
  /// Revisions that were looked at so far.
  package private(set) var revisions = 0
  /// Whether the last part was broken off: it may be done again.
  package private(set) var wasBrokenOff = false
  private let connection: Connection
  private let next, nextTable: Statement
  private var isOver: () -> Bool = { false }
  /// Virtual instructions, and pages, between two looks whether to break off.
  private static let instructions: Int32 = 1_000
  private var slot = 0
  private var app = 0

  /// Opens the database of a `StoreWriter` that is open on the same folder.
  ///
  /// - Throws: `damaged`, `folderUnusable`, `storageFailed`.
  package convenience init(folder: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
    let path = try DatabaseFolder.databasePath(in: folder)
    try self.init(path, try Database.openForReading(path, options))
  }

  init(_ path: String, _ connection: consuming Connection) throws(StoreError) {
    do throws(SQLiteError) {
      // The daemon's own close must be the last to empty the log, not this one's.
      try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      next = try Statement(
        """
        SELECT r.revision, r.checksum, r.hash, r.routes, r.selected_tab, r.state, r.saved_at, r.slot, a.name, s.name
          FROM revisions r LEFT JOIN scenes s ON s.scene = r.slot / 2048 LEFT JOIN apps a ON a.app = s.app
          WHERE r.slot > ?1 ORDER BY r.slot LIMIT ?2
        """,
        on: connection
      )
      // A database that is only examined may be an earlier release's.
      let hasChecksums = try connection.integer("PRAGMA user_version") >= 3
      nextTable = try Statement(hasChecksums ? Self.tablesSQL : Self.bareTablesSQL, on: connection)
    } catch { throw StoreError(opening: error, path) }
    self.path = path
    self.connection = connection
  }

  private static let tablesSQL: StaticString = """
    SELECT routes, routes_checksum, routes_revision, app, name FROM apps
      WHERE app > ?1 AND (routes IS NOT NULL OR routes_checksum IS NOT x'') ORDER BY app LIMIT ?2
    """

  private static let bareTablesSQL: StaticString = """
    SELECT routes, x'', routes_revision, app, name FROM apps WHERE app > ?1 AND routes IS NOT NULL ORDER BY app LIMIT ?2
    """

  /// Has each part broken off when `isOver` says so, which is asked on the thread that looks, often.
  ///
  /// It is not lost as `interrupt` is, where it comes between two statements.
  package func breakOff(when isOver: @escaping () -> Bool) {
    self.isOver = isOver
    // https://sqlite.org/c3ref/progress_handler.html
    sqlite3_progress_handler(
      connection.database,
      Self.instructions,
      { Unmanaged<PieceCheck>.fromOpaque($0!).takeUnretainedValue().isOver() ? 1 : 0 },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Has what another thread is doing here fail at once; to be called only while this object is sure to live.
  ///
  /// https://sqlite.org/c3ref/interrupt.html
  package func interrupt() { sqlite3_interrupt(connection.database) }

  /// What is wrong with the structure: one line for each fault, empty where it is sound.
  ///
  /// Blocks for as long as it takes to read the whole file.
  ///
  /// - Throws: `damaged` where SQLite cannot even look; `storageFailed`.
  package func structure() throws(StoreError) -> [String] {
    wasBrokenOff = false
    do throws(SQLiteError) {
      let pages = try Statement("PRAGMA integrity_check(20)", on: connection).all { $0.text(0) }
      let owners = try Statement("PRAGMA foreign_key_check", on: connection).all {
        "a row of \($0.text(0)) belongs to nothing in \($0.text(2))"
      }
      return pages.flatMap { $0.split(separator: "\n").map(String.init) }
        .filter { $0 != "ok" && !$0.hasPrefix("*** in database") } + owners.prefix(Self.faultsTold)
    } catch { throw failure(error) }
  }

  /// Looks at the next revisions, and after the last one at the next route tables.
  ///
  /// - Returns: those that are damaged; nil: all were looked at.
  /// - Throws: `damaged`, `storageFailed`; the next call looks at the same ones again.
  package func advance() throws(StoreError) -> [Fault]? {
    wasBrokenOff = false
    do throws(SQLiteError) {
      if let faults = try nextRevisions() { return faults }
      return try nextTables()
    } catch { throw failure(error) }
  }

  private func nextRevisions() throws(SQLiteError) -> [Fault]? {
    try next.bind(slot, Self.piece)
    var faults: [Fault] = []
    var (count, last) = (0, slot)
    while try next.step() {
      count += 1
      last = next.integer(7)
      let revision = next.integer(0)
      if StoredState(next, revision: revision) != nil { continue }
      let (app, scene) = (next.optionalText(8) ?? "?", next.optionalText(9) ?? "?")
      faults.append(.revision(revision, scene: scene, app: app))
    }
    // Only here: what was found is lost where a piece is broken off.
    slot = last
    revisions += count
    return count == 0 ? nil : faults
  }

  private func nextTables() throws(SQLiteError) -> [Fault]? {
    try nextTable.bind(app, Self.tables)
    var faults: [Fault] = []
    var last = app
    while try nextTable.step() {
      last = nextTable.integer(3)
      let name = nextTable.text(4)
      if AppRoutes(StoredRoutes(nextTable), app: name, in: path).fault != nil { faults.append(.routes(app: name)) }
    }
    defer { app = last }
    return last == app ? nil : faults
  }

  private func failure(_ error: SQLiteError) -> StoreError {
    // Left standing on a row it would keep its read open.
    next.reset()
    nextTable.reset()
    wasBrokenOff = error.primary == SQLITE_INTERRUPT
    return StoreError(error, path)
  }

  /// Scenes in it, closed ones too.
  func countScenes() throws(StoreError) -> Int {
    do throws(SQLiteError) { return try connection.integer("SELECT count(*) FROM scenes") } catch {
      throw StoreError(error, path)
    }
  }
}
