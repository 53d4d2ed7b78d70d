/// What the writer holds of a scene, so that a save reads nothing: which slots are taken, by what,
/// and what must stay.
final class SceneHead {
  /// Slots per scene in the numbering of rows; more than the longest history and the protected ones need.
  static let slotsPerScene = 2048

  /// One stored revision.
  struct Slot {
    /// Where in the ring it stands, from 0.
    let place: Int
    let revision: Int
    let size: Int
    /// Of an autosave: when its place in the history was first taken; nil: not an autosave.
    var placedAt: Int?
    var confirmed = false
    var quarantined = false
  }

  /// Where the next revision goes.
  struct Placement {
    let place: Int
    /// What stands there now; nil: nothing.
    let replaced: Slot?
    /// What goes with it: all else that is kept no longer.
    let leaving: [Slot]
    /// What the new revision's `placedAt` is; nil: not an autosave.
    let placedAt: Int?

    /// Bytes of the states that go.
    var freedBytes: Int { leaving.reduce(replaced?.size ?? 0) { $0 + $1.size } }
    /// The revisions that go.
    var goneRevisions: Set<Int> { Set((leaving + [replaced].compactMap(\.self)).map(\.revision)) }
  }

  let key: Int
  let app: Int
  let name: String
  var closed = false
  /// Launches since the last confirm.
  var launches = 0
  /// What the last launches were served, the last one first, 3 at most; 0 is the empty state.
  var launched: [Int] = []
  /// By revision, ascending.
  var slots: [Slot] = []
  /// Of the newest revision.
  var newestHash: UInt64 = 0
  /// Of the newest revision.
  var newestSavedAt = 0

  init(key: Int, app: Int, name: String) {
    self.key = key
    self.app = app
    self.name = name
  }

  /// The newest revision; nil only of a scene that is being made.
  var newest: Slot? { slots.last }

  /// The row of a place.
  func row(_ place: Int) -> Int { key * Self.slotsPerScene + place }

  /// The rows that may be this scene's.
  var rows: ClosedRange<Int> { row(0)...row(Self.slotsPerScene - 1) }

  /// The slot of a revision.
  func slot(of revision: Int) -> Slot? { slots.last { $0.revision == revision } }

  /// Bytes of all states.
  var bytes: Int { slots.reduce(0) { $0 + $1.size } }

  /// Chooses the place of the next revision.
  ///
  /// An autosave takes the newest one's place where the rule allows; else the place of the oldest
  /// that is kept no longer is taken, and of those there is one as soon as the history is full; else a free one.
  func placement(history: Int, autosave: Bool, now: Int, window: Int) -> Placement {
    if autosave, let newest, let placedAt = newest.placedAt, maySucceed(newest, placedAt, now, window) {
      return Placement(place: newest.place, replaced: newest, leaving: [], placedAt: placedAt)
    }
    var replaced: Slot?
    var leaving: [Slot] = []
    // As a rule one, which needs no list.
    for slot in slots.dropLast(history - 1) where !staysWhateverItsAge(slot) {
      if replaced == nil { replaced = slot } else { leaving.append(slot) }
    }
    let place = replaced?.place ?? freePlace
    return Placement(place: place, replaced: replaced, leaving: leaving, placedAt: autosave ? now : nil)
  }

  /// Whether an autosave may take the place of `newest`, an autosave whose place was first taken at `placedAt`.
  ///
  /// After a clock that went back it may not, so that the history does not stand still until it is right.
  private func maySucceed(_ newest: Slot, _ placedAt: Int, _ now: Int, _ window: Int) -> Bool {
    (placedAt..<placedAt + window).contains(now) && !newest.confirmed && !newest.quarantined
      && !launched.contains(newest.revision)
  }

  /// What is kept no longer when `history` of the newest stay, oldest first.
  ///
  /// Neither among those, nor the newest confirmed, the newest quarantined, or served by one of the last launches.
  func unkept(history: Int) -> [Slot] {
    slots.dropLast(history).filter { !staysWhateverItsAge($0) }
  }

  private func staysWhateverItsAge(_ slot: Slot) -> Bool {
    slot.confirmed && slot.revision == slots.last { $0.confirmed }?.revision
      || slot.quarantined && slot.revision == slots.last { $0.quarantined }?.revision
      || launched.contains(slot.revision)
  }

  /// Takes a revision out of those that are held.
  func remove(_ revision: Int) {
    // Nearly always the first one.
    if let index = slots.firstIndex(where: { $0.revision == revision }) { slots.remove(at: index) }
  }

  private var freePlace: Int {
    let taken = Set(slots.map(\.place))
    return (0..<Self.slotsPerScene).first { !taken.contains($0) } ?? Self.slotsPerScene - 1
  }
}
