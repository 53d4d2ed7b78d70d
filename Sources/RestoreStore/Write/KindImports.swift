/// The kinds that have ids of imports alone, as far as this process knows.
///
/// Of those, and of no others, a record's `version` is the mark of what is there.
struct KindImports {
  /// Ids of each kind, by key, when an import last added to it.
  private var counts: [Int: Int] = [:]
  /// Kinds that are known: of others an app puts all ids once more.
  private static let maximum = 4_096

  /// Whether all that a kind has came from imports.
  func isAlone(_ kind: KindRecord) -> Bool {
    (kind.count == 0 && kind.version == nil) || counts[kind.key] == kind.count
  }

  /// Notes that an import added to a kind that `isAlone`.
  mutating func note(_ kind: KindRecord) {
    if counts.count == Self.maximum && counts[kind.key] == nil { counts = [:] }
    counts[kind.key] = kind.count
  }
}
