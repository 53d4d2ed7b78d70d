import Foundation

/// Random numbers that a failing test can be given again: SplitMix64.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in `n` times.
  mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }

  mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &self)] }

  /// The seed of this run: `RESTORED_TEST_SEED`, or another one each time.
  ///
  /// It is printed, to be given again.
  static let ofThisRun: UInt64 = {
    let given = ProcessInfo.processInfo.environment["RESTORED_TEST_SEED"].flatMap(UInt64.init)
    let seed = given ?? UInt64.random(in: 1...999_999_999)
    print("RESTORED_TEST_SEED=\(seed)")
    return seed
  }()
}
