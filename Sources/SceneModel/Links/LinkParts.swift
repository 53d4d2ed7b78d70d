/// A link cut into its parts, nothing decoded yet (RFC 3986); its fragment is left out.
struct LinkParts {
  /// In lower case.
  let scheme: [UInt8]
  /// Host and whatever stands around it, in lower case; nil where no `//` follows the scheme.
  let authority: [UInt8]?
  /// The path between its slashes, without a trailing slash.
  let segments: [ArraySlice<UInt8>]
  /// The members of the query, each with its value, which is empty where there is no `=`.
  let query: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]

  /// Cuts a link; nil for a text that has no scheme.
  init?(_ text: [UInt8]) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(text[..<colon]) else { return nil }
    scheme = text[..<colon].map(Self.lower)
    var rest = text[(colon + 1)...].prefix { $0 != UInt8(ascii: "#") }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      authority = host.map(Self.lower)
      rest = rest[host.endIndex...]
    } else {
      authority = nil
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    segments = Self.segments(path)
    query = Self.query(rest[path.endIndex...].dropFirst())
  }

  /// The decoded names of the query's members, each with the value of its first one.
  ///
  /// Made once for all patterns: a table may have thousands, and a link hundreds of members.
  var firstValues: [[UInt8]: ArraySlice<UInt8>] {
    var values: [[UInt8]: ArraySlice<UInt8>] = [:]
    for member in query {
      if let name = PercentCode.decoded(member.name), values[name] == nil { values[name] = member.value }
    }
    return values
  }

  private static func segments(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var path = path
    if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
    if path.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path.isEmpty ? [] : path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  private static func query(_ text: ArraySlice<UInt8>) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    text.split(separator: UInt8(ascii: "&")).map { member in
      let name = member.prefix { $0 != UInt8(ascii: "=") }
      return (name, member[name.endIndex...].dropFirst())
    }
  }

  private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, lower(first) &- UInt8(ascii: "a") < 26 else { return false }
    return text.allSatisfy { lower($0) &- UInt8(ascii: "a") < 26 || $0 &- 0x30 < 10 || "+-.".utf8.contains($0) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

/// Percent-encoding, RFC 3986; `+` is itself.
enum PercentCode {
  /// The text that `encoded` stands for.
  ///
  /// - Returns: nil where an escape is malformed, or what comes out is no UTF-8 or holds a control character.
  static func decoded(_ encoded: ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(encoded.count)
    var place = encoded.startIndex
    while place < encoded.endIndex {
      guard encoded[place] == UInt8(ascii: "%") else {
        text.append(encoded[place])
        place += 1
        continue
      }
      guard place + 2 < encoded.endIndex, let high = hexValue(encoded[place + 1]),
        let low = hexValue(encoded[place + 2])
      else { return nil }
      text.append(high << 4 | low)
      place += 3
    }
    guard String(validating: text, as: UTF8.self) != nil else { return nil }
    return text.withUnsafeBufferPointer { Names.hasControlCharacter($0) } ? nil : text
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    if byte &- 0x30 < 10 { return byte &- 0x30 }
    let lower = byte | 0x20
    return lower &- 0x61 < 6 ? lower &- 0x61 &+ 10 : nil
  }
}
