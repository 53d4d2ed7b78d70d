/// A sync under way.
///
/// It lives in memory: a restart makes it lapse.
struct Sync {
  let uid: UInt32
  let app: String
  let kind: String
  let key: Int
  /// Of the kind; what was put since the sync began bears it.
  let generation: Int
  /// When it lapses, on the steady clock.
  var deadline: Int
  /// Ids it put that were not in the table.
  var added = 0
  /// Bytes of ids deleted since it began, which are kept until it ends.
  var tombstoneBytes = 0
  /// Beyond so many the sync lapses: deleting always works, and is not to fill the disk.
  static let tombstoneMaximum = 4 << 20
  /// The version that was last put with it.
  var version: String?

  /// Its name on the wire: the kind's key and the generation, a pair that never comes again.
  var name: String { "\(key)-\(generation)" }

  /// The key and the generation in a name; nil: it is no name of a sync.
  static func parts(of name: String) -> (key: Int, generation: Int)? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = Int(parts[0]), let generation = Int(parts[1]) else { return nil }
    let isSpelledSo = "\(key)-\(generation)" == name
    return isSpelledSo ? (key, generation) : nil
  }

  /// That answers about its kind change, because it began or is over.
  func change(_ isRunning: Bool) -> StoreChange {
    StoreChange(
      uid: uid,
      app: app,
      subject: .kind(kind, key: Int64(key)),
      type: .syncing(isRunning),
      revision: 0,
      time: 0
    )
  }
}
