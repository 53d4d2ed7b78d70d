/// Putting in order what was read: names from the indexes, counts, numbers, and what belongs to nothing.
extension RecoveredDatabase {
  /// How far the count of a user's numbers goes on ahead.
  ///
  /// More than the log can have held of numbers that were handed out and are lost now: it is emptied at 16,000 pages,
  /// a commit writes one of them at least and gives 1,024 numbers at most; and a user's row may lack 1,024 more.
  private static let leap = 20_000_000
  /// The same for the keys of scenes and kinds, and for the generations of syncs, of which a commit makes as many.
  private static let keyLeap = 10_000_000
  /// Names that a report lists.
  private static let namesTold = 100

  /// Notes something of this name as lost, for the report.
  func tell(_ what: String, _ name: String) throws(SQLiteError) {
    let note = try Statement("INSERT INTO temp.told VALUES (?1, ?2)", on: connection)
    try note.bind(what, name)
    try note.run()
  }

  /// Puts in order what was read.
  ///
  /// - Returns: what was recovered, and what was not.
  func finish() throws(SQLiteError) -> Recovered {
    try connection.execute(Self.sortPairs)
    try connection.execute(Self.takeNames)
    var recovered = Recovered()
    recovered.namelessScenes = try connection.integer(Self.namelessSQL)
    try connection.execute(Self.removeOrphans)
    try connection.execute(Self.judgeKinds)
    if lacksCommits { try connection.execute(Self.doubtKinds) }
    recovered.missingScenes = try connection.integer(
      """
      SELECT ifnull(sum(max(a.scenes - (SELECT count(*) FROM scenes s WHERE s.app = a.app), 0)), 0) FROM apps a
      """
    )
    try connection.execute(Self.countAll)
    try advanceNumbers()
    recovered.damagedRevisions = try connection.integer(Self.lostSQL) + misplacedRevisions
    recovered.scenes = try connection.integer("SELECT count(*) FROM scenes")
    recovered.revisions = try connection.integer("SELECT count(*) FROM revisions")
    recovered.entities = try connection.integer("SELECT count(*) FROM entities")
    recovered.doubtfulKinds = try connection.integer(
      "SELECT count(*) FROM temp.told WHERE what = 'the kind'"
    )
    recovered.damagedTables = try connection.integer(
      "SELECT count(*) FROM temp.told WHERE what = 'the route table of app'"
    )
    let told = try Statement("SELECT what || ' ' || name FROM temp.told LIMIT ?1", on: connection)
    try told.bind(Self.namesTold)
    recovered.told = try told.all { $0.text(0) }
    try connection.execute("DROP TABLE temp.pairs; DROP TABLE temp.lost; DROP TABLE temp.told")
    return recovered
  }

  private func advanceNumbers() throws(SQLiteError) {
    let advance = try Statement(Self.advanceUsers, on: connection)
    try advance.bind(Self.leap)
    try advance.run()
    let kinds = try Statement("UPDATE kinds SET generation = generation + ?1", on: connection)
    try kinds.bind(Self.keyLeap)
    try kinds.run()
    try connection.execute("DELETE FROM sqlite_sequence")
    // Of users who are lost altogether nothing tells how far their numbers were: nobody has changed something each
    // second since 1970. `Ledger.user` begins from it.
    let sequences = try Statement(
      """
      INSERT INTO sqlite_sequence (name, seq)
      SELECT 'scenes', ?1 + ifnull(max(scene), 0) FROM scenes UNION ALL
      SELECT 'kinds', ?1 + ifnull(max(kind), 0) FROM kinds UNION ALL
      SELECT 'users', max(?2, ifnull(max(revision), 0)) FROM users
      """,
      on: connection
    )
    try sequences.bind(Self.keyLeap, now / 1_000)
    try sequences.run()
  }

