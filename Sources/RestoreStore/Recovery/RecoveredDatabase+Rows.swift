import SceneModel

/// Rows as they were read, judged one by one: only what the schema allows, and the checksum where there is one.
///
/// What a row is follows from its columns alone, so that it is found even where nothing leads to its page any more.
extension RecoveredDatabase {
  /// Larger numbers than a count of revisions or of anything else comes to; beyond it they are damage.
  private static let numbers = 0...1 << 50
  /// Keys of scenes, apps and kinds, which grow by one.
  private static let keys = 1...1 << 40
  /// How far a clock may have been ahead, in milliseconds: a year.
  private static let ahead = 366 * 86_400_000

  /// Takes a row of a table that has row numbers.
  func take(row key: Int, _ values: [RowValue]) throws(SQLiteError) {
    switch values.count {
    // The last two, which a row has that was written since they are there, say less than the scenes' rows do.
    case 6, 8: try takeUser(key, values)
    case 9: try takeRevision(key, values)
    default:
      switch Self.tree(of: values) {
      case .apps: try takeApp(key, values)
      case .kinds: try takeKind(key, values)
      case .scenes: try takeScene(key, values)
      default: return
      }
    }
  }

  /// The table of a row whose names an index has; nil: it is of none, or that cannot be told.
  private static func tree(of values: [RowValue]) -> Tree? {
    switch values.count {
    case 10: return values[4].number != nil ? .apps : .kinds
    case 11:
      // A row of an app that was written since there are checksums has a blob at its end, which may be damaged, and a
      // table before it, or none; where a row of a scene has two numbers, or none.
      switch (values[9], values[10]) {
      case (.blob, .blob), (.blob, .text), (.null, .blob), (.null, .text): return .apps
      case (.blob, _): return nil
      default: return .scenes
      }
    default: return nil
    }
  }

  /// Takes a row whose number is not believed, once all entries of the indexes were taken: under the number that the
  /// index of names has for it, or not at all.
  func take(misplaced values: [RowValue]) throws(SQLiteError) {
    if values.count == 9 { misplacedRevisions += 1 }
    guard let tree = Self.tree(of: values), let owner = values[1].number, let name = values[2].string else { return }
    let entry = try Statement(
      "SELECT key FROM temp.pairs WHERE tree = ?1 AND owner = ?2 AND name = ?3",
      on: connection
    )
    try entry.bind(tree.rawValue, owner, name)
    let keys = try entry.all { $0.integer(0) }
    if let key = keys.first, keys.count == 1 { try take(row: key, values) }
  }

  /// Takes an entry of an index, or a row of a table without row numbers.
  ///
  /// - Parameter tree: whose page it is on; nil: nothing leads there.
  func take(entry values: [RowValue], on page: Int, of tree: Tree?) throws(SQLiteError) {
    guard let owner = values.first.flatMap(Self.count) else { return }
    switch values.count {
    case 4 where tree == nil: try takeMark(owner, values)
    case 3:
      guard let last = Self.count(values[2]) else { return }
      if case .blob(let bytes) = values[1], bytes.count == 16 {
        try putEntity(owner, EntityID(uuid: bytes), last)
      } else if let text = values[1].string, let id = EntityID(text), !Self.hasControlCharacter(text) {
        if tree == .entities { return try putEntity(owner, id, last) }
        try putPair.bind(page, tree?.rawValue, owner, text, last)
        try putPair.run()
      }
    default: return
    }
  }

  private func putEntity(_ kind: Int, _ id: EntityID, _ mark: Int) throws(SQLiteError) {
    try putEntity.bind(kind, id, mark)
    try putEntity.run()
  }

  private func takeMark(_ scene: Int, _ values: [RowValue]) throws(SQLiteError) {
    guard let revision = Self.count(values[1]), let confirmed = Self.flag(values[2]),
      let quarantined = Self.flag(values[3])
    else { return }
    try putMark.bind(scene, revision, confirmed, quarantined)
    try putMark.run()
  }

  private func takeUser(_ key: Int, _ values: [RowValue]) throws(SQLiteError) {
    guard values[0].isNull, UInt32(exactly: key) != nil, let revision = Self.count(values[1]),
      let changedAt = time(values[2]), let savedAt = Self.optional(values[3], Self.count),
      let usedBytes = Self.count(values[4]), let forgotten = Self.count(values[5])
    else { return }
    try putUser.bind(key, revision, changedAt, savedAt, usedBytes, forgotten)
    try putUser.run()
  }

