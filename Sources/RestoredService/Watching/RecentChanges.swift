import RestoreStore

/// The changes of a moment ago, for watchers that could not take them at once.
///
/// All watchers share them, so that one that does not read costs the daemon no more than what waits in its connection.
struct RecentChanges {
  /// A change, and the message that tells of it.
  struct Entry {
    let change: StoreChange
    let frame: [UInt8]

    /// What the change touched is left out: watchers are not told of it, and it may be large.
    init(_ change: StoreChange, _ frame: [UInt8]) {
      var change = change
      change.touched = nil
      (self.change, self.frame) = (change, frame)
    }

    fileprivate var bytes: Int { 2 * frame.count + MemoryLayout<Entry>.stride }
  }

  /// Bytes kept, about; some thousand changes.
  static let maximumBytes = 1 << 20

  /// The place of the oldest one that is kept.
  private(set) var first = 0
  private var entries: [Entry] = []
  private var gone = 0
  private var bytes = 0

  /// The place of the next one.
  var end: Int { first + entries.count - gone }

  /// The change at a place from `first` to before `end`.
  subscript(place: Int) -> Entry { entries[gone + place - first] }

  /// Keeps a change, and lets go of the oldest ones.
  mutating func append(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.bytes
    while bytes > Self.maximumBytes, gone < entries.count {
      bytes -= entries[gone].bytes
      gone += 1
      first += 1
    }
    if gone > entries.count / 2 {
      entries.removeFirst(gone)
      gone = 0
    }
  }

  /// Lets go of all.
  mutating func removeAll() {
    first = end
    entries = []
    gone = 0
    bytes = 0
  }

  /// The first place from `place` on whose change passes; nil: there is none.
  func next(from place: Int, passing filter: WatchFilter) -> Int? {
    (max(place, first)..<max(place, end)).first { filter.passes(self[$0].change) }
  }
}