  /// Entries of a page to which nothing leads: an index's agree with the rows that it is of, an entity's do not.
  private static let sortPairs: StaticString = """
    UPDATE temp.pairs SET tree = 'scenes' WHERE tree IS NULL AND page IN (
      SELECT page FROM temp.pairs p WHERE tree IS NULL GROUP BY page HAVING count(*) < 2 * sum(
        EXISTS (SELECT 1 FROM scenes s WHERE s.scene = p.key AND s.app = p.owner AND s.name = p.name)));
    UPDATE temp.pairs SET tree = 'kinds' WHERE tree IS NULL AND page IN (
      SELECT page FROM temp.pairs p WHERE tree IS NULL GROUP BY page HAVING count(*) < 2 * sum(
        EXISTS (SELECT 1 FROM kinds k WHERE k.kind = p.key AND k.app = p.owner AND k.name = p.name)));
    UPDATE temp.pairs SET tree = 'apps' WHERE tree IS NULL AND page IN (
      SELECT page FROM temp.pairs p WHERE tree IS NULL GROUP BY page HAVING count(*) < 2 * sum(
        EXISTS (SELECT 1 FROM apps a WHERE a.app = p.key AND a.uid = p.owner AND a.name = p.name)));
    """

  /// Rows that are lost but for their entry in the index of names.
  ///
  /// A kind's ids are not known to be all there then.
  private static let takeNames: StaticString = """
    DELETE FROM temp.pairs WHERE tree IN ('apps', 'scenes', 'kinds') AND
      (length(CAST(name AS BLOB)) > 255 OR key NOT BETWEEN 1 AND 1 << 40);
    INSERT OR IGNORE INTO apps (app, uid, name, scenes, kinds, routes_revision)
      SELECT key, owner, name, 0, 0, 0 FROM temp.pairs WHERE tree = 'apps' AND owner < 1 << 32;
    INSERT OR IGNORE INTO scenes (scene, app, name, closed, switched, launches)
      SELECT key, owner, name, 0, 0, 0 FROM temp.pairs WHERE tree = 'scenes';
    INSERT OR IGNORE INTO kinds (kind, app, name, declared, count, bytes, generation, revision)
      SELECT key, owner, name, 0, 0, 0, 0, 0 FROM temp.pairs WHERE tree = 'kinds';
    INSERT OR IGNORE INTO entities SELECT owner, name, key FROM temp.pairs WHERE tree IS NULL;
    """

  private static let namelessSQL: StaticString = """
    SELECT count(DISTINCT slot / 2048) FROM revisions WHERE slot / 2048 NOT IN
      (SELECT scene FROM scenes WHERE app IN (SELECT app FROM apps))
    """

  private static let removeOrphans: StaticString = """
    DELETE FROM scenes WHERE app NOT IN (SELECT app FROM apps);
    DELETE FROM kinds WHERE app NOT IN (SELECT app FROM apps);
    DELETE FROM revisions WHERE slot / 2048 NOT IN (SELECT scene FROM scenes);
    INSERT INTO temp.told SELECT 'all revisions of scene', s.name || ' of app ' || a.name FROM scenes s
      JOIN apps a ON a.app = s.app WHERE NOT EXISTS
      (SELECT 1 FROM revisions WHERE slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047);
    INSERT INTO temp.told SELECT 'revision ' || l.revision || ' of scene', s.name || ' of app ' || a.name
      FROM temp.lost l JOIN scenes s ON s.scene = l.slot / 2048 JOIN apps a ON a.app = s.app
      WHERE NOT EXISTS (SELECT 1 FROM revisions r WHERE r.slot = l.slot AND r.revision >= l.revision);
    DELETE FROM scenes WHERE NOT EXISTS
      (SELECT 1 FROM revisions WHERE slot BETWEEN scene * 2048 AND scene * 2048 + 2047);
    DELETE FROM marks WHERE NOT EXISTS
      (SELECT 1 FROM revisions r WHERE r.slot / 2048 = marks.scene AND r.revision = marks.revision
        AND r.slot BETWEEN marks.scene * 2048 AND marks.scene * 2048 + 2047);
    DELETE FROM entities WHERE kind NOT IN (SELECT kind FROM kinds);
    """

  private static let lostSQL: StaticString = """
    SELECT count(*) FROM temp.lost l WHERE NOT EXISTS
      (SELECT 1 FROM revisions r WHERE r.slot = l.slot AND r.revision >= l.revision)
    """

