import SceneModel

/// What restoring asks of one app's entity table, answered from the database.
struct StoredEntities: EntityLookup {
  private let reader: StoreReader
  private let kinds: DeclaredKinds
  /// What was asked for, and answered.
  private(set) var asked = EntityAnswers()
  /// Whether a kind was asked for that is not declared.
  private(set) var askedUndeclared = false
  private var declared: [Int64: Bool] = [:]
  /// What was answered after more was asked than is kept: a state may name one entity a hundred thousand times.
  private var later: [Int64: [EntityID: Bool]] = [:]

  init(_ reader: StoreReader, uid: UInt32, app: String) throws(SQLiteError) {
    self.reader = reader
    kinds = try reader.declaredKinds(uid, app)
  }

  mutating func kind(named name: String) throws(SQLiteError) -> KindAnswer {
    guard let key = kinds.key(name) else {
      askedUndeclared = true
      return .undeclared
    }
    let isSyncing = reader.syncing.contains(key)
    asked.add(kind: key, isSyncing: isSyncing)
    return .declared(key: key, syncing: isSyncing)
  }

  mutating func contains(_ id: EntityID, in kind: Int64) throws(SQLiteError) -> Bool {
    if asked.answers == nil, let known = later[kind]?[id] { return known }
    let exists = try reader.exists(id, in: kind, &declared)
    asked.add(id, in: kind, exists: exists)
    if asked.answers == nil { later[kind, default: [:]][id] = exists }
    return exists
  }

  mutating func name(of kind: Int64) throws(SQLiteError) -> String {
    kinds.name(kind) ?? ""
  }
}
