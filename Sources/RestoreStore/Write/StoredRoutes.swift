/// What is stored as an app's route table, its checksum checked.
struct StoredRoutes {
  /// Nothing was set.
  static var none: StoredRoutes { StoredRoutes(nil, checksum: [], revision: 0) }

  /// The table's bytes; nil: there are none, or their checksum does not hold.
  let bytes: [UInt8]?
  /// The number of the last change.
  let revision: Int
  /// Whether a checksum says that the bytes are those that were set; a release before kept none.
  let hasChecksum: Bool
  /// Whether it is not what was set, as far as the checksum tells.
  let isDamaged: Bool

  /// The checksum that is kept with a table: a state's, as a blob.
  ///
  /// Seeded with the number of the last change.
  static func checksum(_ bytes: [UInt8], _ revision: Int) -> [UInt8] {
    withUnsafeBytes(of: StoredState.checksum(bytes, revision).bigEndian) { Array($0) }
  }

  /// Judges what was read.
  ///
  /// - Parameters:
  ///   - bytes: nil: NULL.
  ///   - checksum: empty: there is none; nil: what is there is no blob.
  ///   - revision: the number of the last change.
  init(_ bytes: [UInt8]?, checksum: [UInt8]?, revision: Int) {
    self.revision = revision
    hasChecksum = bytes.map { checksum == Self.checksum($0, revision) } ?? false
    isDamaged = !hasChecksum && checksum != []
    self.bytes = isDamaged ? nil : bytes
  }

  /// Reads a row of routes, routes_checksum, routes_revision, from a column on.
  init(_ row: borrowing Statement, from column: Int32 = 0) {
    self.init(
      row.isNull(column) ? nil : row.bytes(column),
      checksum: row.isBlob(column + 1) ? row.bytes(column + 1) : nil,
      revision: row.integer(column + 2)
    )
  }
}