  /// Of a kind whose ids are not as many as it had, none that is not there counts as missing until the app says so again.
  private static let judgeKinds: StaticString = """
    CREATE TEMP TABLE counted AS
      SELECT kind, count(*) AS ids, sum(length(CAST(id AS BLOB))) AS bytes FROM entities GROUP BY kind;
    INSERT INTO temp.told SELECT 'the kind', k.name || ' of app ' || a.name FROM kinds k JOIN apps a ON a.app = k.app
      LEFT JOIN temp.counted c ON c.kind = k.kind
      WHERE k.count <> ifnull(c.ids, 0) OR k.bytes <> ifnull(c.bytes, 0);
    UPDATE kinds SET declared = 0, version = NULL WHERE kind IN (SELECT k.kind FROM kinds k
      LEFT JOIN temp.counted c ON c.kind = k.kind
      WHERE k.count <> ifnull(c.ids, 0) OR k.bytes <> ifnull(c.bytes, 0));
    UPDATE kinds SET count = ifnull((SELECT ids FROM temp.counted c WHERE c.kind = kinds.kind), 0),
      bytes = ifnull((SELECT bytes FROM temp.counted c WHERE c.kind = kinds.kind), 0);
    DROP TABLE temp.counted;
    """

  /// An id and the count of its kind's ids may be lost with one commit: so of no kind it is known what is there.
  private static let doubtKinds: StaticString = """
    INSERT INTO temp.told SELECT 'the kind', k.name || ' of app ' || a.name FROM kinds k JOIN apps a ON a.app = k.app
      WHERE k.declared = 1;
    UPDATE kinds SET declared = 0, version = NULL;
    """

  private static let countAll: StaticString = """
    UPDATE apps SET scenes = (SELECT count(*) FROM scenes s WHERE s.app = apps.app),
      kinds = (SELECT count(*) FROM kinds k WHERE k.app = apps.app);
    DELETE FROM apps WHERE scenes = 0 AND kinds = 0 AND routes_revision = 0;
    INSERT OR IGNORE INTO users (uid, revision, changed_at, used_bytes, forgotten)
      SELECT DISTINCT uid, 0, 0, 0, 0 FROM apps;
    """

  /// The numbers go on beyond any that may have been given, and all that was before counts as possibly unknown.
  private static let advanceUsers: StaticString = """
    WITH mine AS (
      SELECT a.uid, max(r.revision) AS number, max(r.saved_at) AS time, sum(length(r.state)) AS bytes FROM apps a
        JOIN scenes s ON s.app = a.app
        JOIN revisions r ON r.slot BETWEEN s.scene * 2048 AND s.scene * 2048 + 2047 GROUP BY a.uid
      UNION ALL
      SELECT a.uid, max(k.revision), max(ifnull(k.changed_at, 0)), sum(k.bytes) FROM apps a
        JOIN kinds k ON k.app = a.app GROUP BY a.uid
      UNION ALL
      SELECT a.uid, max(s.switched), 0, 0 FROM apps a JOIN scenes s ON s.app = a.app GROUP BY a.uid
      UNION ALL
      SELECT uid, max(routes_revision), 0, 0 FROM apps GROUP BY uid),
    whole AS (SELECT uid, max(number) AS number, max(time) AS time, sum(bytes) AS bytes FROM mine GROUP BY uid)
    UPDATE users SET
      revision = ?1 + max(revision, ifnull((SELECT number FROM whole w WHERE w.uid = users.uid), 0)),
      forgotten = ?1 + max(revision, ifnull((SELECT number FROM whole w WHERE w.uid = users.uid), 0)),
      changed_at = max(changed_at, ifnull((SELECT time FROM whole w WHERE w.uid = users.uid), 0)),
      used_bytes = ifnull((SELECT bytes FROM whole w WHERE w.uid = users.uid), 0)
    """
}

/// What a recovery came to.
package struct Recovered: Hashable, Sendable {
  /// Scenes, revisions and entities in the new database.
  package var scenes = 0
  package var revisions = 0
  package var entities = 0
  /// Revisions whose row was read, and whose checksum does not hold or whose row cannot be said to be the scene's.
  package var damagedRevisions = 0
  /// Scenes of which revisions were read, but not what they are called.
  package var namelessScenes = 0
  /// Scenes that their apps counted and that were not found.
  package var missingScenes = 0
  /// Kinds that have not all the ids that they had.
  package var doubtfulKinds = 0
  /// Route tables that no longer are any.
  package var damagedTables = 0
  /// What was lost by name, as far as it is known; 100 lines at most.
  package var told: [String] = []
}
