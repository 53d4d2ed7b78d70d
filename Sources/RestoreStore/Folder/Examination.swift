/// What looking at every page and every revision of a database came to.
///
/// Reads only, beside a running daemon too: it takes no lock that a writer would wait for.
package struct Examination: Sendable {
  /// Where the database is.
  package let path: String
  /// Scenes in it, closed ones too.
  package let scenes: Int
  /// Revisions in it, damaged ones too.
  package let revisions: Int
  /// One sentence for each thing that is wrong; empty where all is sound.
  package let problems: [String]

  /// Problems that are told one by one; the others are only counted.
  private static let problemsTold = 100

  /// Examines the database in `folder`: SQLite's own checks, then the checksum of each revision, which they do not see.
  ///
  /// Blocks for as long as it takes to read the whole file.
  ///
  /// - Throws: `folderUnusable` where there is none, `newerSchema`, `notOurDatabase`, `damaged`, `storageFailed`.
  package init(folder: String) throws(StoreError) {
    let path = try DatabaseFolder.databasePath(in: folder)
    let connection = try Database.openForExamination(path)
    self.path = path
    do throws(SQLiteError) {
      var problems = try Self.structure(connection)
      let revisions = try Self.damaged(connection)
      scenes = try connection.integer("SELECT count(*) FROM scenes")
      self.revisions = revisions.count
      problems += revisions.damaged
      if problems.count > Self.problemsTold {
        let more = problems.count - Self.problemsTold
        problems = problems.prefix(Self.problemsTold) + ["and \(more) more"]
      }
      self.problems = problems
    } catch {
      throw StoreError(opening: error, path)
    }
  }

  private static func structure(_ connection: borrowing Connection) throws(SQLiteError) -> [String] {
    let pages = try Statement("PRAGMA integrity_check", on: connection).all { $0.text(0) }.filter { $0 != "ok" }
    let owners = try Statement("PRAGMA foreign_key_check", on: connection).all {
      "a row of \($0.text(0)) belongs to nothing in \($0.text(2))"
    }
    return pages + owners
  }

  private static func damaged(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (count: Int, damaged: [String]) {
    let all = try Statement(
      """
      SELECT r.revision, r.checksum, r.hash, r.routes, r.selected_tab, r.state, r.saved_at, a.name, s.name
        FROM revisions r LEFT JOIN scenes s ON s.scene = r.slot / 2048 LEFT JOIN apps a ON a.app = s.app
      """,
      on: connection
    )
    var count = 0
    var damaged: [String] = []
    while try all.step() {
      count += 1
      let revision = all.integer(0)
      if StoredState(all, revision: revision) != nil { continue }
      damaged.append(
        "revision \(revision) of scene \(all.optionalText(8) ?? "?") of app \(all.optionalText(7) ?? "?") is damaged"
      )
    }
    return (count, damaged)
  }
}
