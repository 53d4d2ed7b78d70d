#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A name that is compared byte for byte.
///
/// Swift's `String` counts é composed and decomposed as equal; the store, like every name on the wire, does not.
package struct ExactName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// Wraps a name.
  package init(_ text: String) { self.text = text }

  package static func == (left: ExactName, right: ExactName) -> Bool {
    // Where they lie: each save compares two, and iterators over the bytes take several times as long.
    left.withBytes { left in
      right.withBytes { right in
        guard left.count == right.count, let mine = left.baseAddress, let other = right.baseAddress else {
          return left.count == right.count
        }
        return memcmp(mine, other, left.count) == 0
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  private func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = text
    return text.withUTF8(body)
  }
}
