/// Reads every page of a damaged database for rows, and puts those that hold into a new one.
///
/// Pages are not looked for along the trees alone: one damaged inner page would take with it all that is below it.
/// What is freed is zero (`secure_delete`), so that no deleted row is found on a page that nothing leads to.
struct Salvage {
  private let source: DamagedDatabase

  init(_ source: DamagedDatabase) { self.source = source }

  /// Whether anything in it is of this program: its schema, or a revision whose checksum holds.
  func isOurs() throws(SQLiteError) -> Bool {
    var found = false
    for number in 1..<source.pageCount + 1 where !found {
      try forEachRow(of: number, .current) { (_, values) throws(SQLiteError) in
        if let entry = SchemaEntry(values) { found = found || entry.name == "revisions" }
        if values.count == 9, case .blob(let state) = values[8], let revision = values[1].number,
          let checksum = values[5].number
        {
          found = found || StoredState.checksum(state, revision) == UInt64(bitPattern: Int64(checksum))
        }
      }
    }
    return found
  }

  /// Puts all that can be read into `target`.
  func fill(_ target: RecoveredDatabase) throws(SQLiteError) {
    let trees = try self.trees()
    let order = try order()
    var misplaced: [[RowValue]] = []
    for number in 1..<source.pageCount + 1 {
      guard let page = page(number, .current) else { continue }
      try page.forEachCell(overflow: { source.page($0, .current) }) { cell throws(SQLiteError) in
        guard let values = RawRow.values(cell.record) else { return }
        if page.kind == .leafTable {
          guard order.holds(cell.key, on: number) else { return misplaced.append(values) }
          try target.take(row: cell.key, values)
        } else {
          try target.take(entry: values, on: number, of: trees[number])
        }
      }
    }
    for values in misplaced { try target.take(misplaced: values) }
    guard let log = source.log, log.fault != nil else { return }
    target.lacksCommits = log.lacksCommits
    // The log's page may be older than the one it stands in front of, where the newest frames are lost.
    for number in 1..<source.pageCount + 1 where source.isShadowed(number) {
      try forEachRow(of: number, .underlying) { (key, values) throws(SQLiteError) in
        if values.count == 9 { try target.takeRevision(key, values) }
      }
    }
  }

  /// Which rows stand where their number says.
  private func order() throws(SQLiteError) -> RowOrder {
    var tables: [(root: Int, span: Int)] = []
    for number in 1..<source.pageCount + 1 {
      try forEachRow(of: number, .current) { (_, values) throws(SQLiteError) in
        guard let entry = SchemaEntry(values) else { return }
        tables.append((entry.root, entry.name == "revisions" ? SceneHead.slotsPerScene : 1))
      }
    }
    return RowOrder(tables, pages: source.pageCount > 0 ? 1...source.pageCount : nil) { page($0, .current) }
  }

  private func page(_ number: Int, _ version: DamagedDatabase.Version) -> BTreePage? {
    source.page(number, version).flatMap { BTreePage($0, number: number) }
  }

  private func forEachRow(
    of number: Int,
    _ version: DamagedDatabase.Version,
    _ body: (Int, [RowValue]) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let page = page(number, version), page.kind == .leafTable else { return }
    try page.forEachCell(overflow: { source.page($0, version) }) { cell throws(SQLiteError) in
      if let values = RawRow.values(cell.record) { try body(cell.key, values) }
    }
  }

  /// Which page is of which tree, for the trees whose entries look alike.
  private func trees() throws(SQLiteError) -> [Int: RecoveredDatabase.Tree] {
    var trees: [Int: RecoveredDatabase.Tree] = [:]
    for number in 1..<source.pageCount + 1 {
      try forEachRow(of: number, .current) { (_, values) throws(SQLiteError) in
        guard let entry = SchemaEntry(values), let tree = entry.tree else { return }
        mark(from: entry.root, as: tree, in: &trees)
      }
    }
    return trees
  }

  private func mark(from root: Int, as tree: RecoveredDatabase.Tree, in trees: inout [Int: RecoveredDatabase.Tree]) {
    var waiting = [root]
    while let number = waiting.popLast() {
      guard trees[number] == nil, let page = page(number, .current),
        page.kind == .leafIndex || page.kind == .innerIndex
      else { continue }
      trees[number] = tree
      waiting += page.children
    }
  }
}

/// A row of `sqlite_schema`. https://sqlite.org/schematab.html
private struct SchemaEntry {
  let name: String
  let root: Int

  /// Nil where the row is none.
  init?(_ values: [RowValue]) {
    guard values.count == 5, values[0].string == "table" || values[0].string == "index",
      let name = values[1].string, let root = values[3].number
    else { return nil }
    self.name = name
    self.root = root
  }

  /// The tree, where it is one whose entries look like another's.
  var tree: RecoveredDatabase.Tree? {
    switch name {
    case "entities": .entities
    case "sqlite_autoindex_apps_1": .apps
    case "sqlite_autoindex_scenes_1": .scenes
    case "sqlite_autoindex_kinds_1": .kinds
    default: nil
    }
  }
}
