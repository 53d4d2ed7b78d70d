/// What the writer holds in memory of the database, loaded when it is first asked for: always equal to what the open
/// transaction sees, and between two commands never more than the bounds.
///
/// Of each app, scene and kind there is one record at most that a command can meet: of two, one would not know what
/// the other has been told. So nothing is let go of but by `trim`, and whoever rolls back clears all.
final class Ledger {
  /// Apps and kinds that are held.
  private static let others = 1024

  private struct Name: Hashable {
    let owner: Int
    let name: ExactName
  }

  private let statements: WriteStatements
  private var users: [UInt32: UserRecord] = [:]
  private var apps = BoundedCache<Name, AppRecord>(bound: others)
  private var heads: BoundedCache<Name, SceneHead>
  private var kinds = BoundedCache<Name, KindRecord>(bound: others)
  // As a rule whoever is asked for was asked for last: no name is hashed then.
  private var lastUser: UserRecord?
  private var lastApp: (uid: UInt32, app: AppRecord)?

  /// - Parameter scenes: that are held at most between two commands.
  init(_ statements: WriteStatements, scenes: Int) {
    self.statements = statements
    heads = BoundedCache(bound: scenes)
  }

  /// Forgets everything: what is asked for next comes from the database.
  func clear() {
    users = [:]
    apps.removeAll()
    heads.removeAll()
    kinds.removeAll()
    lastUser = nil
    lastApp = nil
  }

  /// Lets go of what was not used for long; between two commands, whose records nobody has any more.
  func trim() {
    apps.trim()
    heads.trim()
    kinds.trim()
  }

  /// Refuses numbers that this program cannot have stored: each is less than 2^50, and added up they fit an integer.
  private func check(_ numbers: Int?...) throws(SQLiteError) {
    for number in numbers where number.map({ !StoredNumber.isValid($0) }) ?? false { throw StoredNumber.fault }
  }

  // MARK: Users

  /// The user, who exists from now on if only in memory.
  func user(_ uid: UInt32) throws(SQLiteError) -> UserRecord {
    if let lastUser, lastUser.uid == uid { return lastUser }
    let user = if let user = users[uid] { user } else { try loadUser(uid) }
    lastUser = user
    return user
  }

  private func loadUser(_ uid: UInt32) throws(SQLiteError) -> UserRecord {
    let user = UserRecord(uid: uid)
    try statements.user.bind(Int(uid))
    let found: Void? = try statements.user.first { row in
      user.revision = row.integer(0)
      user.changedAt = row.integer(1)
      user.savedAt = row.optionalInteger(2)
      user.usedBytes = row.integer(3)
      user.forgotten = row.integer(4)
      user.written = row.integer(5)
      user.named = row.optionalInteger(6)
    }
    try check(user.revision, user.changedAt, user.savedAt, user.usedBytes, user.forgotten, user.written, user.named)
    user.isStored = found != nil
    if found == nil {
      user.revision = try statements.firstNumber.first { $0.integer(0) } ?? 0
      user.forgotten = user.revision
    }
    users[uid] = user
    return user
  }

  /// Writes the users whose rows are behind by more than the database can tell.
  func flushUsers() throws(SQLiteError) {
    for user in users.values where user.isDirty { try flush(user) }
    // Every user there is would be held for ever otherwise.
    if users.count > Self.others { (users, lastUser) = ([:], nil) }
  }

  private func flush(_ user: UserRecord) throws(SQLiteError) {
    try statements.putUser.bind(
      Int(user.uid),
      user.revision,
      user.changedAt,
      user.savedAt,
      user.usedBytes,
      user.forgotten,
      user.candidate?.key,
      user.candidate?.bytes
    )
    try statements.putUser.run()
    user.noteWritten()
  }

  // MARK: Apps

