/// A `BoundedCache` that is bounded in bytes, too: of what would take more than it may it begins anew.
struct SizedCache<Key: Hashable, Value> {
  private var values: BoundedCache<Key, Value>
  private var bytes = 0
  private let maximumBytes: Int
  private let size: (Value) -> Int

  /// - Parameters:
  ///   - bound: entries at most.
  ///   - size: the bytes that one takes, about.
  init(bound: Int, maximumBytes: Int, size: @escaping (Value) -> Int) {
    values = BoundedCache(bound: bound)
    self.maximumBytes = maximumBytes
    self.size = size
  }

  mutating func value(for key: Key) -> Value? { values.value(for: key) }

  mutating func set(_ value: Value, for key: Key) {
    bytes += size(value)
    if bytes > maximumBytes {
      values.removeAll()
      bytes = size(value)
    }
    values.set(value, for: key)
  }

  mutating func remove(_ key: Key) { values.remove(key) }
}
