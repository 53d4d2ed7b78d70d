import RestoreInterface

/// Ids in portions that one call takes.
struct IDPortion {
  /// Bytes of ids in one portion: many calls' worth of small ones fit into a message, and none waits long for another.
  static let maximumBytes = 1 << 20

  private(set) var ids: [String] = []
  private var bytes = 0

  /// Whether the call is full.
  var isFull: Bool { ids.count >= RestoredInterface.maximumIDs || bytes >= Self.maximumBytes }

  /// Takes one more.
  mutating func append(_ id: some EntityIdentifier) {
    let text = id.entityText
    ids.append(text)
    bytes += text.utf8.count
  }
}

/// A sequence's ids, portion by portion.
struct IDPortions<IDs: Sequence> where IDs.Element: EntityIdentifier {
  private var iterator: IDs.Iterator
  private var ahead: IDs.Element?

  init(_ ids: IDs) {
    iterator = ids.makeIterator()
    ahead = iterator.next()
  }

  /// Whether `next` has given all.
  var isAtEnd: Bool { ahead == nil }

  /// The next portion; of an empty sequence an empty one.
  mutating func next() -> [String] {
    var portion = IDPortion()
    while !portion.isFull, let id = ahead {
      portion.append(id)
      ahead = iterator.next()
    }
    return portion.ids
  }
}