  /// The app; nil: there is none of this name.
  func app(_ uid: UInt32, _ name: String) throws(SQLiteError) -> AppRecord? {
    let exactName = ExactName(name)
    if let lastApp, lastApp.uid == uid, ExactName(lastApp.app.name) == exactName { return lastApp.app }
    let place = Name(owner: Int(uid), name: exactName)
    let app = if let app = apps.value(for: place) { app } else { try loadApp(uid, name, place) }
    if let app { lastApp = (uid, app) }
    return app
  }

  private func loadApp(_ uid: UInt32, _ name: String, _ place: Name) throws(SQLiteError) -> AppRecord? {
    try statements.app.bind(Int(uid), name)
    let app = try statements.app.first { row in
      let app = AppRecord(key: row.integer(0), name: name)
      app.scenes = row.integer(1)
      app.kinds = row.integer(2)
      app.history = row.optionalInteger(3)
      app.hasRoutes = row.integer(4) != 0
      app.maximumAgeSeconds = row.optionalInteger(5)
      return app
    }
    guard let app else { return nil }
    try check(app.key, app.scenes, app.kinds, app.history, app.maximumAgeSeconds)
    apps.hold(app, for: place)
    return app
  }

  /// How many apps the user has.
  func countApps(_ uid: UInt32) throws(SQLiteError) -> Int {
    try statements.countApps.bind(Int(uid))
    return try statements.countApps.first { $0.integer(0) } ?? 0
  }

  /// Makes an app.
  func addApp(_ user: UserRecord, _ name: String) throws(SQLiteError) -> AppRecord {
    if !user.isStored { try flush(user) }
    try statements.addApp.bind(Int(user.uid), name)
    let app = AppRecord(key: try statements.addApp.key(), name: name)
    apps.hold(app, for: Name(owner: Int(user.uid), name: ExactName(name)))
    return app
  }

  /// Writes how many scenes and kinds the app has, or takes it away where nothing of it is left.
  func count(_ app: AppRecord, of uid: UInt32) throws(SQLiteError) {
    if app.scenes == 0 && app.kinds == 0 && !app.hasRoutes {
      try statements.removeApp.bind(app.key)
      try statements.removeApp.run()
      apps.remove(Name(owner: Int(uid), name: ExactName(app.name)))
      lastApp = nil
    } else {
      try statements.countInApp.bind(app.key, app.scenes, app.kinds)
      try statements.countInApp.run()
    }
  }

  // MARK: Scenes

  /// The scene's head; nil: there is no such scene.
  func head(_ app: AppRecord, _ name: String) throws(SQLiteError) -> SceneHead? {
    let place = Name(owner: app.key, name: ExactName(name))
    if let head = heads.value(for: place) { return head }
    guard let head = try loadHead(app, name) else { return nil }
    heads.hold(head, for: place)
    return head
  }

  private func loadHead(_ app: AppRecord, _ name: String) throws(SQLiteError) -> SceneHead? {
    try statements.scene.bind(app.key, name)
    let head = try statements.scene.first { row in
      let head = SceneHead(key: row.integer(0), app: app.key, name: name)
      head.closed = row.bool(1)
      head.launches = row.integer(2)
      head.launched = (3...5).compactMap { row.optionalInteger($0) }
      return head
    }
    guard let head else { return nil }
    try check(head.key, head.launches)
    for revision in head.launched { try check(revision) }
    try loadSlots(of: head)
    try loadMarks(of: head)
    return head
  }

  private func loadSlots(of head: SceneHead) throws(SQLiteError) {
    try statements.heads.bind(head.rows.lowerBound, head.rows.upperBound)
    var newest = 0
    while try statements.heads.step() {
      let revision = statements.heads.integer(1)
      head.slots.append(
        SceneHead.Slot(
          place: statements.heads.integer(0) - head.rows.lowerBound,
          revision: revision,
          size: statements.heads.integer(2),
          placedAt: statements.heads.optionalInteger(3)
        )
      )
      guard revision > newest else { continue }
      newest = revision
      head.newestHash = UInt64(bitPattern: Int64(statements.heads.integer(4)))
      head.newestSavedAt = statements.heads.integer(5)
    }
    for slot in head.slots { try check(slot.revision, slot.placedAt) }
    try check(head.newestSavedAt)
    head.slots.sort { $0.revision < $1.revision }
  }

