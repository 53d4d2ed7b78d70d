import JSONText

/// A revision as it is stored, its checksum checked.
struct StoredState {
  let revision: Int
  let savedAt: Int
  /// Of the value, order-free.
  let hash: UInt64
  let routes: Int
  /// In UTF-8; nil for none.
  let selectedTab: ArraySlice<UInt8>?
  let bytes: [UInt8]

  /// The checksum that is kept with a state.
  ///
  /// Seeded with the revision, so that bytes of another revision do not pass.
  ///
  /// The pages of a database have none of their own: a flipped byte of a payload passes an integrity check.
  static func checksum(_ bytes: [UInt8], _ revision: Int) -> UInt64 {
    XXH64.hash(bytes, seed: UInt64(bitPattern: Int64(revision)))
  }

  /// Reads a row of revision, checksum, hash, routes, selected_tab, state, saved_at.
  ///
  /// - Returns: nil where the slot holds another revision, or bytes that its checksum does not fit.
  init?(_ row: borrowing Statement, revision: Int) {
    guard row.integer(0) == revision else { return nil }
    bytes = row.bytes(5)
    guard Self.checksum(bytes, revision) == UInt64(bitPattern: Int64(row.integer(1))) else { return nil }
    self.revision = revision
    savedAt = row.integer(6)
    hash = UInt64(bitPattern: Int64(row.integer(2)))
    routes = row.integer(3)
    selectedTab = row.isNull(4) ? nil : row.bytes(4)[...]
  }
}
