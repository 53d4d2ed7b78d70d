/// Which names Varlink allows, https://varlink.org/Interface-Definition.
package enum InterfaceNames {
  /// A qualified interface name: at least two parts between dots, each of letters, digits and inner hyphens, the
  /// first of them beginning with a letter.
  package static func isInterface(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, let first = name.utf8.first, isLetter(first) else { return false }
    return parts.allSatisfy { part in
      guard let first = part.first, let last = part.last else { return false }
      let hyphen = UInt8(ascii: "-")
      return first != hyphen && last != hyphen && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
    }
  }

  /// A type's, method's or error's bare name: a capital letter, then letters and digits.
  package static func isMember(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), first < UInt8(ascii: "a") else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  /// A field's name: letters, digits and single inner underscores, beginning with a letter.
  package static func isField(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    var wasUnderscore = false
    for byte in name.utf8 {
      let isUnderscore = byte == UInt8(ascii: "_")
      guard isUnderscore ? !wasUnderscore : isLetter(byte) || isDigit(byte) else { return false }
      wasUnderscore = isUnderscore
    }
    return !wasUnderscore
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
