/// The 64-bit xxHash of a run of bytes.
///
/// Not cryptographic: it tells a flipped byte and finds equal values, and withstands no forger.
/// Source: the specification at github.com/Cyan4973/xxHash (`doc/xxhash_spec.md`); `xxhsum -H64` gives the same.
package enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Hashes `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: any number of bytes.
  ///   - seed: another seed gives another, unrelated hash.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    guard let base = bytes.baseAddress else { return avalanche(seed &+ prime5) }
    var next = base
    let end = base + bytes.count
    var hash = seed &+ prime5
    if bytes.count >= 32 {
      var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
      repeat {
        lanes.0 = round(lanes.0, word(next))
        lanes.1 = round(lanes.1, word(next + 8))
        lanes.2 = round(lanes.2, word(next + 16))
        lanes.3 = round(lanes.3, word(next + 24))
        next += 32
      } while end - next >= 32
      hash = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
      hash = merge(merge(merge(merge(hash, lanes.0), lanes.1), lanes.2), lanes.3)
    }
    return avalanche(tail(next, end, hash &+ UInt64(truncatingIfNeeded: bytes.count)))
  }

  /// Hashes the bytes of `array`.
  package static func hash(_ array: [UInt8], seed: UInt64 = 0) -> UInt64 {
    array.withUnsafeBytes { hash($0, seed: seed) }
  }

  /// Spreads every bit of `value` over all bits of the result.
  @inline(__always)
  package static func avalanche(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  /// Folds `value` into `hash`; the order of folding matters.
  @inline(__always)
  package static func fold(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    rotate(hash ^ round(0, value), 27) &* prime1 &+ prime4
  }

  @inline(__always)
  private static func tail(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ seed: UInt64) -> UInt64 {
    var (hash, next) = (seed, start)
    while end - next >= 8 {
      hash = fold(hash, word(next))
      next += 8
    }
    if end - next >= 4 {
      let half = UInt32(littleEndian: next.loadUnaligned(as: UInt32.self))
      hash = rotate(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      next += 4
    }
    while next < end {
      hash = rotate(hash ^ UInt64(next.load(as: UInt8.self)) &* prime5, 11) &* prime1
      next += 1
    }
    return hash
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 - bits) }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }
}