  private func takeApp(_ key: Int, _ values: [RowValue]) throws(SQLiteError) {
    guard values[0].isNull, Self.keys.contains(key), let uid = values[1].number.flatMap({ UInt32(exactly: $0) }),
      let name = Self.name(values[2]), let scenes = Self.count(values[3]), let kinds = Self.count(values[4]),
      let revision = Self.count(values[5])
    else { return }
    // A row that a release before wrote has no checksum.
    let stored = StoredRoutes(
      values[9].bytes,
      checksum: values.count > 10 ? values[10].bytes : [],
      revision: revision
    )
    let table = stored.bytes.flatMap { try? RouteTable(validating: $0) }
    // What the table says is read from the table again.
    let routesAt = Self.optional(values[6], Self.count) ?? nil
    try putApp.bind(
      key,
      Int(uid),
      name,
      scenes,
      kinds,
      revision,
      routesAt,
      table?.history,
      table?.maximumAgeSeconds,
      // None is made up for a table of which nothing says that it is what was set.
      table != nil && stored.hasChecksum ? values[10].bytes : []
    )
    if let table { try putApp.run(lending: table.bytes, at: 11) } else { try putApp.run() }
    if table == nil, stored.isDamaged || !values[9].isNull { try tell("the route table of app", name) }
  }

  private func takeScene(_ key: Int, _ values: [RowValue]) throws(SQLiteError) {
    guard values[0].isNull, Self.keys.contains(key), let app = Self.count(values[1]), let name = Self.name(values[2]),
      let closed = Self.flag(values[3]), let switched = Self.count(values[4]), let launches = Self.count(values[6])
    else { return }
    let rest = [5, 7, 8, 9, 10].map { Self.optional(values[$0], Self.count) ?? nil }
    try putScene.bind(
      key,
      app,
      name,
      closed,
      switched,
      rest[0],
      launches,
      rest[1],
      rest[2],
      rest[3],
      rest[4]
    )
    try putScene.run()
  }

  private func takeKind(_ key: Int, _ values: [RowValue]) throws(SQLiteError) {
    guard values[0].isNull, Self.keys.contains(key), let app = Self.count(values[1]), let name = Self.name(values[2]),
      let declared = Self.flag(values[3]), let count = Self.count(values[5]), let bytes = Self.count(values[6]),
      let generation = Self.count(values[7]), let revision = Self.count(values[8])
    else { return }
    let changedAt = Self.optional(values[9], Self.count) ?? nil
    try putKind.bind(key, app, name, declared, values[4].string, count, bytes, generation, revision, changedAt)
    try putKind.run()
  }

  /// Takes a revision; one whose checksum does not hold is only remembered as lost.
  func takeRevision(_ slot: Int, _ values: [RowValue]) throws(SQLiteError) {
    guard values[0].isNull, Self.keys.contains(slot / SceneHead.slotsPerScene), let revision = Self.count(values[1]),
      let savedAt = time(values[2]), let placedAt = Self.optional(values[3], Self.count),
      let checksum = values[5].number, case .blob(let bytes) = values[8]
    else { return }
    guard StoredState.checksum(bytes, revision) == UInt64(bitPattern: Int64(checksum)),
      let state = try? SceneState(validating: bytes, maximumRoutes: .max)
    else {
      try putLost.bind(slot, revision)
      return try putLost.run()
    }
    // The checksum covers the state and its number; what else the row says of the state is made again.
    let hash = Int(truncatingIfNeeded: state.valueHash)
    try putRevision.bind(slot, revision, savedAt, placedAt, hash, checksum, state.routes)
    try putRevision.run(lending: state.selectedTabBytes, bytes, from: 8)
  }

  // MARK: Values

  private static func count(_ value: RowValue) -> Int? { value.number.flatMap { numbers.contains($0) ? $0 : nil } }

  private static func flag(_ value: RowValue) -> Bool? {
    switch value.number {
    case 0: false
    case 1: true
    default: nil
    }
  }

  private static func optional(_ value: RowValue, _ read: (RowValue) -> Int?) -> Int?? {
    value.isNull ? .some(nil) : read(value).map { .some($0) }
  }

  /// A time; one that cannot be is taken for that of the recovery.
  private func time(_ value: RowValue) -> Int? {
    value.number.map { (0...now + Self.ahead).contains($0) ? $0 : now }
  }

  private static func name(_ value: RowValue) -> String? {
    value.string.flatMap { Names.fault($0) == nil ? $0 : nil }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { Names.hasControlCharacter($0) }
  }
}

extension EntityID {
  /// A UUID of its 16 bytes.
  fileprivate init(uuid bytes: [UInt8]) {
    let halves = bytes.withUnsafeBytes {
      (
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self = .uuid(halves.0, halves.1)
  }
}
