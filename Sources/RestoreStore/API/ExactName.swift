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
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count, let mine = left.baseAddress, let other = right.baseAddress else {
          return left.count == right.count
        }
        return memcmp(mine, other, left.count) == 0
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
