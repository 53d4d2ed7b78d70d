import RestoreStore

/// What of one user was erased since the start, one by one: no table tells it.
///
/// Bounded: beyond that the oldest are known only as a number up to which something was erased.
struct ForgottenLog {
  /// Erasures that are remembered; about 200 bytes each.
  private static let maximum = 2_048

  private struct Key: Hashable {
    let app: ExactName
    let isKind: Bool
    let name: ExactName
  }

  /// The newest erasure that is not known one by one; 0: there is none.
  private(set) var unknown: Int
  private var last: [Key: StoreChange] = [:]
  /// Oldest first; also those whose scene or kind is there again.
  private var order: [StoreChange] = []

  /// - Parameter unknown: the number of the last erasure before the start; 0: there was none.
  init(unknown: Int) { self.unknown = unknown }

  /// Takes notice of a change: an erasure is remembered until there is something of that name again.
  mutating func note(_ change: StoreChange) {
    if change.type != .forgotten {
      if !last.isEmpty, let key = key(change) { last[key] = nil }
      return
    }
    guard let key = key(change) else { return }
    last[key] = change
    order.append(change)
    if order.count > Self.maximum { forgetOldest() }
  }

  /// Gives up a quarter at once, so that the array is not moved each time.
  private mutating func forgetOldest() {
    for change in order.prefix(Self.maximum / 4) {
      guard let key = key(change), last[key]?.revision == change.revision else { continue }
      last[key] = nil
      unknown = change.revision
    }
    order.removeFirst(Self.maximum / 4)
  }

  /// The erasures in `numbers` that pass, by number.
  func changes(_ numbers: ClosedRange<Int>, passing filter: WatchFilter) -> [StoreChange] {
    if last.isEmpty { return [] }
    return last.values.filter { numbers.contains($0.revision) && filter.passes($0) }
      .sorted { $0.revision < $1.revision }
  }

  private func key(_ change: StoreChange) -> Key? {
    switch change.subject {
    case .scene(let name): Key(app: ExactName(change.app), isKind: false, name: ExactName(name))
    case .kind(let name, key: _): Key(app: ExactName(change.app), isKind: true, name: ExactName(name))
    case .routes: nil
    }
  }
}
