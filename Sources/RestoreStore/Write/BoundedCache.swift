/// A dictionary that forgets what was not used for long, so that it never holds more than it may.
///
/// Two generations: what is looked up moves to the younger one; when that is half the bound, the
/// older one goes.
struct BoundedCache<Key: Hashable, Value> {
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]
  private let half: Int

  /// - Parameter bound: entries at most, 2 or more.
  init(bound: Int) { half = max(1, bound / 2) }

  /// Entries held.
  var count: Int { young.count + old.count }

  /// The value, which is then among the last to go.
  mutating func value(for key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old.removeValue(forKey: key) else { return nil }
    set(value, for: key)
    return value
  }

  mutating func set(_ value: Value, for key: Key) {
    if young.count >= half && young[key] == nil {
      old = young
      young = [:]
    }
    young[key] = value
    old[key] = nil
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
