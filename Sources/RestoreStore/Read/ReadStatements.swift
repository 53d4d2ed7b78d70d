/// Every statement of the reader, prepared when it opens.
final class ReadStatements {
  let app, scene, place, heads, state: Statement
  let routes, nextScene, launchedAt: Statement
  let declaredKinds, isDeclared, hasEntity: Statement
  let scenes, revisions, kinds, kind, firstEntities, nextEntities: Statement
  let userCounts, lastChanges: Statement
  let nextApp, nextKind, kindNow, sceneOrder, sceneNow, newestRevision, nextRevision, isConfirmed: Statement
  let userStatus, sceneCount, entityCount, totalStatus, totalScenes, totalEntities: Statement

  init(_ on: borrowing Connection) throws(SQLiteError) {
    app = try Statement("SELECT app FROM apps WHERE uid = ?1 AND name = ?2", on: on)
    scene = try Statement("SELECT scene FROM scenes WHERE app = ?1 AND name = ?2", on: on)
    // The slot and the time are of the row that has the maximum. One row, of NULLs where there is no such scene.
    place = try Statement(
      """
      SELECT s.scene, r.slot, max(r.revision), r.saved_at
      FROM apps a JOIN scenes s ON s.app = a.app
      JOIN revisions r ON r.slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047
      WHERE a.uid = ?1 AND a.name = ?2 AND s.name = ?3
      """,
      on: on
    )
    heads = try Statement("SELECT slot, revision, saved_at FROM revisions WHERE slot BETWEEN ?1 AND ?2", on: on)
    state = try Statement(
      "SELECT revision, checksum, hash, routes, selected_tab, state, saved_at FROM revisions WHERE slot = ?1",
      on: on
    )

    routes = try Statement(
      "SELECT routes, routes_checksum, routes_revision FROM apps WHERE uid = ?1 AND name = ?2",
      on: on
    )
    nextScene = try Statement(
      """
      SELECT s.scene, s.name FROM apps a JOIN scenes s ON s.app = a.app
      WHERE a.uid = ?1 AND a.name = ?2 AND s.name > ?3 ORDER BY s.name LIMIT 1
      """,
      on: on
    )
    launchedAt = try Statement("SELECT launched_at FROM scenes WHERE scene = ?1", on: on)

    declaredKinds = try Statement(
      "SELECT kind, name FROM kinds WHERE app = ?1 AND declared = 1 ORDER BY name",
      on: on
    )
    isDeclared = try Statement("SELECT 1 FROM kinds WHERE kind = ?1 AND declared = 1", on: on)
    hasEntity = try Statement("SELECT 1 FROM entities WHERE kind = ?1 AND id = ?2", on: on)

    scenes = try Statement(
      """
      SELECT a.name, s.name, r.revision, r.saved_at, length(r.state), r.selected_tab, r.routes,
        CASE s.closed WHEN 1 THEN s.switched_at END, s.launches
      FROM apps a JOIN scenes s ON s.app = a.app AND s.closed = ?2
      JOIN revisions r ON r.slot = (
        SELECT slot FROM revisions WHERE slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047
        ORDER BY revision DESC LIMIT 1)
      WHERE a.uid = ?1 AND (?3 IS NULL OR a.name = ?3) ORDER BY r.revision DESC
      """,
      on: on
    )
    revisions = try Statement(
      """
      SELECT r.revision, r.saved_at, length(r.state), r.routes, r.selected_tab, ifnull(m.confirmed, 0),
        ifnull(m.quarantined, 0)
      FROM revisions r LEFT JOIN marks m ON m.scene = ?3 AND m.revision = r.revision
      WHERE r.slot BETWEEN ?1 AND ?2 ORDER BY r.revision DESC
      """,
      on: on
    )
    kinds = try Statement(
      "SELECT kind, name, count, version FROM kinds WHERE app = ?1 AND declared = 1 ORDER BY name",
      on: on
    )
    kind = try Statement("SELECT kind FROM kinds WHERE app = ?1 AND name = ?2", on: on)
    firstEntities = try Statement("SELECT id FROM entities WHERE kind = ?1 ORDER BY id", on: on)
    nextEntities = try Statement("SELECT id FROM entities WHERE kind = ?1 AND id > ?2 ORDER BY id", on: on)

    nextApp = try Statement(
      "SELECT app, name FROM apps WHERE uid = ?1 AND name > ?2 ORDER BY name LIMIT 1",
      on: on
    )
    nextKind = try Statement(
      """
      SELECT kind, name, revision FROM kinds WHERE app = ?1 AND name > ?2 AND declared = 1 ORDER BY name LIMIT 1
      """,
      on: on
    )
    kindNow = try Statement("SELECT revision, version FROM kinds WHERE kind = ?1 AND declared = 1", on: on)
    // A closed scene is ordered by its closing, an open one by its newest revision.
    sceneOrder = try Statement(
      """
      SELECT s.name, s.scene, CASE s.closed WHEN 1 THEN s.switched ELSE (
        SELECT max(revision) FROM revisions WHERE slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047) END
      FROM scenes s WHERE s.app = ?1 AND s.name > ?2 ORDER BY s.name LIMIT ?3
      """,
      on: on
    )
    sceneNow = try Statement(
      "SELECT name, CASE closed WHEN 1 THEN switched_at END FROM scenes WHERE scene = ?1",
      on: on
    )
    newestRevision = try Statement("SELECT max(revision) FROM revisions WHERE slot BETWEEN ?1 AND ?2", on: on)
    nextRevision = try Statement(
      """
      SELECT slot, revision FROM revisions WHERE slot BETWEEN ?1 AND ?2 AND revision > ?3 ORDER BY revision LIMIT 1
      """,
      on: on
    )
    isConfirmed = try Statement("SELECT confirmed FROM marks WHERE scene = ?1 AND revision = ?2", on: on)

    userCounts = try Statement("SELECT uid, revision, forgotten FROM user_counts", on: on)
    // The kind of change (0 saved, 1 reopened, 2 closed, 3 of a kind, 4 of the table), its number and time, the names.
    // A save that opens a closed scene bears both numbers, and is a save.
    lastChanges = try Statement(
      """
      SELECT CASE WHEN r.revision >= s.switched THEN 0 ELSE 1 + s.closed END, max(r.revision, s.switched) AS number,
        CASE WHEN r.revision >= s.switched THEN r.saved_at ELSE s.switched_at END, a.name, s.name, 0, 0
      FROM apps a JOIN scenes s ON s.app = a.app
      JOIN revisions r ON r.slot = (
        SELECT slot FROM revisions WHERE slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047
        ORDER BY revision DESC LIMIT 1)
      WHERE a.uid = ?1 AND (?2 IS NULL OR a.name = ?2) AND (?3 IS NULL OR s.name = ?3)
        AND max(r.revision, s.switched) BETWEEN ?4 AND ?5
      UNION ALL
      SELECT 3, k.revision, k.changed_at, a.name, k.name, k.kind, k.declared
      FROM apps a JOIN kinds k ON k.app = a.app
      WHERE a.uid = ?1 AND (?2 IS NULL OR a.name = ?2) AND k.revision BETWEEN ?4 AND ?5
      UNION ALL
      SELECT 4, a.routes_revision, a.routes_at, a.name, '', 0, 0
      FROM apps a
      WHERE a.uid = ?1 AND (?2 IS NULL OR a.name = ?2) AND a.routes_revision BETWEEN ?4 AND ?5
      ORDER BY number LIMIT ?6
      """,
      on: on
    )
    userStatus = try Statement("SELECT revision, saved_at, used_bytes FROM user_counts WHERE uid = ?1", on: on)
    sceneCount = try Statement("SELECT sum(scenes) FROM apps WHERE uid = ?1", on: on)
    entityCount = try Statement(
      "SELECT sum(k.count) FROM apps a JOIN kinds k ON k.app = a.app WHERE a.uid = ?1",
      on: on
    )
    totalStatus = try Statement("SELECT max(revision), max(saved_at), sum(used_bytes) FROM user_counts", on: on)
    totalScenes = try Statement("SELECT sum(scenes) FROM apps", on: on)
    totalEntities = try Statement("SELECT sum(count) FROM kinds", on: on)
  }
}
