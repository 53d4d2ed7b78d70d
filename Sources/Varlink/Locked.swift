import CLinux
import Synchronization

/// A value that threads take turns with.
///
/// It is a `Mutex` that tells the thread sanitizer of the turns: Swift's runtime is not instrumented, and where two
/// threads contend for its lock the sanitizer does not see that it was handed over.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>

  /// Makes one.
  package init(_ value: Value) { mutex = Mutex(value) }

  /// Runs `body` while no other thread has the value; blocks until that is so.
  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) in
      clinux_lock_acquired(Self.address(&value))
      defer { clinux_lock_released(Self.address(&value)) }
      return try body(&value)
    }
  }

  /// Where the value is, which is the same for every turn: it lies inside the lock.
  private static func address(_ value: UnsafePointer<Value>) -> UnsafeRawPointer { UnsafeRawPointer(value) }
}
