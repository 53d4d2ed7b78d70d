/// A dictionary that forgets what was not used for long, so that it never holds more than it may.
///
/// Two generations: what is looked up moves to the younger one; when that is half the bound, the
/// older one goes, and leaves its room to the next. The older one may hold a value that the younger one has
/// replaced, which nobody gets to see.
struct BoundedCache<Key: Hashable, Value> {
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]
  private let half: Int

  /// - Parameter bound: entries at most, 2 or more.
  init(bound: Int) { half = max(1, bound / 2) }

  /// The value, which is then among the last to go.
  mutating func value(for key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old.removeValue(forKey: key) else { return nil }
    young[key] = value
    return value
  }

  mutating func set(_ value: Value, for key: Key) {
    hold(value, for: key)
    trim()
  }

  /// Sets a value and lets go of none, until `trim` is called.
  mutating func hold(_ value: Value, for key: Key) { young[key] = value }

  /// Lets go of what is more than may be held.
  mutating func trim() {
    if young.count < half { return }
    if young.count >= 2 * half { return removeAll() }
    swap(&young, &old)
    young.removeAll(keepingCapacity: true)
  }

  mutating func remove(_ key: Key) {
    young[key] = nil
    old[key] = nil
  }

  mutating func removeAll() {
    young = [:]
    old = [:]
  }
}
