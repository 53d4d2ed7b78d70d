import SceneModel

/// What restoring asks of one app's entity table, answered from the database.
struct StoredEntities: EntityLookup {
  private let reader: StoreReader
  private let kinds: DeclaredKinds
  /// The keys of the kinds that were asked for.
  private(set) var consulted: [Int64] = []
  /// Whether a kind was asked for that is not declared.
  private(set) var askedUndeclared = false
  private var stillDeclared: [Int64: Bool] = [:]

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
    if try reader.statements.hasEntity.first({ _ in true }) ?? false { return true }
    // Of a kind that was forgotten a moment ago nothing is missing: nothing is known any more.
    return try !isStillDeclared(kind)
  }

  /// Whether the kind is declared in what this transaction sees, which may be ahead of the changes that were applied.
  private mutating func isStillDeclared(_ kind: Int64) throws(SQLiteError) -> Bool {
    if let known = stillDeclared[kind] { return known }
    try reader.statements.isDeclared.bind(Int(kind))
    let answer = try reader.statements.isDeclared.first { _ in true } ?? false
    stillDeclared[kind] = answer
    return answer
  }

  mutating func name(of kind: Int64) throws(SQLiteError) -> String {
    kinds.name(kind) ?? ""
  }
}
