import Glibc

extension ArraySlice<UInt8> {
  /// Whether these are the bytes of the literal.
  func equals(_ literal: StaticString) -> Bool {
    equals(UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Whether these are those bytes.
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { own in
      guard own.count == other.count else { return false }
      guard let first = own.baseAddress, let second = other.baseAddress else { return own.isEmpty }
      return memcmp(first, second, own.count) == 0
    }
  }
}
