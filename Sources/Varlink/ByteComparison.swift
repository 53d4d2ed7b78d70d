import Glibc

extension ArraySlice<UInt8> {
  /// Whether the bytes at `place` are those of the literal.
  func equals(_ literal: StaticString, at place: Range<Int>) -> Bool {
    guard place.count == literal.utf8CodeUnitCount else { return false }
    return withUnsafeBytes { own in
      guard let base = own.baseAddress else { return false }
      return memcmp(base + (place.lowerBound - startIndex), literal.utf8Start, place.count) == 0
    }
  }

  /// Whether these are those bytes.
  package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { own in
      guard own.count == other.count else { return false }
      guard let first = own.baseAddress, let second = other.baseAddress else { return own.isEmpty }
      return memcmp(first, second, own.count) == 0
    }
  }
}
