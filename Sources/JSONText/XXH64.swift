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
    guard let start = bytes.baseAddress else { return avalanche(seed &+ prime5) }
    return hash(start, count: bytes.count, seed: seed)
  }

  /// Hashes `count` bytes from `start` on.
  ///
  /// Fewer than 32, as nearly all strings of a state have, are hashed where this is called.
  @inline(__always)
  static func hash(_ start: UnsafeRawPointer, count: Int, seed: UInt64) -> UInt64 {
    let tailStart = start + (count & ~31)
    let head = count < 32 ? seed &+ prime5 : head(start, tailStart, seed)
    return avalanche(tail(tailStart, count, head &+ UInt64(truncatingIfNeeded: count)))
  }

  /// Hashes the bytes of `array`.
  package static func hash(_ array: [UInt8], seed: UInt64 = 0) -> UInt64 {
    array.withUnsafeBytes { hash($0, seed: seed) }
  }

  /// Spreads every bit of `value` over all bits of the result.
  @inline(__always)
  private static func avalanche(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  /// Folds `value` into `hash`; the order of folding matters.
  @inline(__always)
  private static func fold(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    rotate(hash ^ round(0, value), 27) &* prime1 &+ prime4
  }

  /// Hashes all whole runs of 32 bytes, of which there is one at least.
  @inline(never)
  private static func head(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ seed: UInt64) -> UInt64 {
    var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
    var next = start
    repeat {
      lanes.0 = round(lanes.0, word(next))
      lanes.1 = round(lanes.1, word(next + 8))
      lanes.2 = round(lanes.2, word(next + 16))
      lanes.3 = round(lanes.3, word(next + 24))
      next += 32
    } while next < end
    let hash = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
    return merge(merge(merge(merge(hash, lanes.0), lanes.1), lanes.2), lanes.3)
  }

  /// Folds in the bytes behind the last whole run of 32: as many as the last five bits of `count` say.
  @inline(__always)
  private static func tail(_ start: UnsafeRawPointer, _ count: Int, _ head: UInt64) -> UInt64 {
    var (hash, next) = (head, start)
    if count & 16 != 0 {
      hash = fold(fold(hash, word(next)), word(next + 8))
      next += 16
    }
    if count & 8 != 0 {
      hash = fold(hash, word(next))
      next += 8
    }
    if count & 4 != 0 {
      let half = UInt32(littleEndian: next.loadUnaligned(as: UInt32.self))
      hash = rotate(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      next += 4
    }
    if count & 2 != 0 {
      hash = fold(byte: next.load(fromByteOffset: 1, as: UInt8.self), fold(byte: next.load(as: UInt8.self), hash))
      next += 2
    }
    if count & 1 != 0 { hash = fold(byte: next.load(as: UInt8.self), hash) }
    return hash
  }

  @inline(__always)
  private static func fold(byte: UInt8, _ hash: UInt64) -> UInt64 {
    rotate(hash ^ UInt64(byte) &* prime5, 11) &* prime1
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