  private func loadMarks(of head: SceneHead) throws(SQLiteError) {
    try statements.marks.bind(head.key)
    while try statements.marks.step() {
      let revision = statements.marks.integer(0)
      guard let index = head.slots.firstIndex(where: { $0.revision == revision }) else { continue }
      head.slots[index].confirmed = statements.marks.bool(1)
      head.slots[index].quarantined = statements.marks.bool(2)
    }
  }

  /// Makes a scene, without a revision.
  func addScene(_ app: AppRecord, _ name: String) throws(SQLiteError) -> SceneHead {
    try statements.addScene.bind(app.key, name)
    let head = SceneHead(key: try statements.addScene.key(), app: app.key, name: name)
    heads.hold(head, for: Name(owner: app.key, name: ExactName(name)))
    return head
  }

  /// Forgets all heads, where something was written to many of them at once.
  func forgetHeads() { heads.removeAll() }

  /// Forgets a scene that is gone.
  func drop(_ head: SceneHead) {
    heads.remove(Name(owner: head.app, name: ExactName(head.name)))
  }

  // MARK: Kinds

  /// The kind, declared or not; nil: there is none of this name.
  func kind(_ app: AppRecord, _ name: String) throws(SQLiteError) -> KindRecord? {
    if let kind = kinds.value(for: Name(owner: app.key, name: ExactName(name))) { return kind }
    try statements.kind.bind(app.key, name)
    return try keep(statements.kind.first(Self.kind))
  }

  /// The kind with this key.
  func kind(key: Int) throws(SQLiteError) -> KindRecord? {
    try statements.kindByKey.bind(key)
    guard let found = try statements.kindByKey.first(Self.kind) else { return nil }
    // The one that is held already, where there is one: two records of one kind would part.
    if let held = kinds.value(for: Name(owner: found.app, name: ExactName(found.name))) { return held }
    return try keep(found)
  }

  private func keep(_ kind: KindRecord?) throws(SQLiteError) -> KindRecord? {
    if let kind {
      try check(kind.key, kind.count, kind.bytes, kind.generation)
      kinds.hold(kind, for: Name(owner: kind.app, name: ExactName(kind.name)))
    }
    return kind
  }

  private static func kind(_ row: borrowing Statement) -> KindRecord {
    let kind = KindRecord(key: row.integer(0), app: row.integer(1), name: row.text(2))
    kind.declared = row.bool(3)
    kind.version = row.optionalText(4)
    kind.count = row.integer(5)
    kind.bytes = row.integer(6)
    kind.generation = row.integer(7)
    return kind
  }

  /// Makes a kind that is not declared.
  func addKind(_ app: AppRecord, _ name: String) throws(SQLiteError) -> KindRecord {
    try statements.addKind.bind(app.key, name)
    let kind = KindRecord(key: try statements.addKind.key(), app: app.key, name: name)
    kinds.hold(kind, for: Name(owner: app.key, name: ExactName(name)))
    return kind
  }

  /// Writes a kind.
  ///
  /// - Parameter change: the number and time of the change; nil: nothing that anyone sees changed.
  func put(_ kind: KindRecord, change: (revision: Int, time: Int)?) throws(SQLiteError) {
    try statements.putKind.bind(
      kind.key,
      kind.declared,
      kind.version,
      kind.count,
      kind.bytes,
      kind.generation,
      change?.revision,
      change?.time
    )
    try statements.putKind.run()
  }

  /// Forgets a kind that is gone.
  func drop(_ kind: KindRecord) {
    kinds.remove(Name(owner: kind.app, name: ExactName(kind.name)))
  }
}

extension Statement {
  /// Runs an INSERT … RETURNING of a key.
  fileprivate func key() throws(SQLiteError) -> Int {
    // All rows are inserted before the first is returned. https://sqlite.org/lang_returning.html
    try first { $0.integer(0) } ?? 0
  }
}
