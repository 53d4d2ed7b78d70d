import TestSupport

@testable import JSONText

/// Texts that are JSON, and texts that nearly are.
enum Mutation {
  /// Pieces that readers disagree on.
  private static let pieces: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "0", "-", "+", ".", "e", "E5", "1e999", "-0", "00",
      "\\u0000",
      "\\ud800", "\\udc00", "\\u00e9", "\\x", "tru", "true", "null", "NaN", "Infinity", "-Infinity", "'", "/*x*/", "//",
      "\u{FEFF}", "\u{A0}", "\"a\":1,", "\"id\":1,\"id\":2", "\t", "\u{0}", "\u{1}", "\u{0B}", "\u{7F}", "0x10", "1.",
      ".5",
      "é", "😀", "[[[[[[[[", "]]]]]]]]", "{}", "[]",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80], [0x80]]

  /// A text made by `random`, with one to three changes where `isMutated`.
  static func text(_ random: inout SeededGenerator, isMutated: Bool) -> [UInt8] {
    var value = Value.random(&random)
    if isMutated, case .object(let members) = value, let repeated = members.randomElement(using: &random) {
      // A key twice, the second time perhaps spelled in another way.
      if random.oneIn(4) { value = .object(members + [repeated]) }
    }
    var text = Rendering.odd(value, &random)
    guard isMutated else { return text }
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) { mutate(&text, &random) }
    return text
  }

  private static func mutate(_ text: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...text.count, using: &random)
    let end = min(text.count, place + random.pick([1, 1, 2, 5]))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: text.removeSubrange(place..<end)
    case 1: text.insert(contentsOf: random.pick(pieces), at: place)
    case 2: text.insert(contentsOf: Array(text[place..<end]), at: place)
    case 3: text.replaceSubrange(place..<end, with: random.pick(pieces))
    default: if place < text.count { text[place] = UInt8.random(in: 0...255, using: &random) }
    }
  }
}
