import Glibc

/// A generator that gives the same numbers for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
  /// What to start it with again.
  public let seed: UInt64
  private var state: UInt64

  /// Begins at `seed`.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// True once in `n` times.
  public mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }

  /// One of them.
  public mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &self)] }

  /// The seed of this run's random tests: `RESTORED_TEST_SEED`, or another one each time.
  ///
  /// It is printed, to be given again.
  public static let seedOfThisRun: UInt64 = {
    let given = getenv("RESTORED_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? .random(in: 1..<1 << 63)
    print("RESTORED_TEST_SEED=\(seed)")
    return seed
  }()
}
