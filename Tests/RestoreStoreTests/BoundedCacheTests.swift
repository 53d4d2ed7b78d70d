import TestSupport
import Testing

@testable import RestoreStore

@Suite("What is remembered is the newest, is what was used last, and is never more than it may be")
struct BoundedCacheTests {
  private static let bound = 16
  private static let keys = 0..<40

  /// How many keys it would answer for.
  private func held(_ cache: BoundedCache<Int, Int>) -> Int {
    // Each asked of a copy of its own: an answer moves a key among the last to go.
    Self.keys.count { key in
      var copy = cache
      return copy.value(for: key) != nil
    }
  }

  @Test("20,000 steps as a dictionary would have them", arguments: [1, 2, 3] as [UInt64])
  func likeADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var cache = BoundedCache<Int, Int>(bound: Self.bound)
    var model: [Int: Int] = [:]
    var lately: [Int] = []
    for step in 0..<20_000 {
      let key = Int.random(in: Self.keys, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        cache.remove(key)
        model[key] = nil
        lately.removeAll { $0 == key }
        continue
      case 1...4:
        cache.set(step, for: key)
        model[key] = step
      default:
        guard let value = cache.value(for: key) else {
          #expect(!lately.suffix(Self.bound / 2 - 1).contains(key), "step \(step): \(key) was used a moment ago")
          continue
        }
        #expect(value == model[key], "step \(step): \(key)")
      }
      lately.removeAll { $0 == key }
      lately.append(key)
      if step.isMultiple(of: 100) { #expect(held(cache) <= Self.bound) }
    }
  }

  @Test("a value that was replaced does not come back with the older generation")
  func replaced() {
    var cache = BoundedCache<Int, Int>(bound: 4)
    cache.set(1, for: 1)
    cache.set(0, for: 2)
    // 1 is in the older generation now; set anew, it is in both.
    cache.set(2, for: 1)
    cache.remove(1)
    #expect(cache.value(for: 1) == nil)
    #expect(cache.value(for: 2) == 0)
    cache.removeAll()
    #expect(cache.value(for: 2) == nil)
  }
}
