/// Every statement of the writer, prepared when it opens.
final class WriteStatements {
  let user, putUser, firstNumber: Statement
  let countApps, appsOfUser, app, addApp, countInApp, removeApp: Statement
  let routes, putRoutes, putRoutesChecksum, resetLaunches, removeQuarantines, freeConfirmed, launchedAt: Statement
  let revisionsOfUser, hasEntity: Statement
  let scene, addScene, switchScene, putGuard, removeScene, scenesOfApp: Statement
  let lastClosed, closedBeyond: Statement
  let heads, marks, state, putRevision, settleRevision, removeRevision, removeRevisions: Statement
  let putMarks, removeMarks, removeAllMarks: Statement
  let kind, kindByKey, kindsOfApp, addKind, putKind, removeKind: Statement
  let addEntity, markEntity, removeEntity, removeEntities, unmarked, removeUnmarked: Statement
  let isTombstone, addTombstone, removeTombstone, removeTombstones: Statement
  let erasurePending, setErasurePending: Statement

  init(_ on: borrowing Connection) throws(SQLiteError) {
    user = try Statement(
      """
      SELECT revision, changed_at, saved_at, used_bytes, forgotten, written, scene FROM user_counts WHERE uid = ?1
      """,
      on: on
    )
    // Where a recovery did not find all users: whoever is not there goes on from it. No table is called so.
    firstNumber = try Statement("SELECT seq FROM sqlite_sequence WHERE name = 'users'", on: on)
    putUser = try Statement(
      """
      INSERT INTO users (uid, revision, changed_at, saved_at, used_bytes, forgotten, scene, scene_bytes)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT DO UPDATE SET revision = ?2, changed_at = ?3, saved_at = ?4, used_bytes = ?5, forgotten = ?6,
        scene = ?7, scene_bytes = ?8
      """,
      on: on
    )

    countApps = try Statement("SELECT count(*) FROM apps WHERE uid = ?1", on: on)
    appsOfUser = try Statement("SELECT name FROM apps WHERE uid = ?1", on: on)
    // Each scene's rows are a range of the table: no index is needed, and none is written by a save.
    revisionsOfUser = try Statement(
      """
      SELECT a.name, s.name, r.revision FROM apps a JOIN scenes s ON s.app = a.app
        JOIN revisions r ON r.slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047
        WHERE a.uid = ?1 ORDER BY r.revision
      """,
      on: on
    )
    hasEntity = try Statement("SELECT 1 FROM entities WHERE kind = ?1 AND id = ?2", on: on)
    app = try Statement(
      "SELECT app, scenes, kinds, history, routes_revision, maximum_age FROM apps WHERE uid = ?1 AND name = ?2",
      on: on
    )
    addApp = try Statement(
      """
      INSERT INTO apps (uid, name, scenes, kinds, routes_revision) VALUES (?1, ?2, 0, 0, 0) RETURNING app
      """,
      on: on
    )
    countInApp = try Statement("UPDATE apps SET scenes = ?2, kinds = ?3 WHERE app = ?1", on: on)
    removeApp = try Statement("DELETE FROM apps WHERE app = ?1", on: on)

    routes = try Statement("SELECT routes, routes_checksum, routes_revision FROM apps WHERE app = ?1", on: on)
    putRoutes = try Statement(
      """
      UPDATE apps SET routes_revision = ?2, routes_at = ?3, history = ?4, maximum_age = ?5,
        routes_checksum = ?6, routes = ?7
      WHERE app = ?1
      """,
      on: on
    )
    putRoutesChecksum = try Statement("UPDATE apps SET routes_checksum = ?2 WHERE app = ?1", on: on)
    resetLaunches = try Statement("UPDATE scenes SET launches = 0 WHERE app = ?1 AND launches <> 0", on: on)
    removeQuarantines = try Statement(
      "DELETE FROM marks WHERE confirmed = 0 AND scene IN (SELECT scene FROM scenes WHERE app = ?1)",
      on: on
    )
    freeConfirmed = try Statement(
      """
      UPDATE marks SET quarantined = 0
      WHERE quarantined = 1 AND scene IN (SELECT scene FROM scenes WHERE app = ?1)
      """,
      on: on
    )
    launchedAt = try Statement("SELECT launched_at FROM scenes WHERE scene = ?1", on: on)

    scene = try Statement(
      "SELECT scene, closed, launches, launched1, launched2, launched3 FROM scenes WHERE app = ?1 AND name = ?2",
      on: on
    )
    addScene = try Statement(
      "INSERT INTO scenes (app, name, closed, switched, launches) VALUES (?1, ?2, 0, 0, 0) RETURNING scene",
      on: on
    )
    switchScene = try Statement(
      "UPDATE scenes SET closed = ?2, switched = ?3, switched_at = ?4 WHERE scene = ?1",
      on: on
    )
    putGuard = try Statement(
      """
      UPDATE scenes SET launches = ?2, launched1 = ?3, launched2 = ?4, launched3 = ?5,
        launched_at = ifnull(?6, launched_at) WHERE scene = ?1
      """,
      on: on
    )
    removeScene = try Statement("DELETE FROM scenes WHERE scene = ?1", on: on)
    scenesOfApp = try Statement("SELECT name FROM scenes WHERE app = ?1", on: on)
    lastClosed = try Statement(
      "SELECT name FROM scenes WHERE app = ?1 AND closed = 1 ORDER BY switched DESC LIMIT 1",
      on: on
    )
    closedBeyond = try Statement(
      "SELECT name FROM scenes WHERE app = ?1 AND closed = 1 ORDER BY switched DESC LIMIT -1 OFFSET ?2",
      on: on
    )

    heads = try Statement(
      """
      SELECT slot, revision, length(state), placed_at, hash, saved_at FROM revisions WHERE slot BETWEEN ?1 AND ?2
      """,
      on: on
    )
    marks = try Statement("SELECT revision, confirmed, quarantined FROM marks WHERE scene = ?1", on: on)
    state = try Statement(
      "SELECT revision, checksum, hash, routes, selected_tab, state, saved_at FROM revisions WHERE slot = ?1",
      on: on
    )
    putRevision = try Statement(
      """
      INSERT OR REPLACE INTO revisions (slot, revision, saved_at, placed_at, hash, checksum, routes, selected_tab, state)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """,
      on: on
    )
    settleRevision = try Statement("UPDATE revisions SET placed_at = NULL WHERE slot = ?1", on: on)
    removeRevision = try Statement("DELETE FROM revisions WHERE slot = ?1", on: on)
    removeRevisions = try Statement("DELETE FROM revisions WHERE slot BETWEEN ?1 AND ?2", on: on)
    putMarks = try Statement(
      """
      INSERT INTO marks (scene, revision, confirmed, quarantined) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET confirmed = ?3, quarantined = ?4
      """,
      on: on
    )
    removeMarks = try Statement("DELETE FROM marks WHERE scene = ?1 AND revision = ?2", on: on)
    removeAllMarks = try Statement("DELETE FROM marks WHERE scene = ?1", on: on)

    kind = try Statement(
      "SELECT kind, app, name, declared, version, count, bytes, generation FROM kinds WHERE app = ?1 AND name = ?2",
      on: on
    )
    kindByKey = try Statement(
      "SELECT kind, app, name, declared, version, count, bytes, generation FROM kinds WHERE kind = ?1",
      on: on
    )
    kindsOfApp = try Statement("SELECT name FROM kinds WHERE app = ?1", on: on)
    addKind = try Statement(
      """
      INSERT INTO kinds (app, name, declared, count, bytes, generation, revision) VALUES (?1, ?2, 0, 0, 0, 0, 0)
      RETURNING kind
      """,
      on: on
    )
    putKind = try Statement(
      """
      UPDATE kinds SET declared = ?2, version = ?3, count = ?4, bytes = ?5, generation = ?6,
        revision = ifnull(?7, revision), changed_at = ifnull(?8, changed_at) WHERE kind = ?1
      """,
      on: on
    )
    removeKind = try Statement("DELETE FROM kinds WHERE kind = ?1", on: on)

    addEntity = try Statement(
      "INSERT INTO entities (kind, id, mark) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
      on: on
    )
    markEntity = try Statement(
      "UPDATE entities SET mark = ?3 WHERE kind = ?1 AND id = ?2 AND mark <> ?3",
      on: on
    )
    removeEntity = try Statement("DELETE FROM entities WHERE kind = ?1 AND id = ?2", on: on)
    removeEntities = try Statement("DELETE FROM entities WHERE kind = ?1", on: on)
    unmarked = try Statement(
      "SELECT count(*), sum(length(CAST(id AS BLOB))) FROM entities WHERE kind = ?1 AND mark <> ?2",
      on: on
    )
    removeUnmarked = try Statement("DELETE FROM entities WHERE kind = ?1 AND mark <> ?2", on: on)
    isTombstone = try Statement("SELECT 1 FROM tombstones WHERE kind = ?1 AND id = ?2", on: on)
    addTombstone = try Statement(
      "INSERT INTO tombstones (kind, id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
      on: on
    )
    removeTombstone = try Statement("DELETE FROM tombstones WHERE kind = ?1 AND id = ?2", on: on)
    removeTombstones = try Statement("DELETE FROM tombstones WHERE kind = ?1", on: on)

    erasurePending = try Statement("SELECT pending FROM erasure", on: on)
    setErasurePending = try Statement("UPDATE erasure SET pending = ?1", on: on)
  }
}
