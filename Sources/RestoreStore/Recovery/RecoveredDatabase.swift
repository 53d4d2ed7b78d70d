import CSQLite
import Migrations
import SceneModel

/// The new database that a recovery fills with what it reads of the damaged one.
///
/// Rows come in any order, some of them more than once: of two versions of a row the one with the larger number stays.
/// What belongs to nothing is taken away at the end (`finish`).
final class RecoveredDatabase {
  /// The schema of the rows that are read and written here; later steps are applied when the database is opened.
  ///
  /// A step that changes the rows of a table has to teach `RecoveredDatabase+Rows` their new form, and this number.
  static let schema = 3

  /// A tree whose entries are a number, a name and a number.
  enum Tree: String {
    case apps
    case scenes
    case kinds
    case entities
  }

  let connection: Connection
  /// When the recovery began, in milliseconds since 1970.
  let now: Int
  /// Whether whole commits may be lost: what is left is then as it was at some moment, and nothing in it tells.
  var lacksCommits = false
  /// Revisions whose row bears a number that cannot be its own.
  var misplacedRevisions = 0
  private var transaction: Transaction?
  let putUser, putApp, putScene, putRevision, putMark, putKind, putEntity, putPair, putLost: Statement

  /// Begins to fill an empty file.
  init(_ path: String, now: Int) throws(SQLiteError) {
    connection = try Connection(path: path)
    self.now = now
    // Nobody has the file before it is whole and synced: until then nothing has to be.
    try connection.execute(
      "PRAGMA page_size = 2048; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY"
    )
    try connection.configure(SQLITE_DBCONFIG_ENABLE_FKEY, false)
    let transaction = try Transaction(.writing, on: connection)
    for step in migrationTexts.prefix(Self.schema) { try connection.execute(script: step) }
    try connection.execute(script: Array("PRAGMA user_version = \(Self.schema)".utf8))
    try connection.execute(script: Array("PRAGMA application_id = \(Database.applicationID)".utf8))
    try connection.execute(
      """
      CREATE TEMP TABLE pairs (page INTEGER, tree TEXT, owner INTEGER, name TEXT, key INTEGER);
      CREATE TEMP TABLE lost (slot INTEGER, revision INTEGER, PRIMARY KEY (slot, revision));
      CREATE TEMP TABLE told (what TEXT, name TEXT);
      """
    )
    putUser = try Statement(Self.userSQL, on: connection)
    putApp = try Statement(
      "INSERT OR IGNORE INTO apps VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?11, ?10)",
      on: connection
    )
    putScene = try Statement(
      "INSERT OR IGNORE INTO scenes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
      on: connection
    )
    putRevision = try Statement(Self.revisionSQL, on: connection)
    putMark = try Statement("INSERT OR IGNORE INTO marks VALUES (?1, ?2, ?3, ?4)", on: connection)
    putKind = try Statement(
      "INSERT OR IGNORE INTO kinds VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
      on: connection
    )
    putEntity = try Statement("INSERT OR IGNORE INTO entities VALUES (?1, ?2, ?3)", on: connection)
    putPair = try Statement("INSERT INTO temp.pairs VALUES (?1, ?2, ?3, ?4, ?5)", on: connection)
    putLost = try Statement("INSERT OR IGNORE INTO temp.lost VALUES (?1, ?2)", on: connection)
    self.transaction = consume transaction
  }

  // Before the connection goes: the members go in their order.
  deinit { transaction = nil }

  private static let userSQL: StaticString = """
    INSERT INTO users (uid, revision, changed_at, saved_at, used_bytes, forgotten) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT DO UPDATE SET revision = ?2, changed_at = ?3, saved_at = ?4, used_bytes = ?5, forgotten = ?6
    WHERE ?2 > revision
    """

  private static let revisionSQL: StaticString = """
    INSERT INTO revisions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT DO UPDATE SET revision = ?2, saved_at = ?3, placed_at = ?4, hash = ?5, checksum = ?6, routes = ?7,
      selected_tab = ?8, state = ?9
    WHERE ?2 > revision
    """

  /// Makes what was put last, once `finish` has put it in order.
  ///
  /// Not synced: that is the caller's.
  func commit() throws(SQLiteError) {
    try transaction.take()?.commit()
    let answer = try Statement("PRAGMA quick_check(1)", on: connection).first { $0.text(0) }
    if answer != "ok" { throw SQLiteError(code: SQLITE_CORRUPT, message: answer ?? "no answer") }
  }
}
