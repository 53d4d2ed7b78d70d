import SceneModel

/// What restoring asks of one app's entity table, answered from the database.
struct StoredEntities: EntityLookup {
  private let reader: StoreReader
  private let kinds: DeclaredKinds
  /// The keys of the kinds that were asked for.
  private(set) var consulted: [Int64] = []
  /// Whether a kind was asked for that is not declared.
  private(set) var askedUndeclared = false

  init(_ reader: StoreReader, uid: UInt32, app: String) throws(SQLiteError) {
    self.reader = reader
    kinds = try reader.declaredKinds(uid, app)
  }

  mutating func kind(named name: String) throws(SQLiteError) -> KindAnswer {
    guard let key = kinds.key(name) else {
      askedUndeclared = true
      return .undeclared
    }
    if !consulted.contains(key) { consulted.append(key) }
    return .declared(key: key, syncing: reader.syncing.contains(key))
  }

  mutating func contains(_ id: EntityID, in kind: Int64) throws(SQLiteError) -> Bool {
    try reader.statements.hasEntity.bind(Int(kind), id)
    return try reader.statements.hasEntity.first { _ in true } ?? false
  }

  mutating func name(of kind: Int64) throws(SQLiteError) -> String {
    kinds.name(kind) ?? ""
  }
}
