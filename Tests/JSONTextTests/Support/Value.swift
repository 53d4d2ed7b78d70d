import TestSupport

/// A JSON value apart from any text: what a text is expected to mean.
indirect enum Value: Hashable {
  case null
  case bool(Bool)
  /// A number by its spelling.
  case number(String)
  case string(String)
  case array([Value])
  case object([Member])

  struct Member: Hashable {
    var key: String
    var value: Value
  }
}

extension Value {
  static let numbers = [
    "0", "-0", "7", "-1", "1.0", "1", "1e3", "1E-2", "0.5", "-2.50e+10", "9007199254740993", "9223372036854775807",
    "18446744073709551616", "721692800.1229999", "123456789012345678901234567890",
  ]
  static let strings = [
    "", "a", "id", "boardID", "board 1", "é", "e\u{301}", "漢字", "😀", "a\u{200D}b", "שלום", "tab\there", "line\nbreak",
    "quote\"", "back\\slash", "slash/", "~tilde", "\u{1}\u{1F}", "\u{7F}", "\u{FFFF}", "\u{10FFFF}", "exactly8",
    "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "a long string without anything to escape in it, over several words",
  ]

  static func random(_ random: inout SeededGenerator, depth: Int = 0) -> Value {
    switch Int.random(in: 0..<(depth > 5 ? 6 : 12), using: &random) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2, 3: .number(random.pick(numbers))
    case 4, 5: .string(random.pick(strings))
    case 6...8: .array((0..<random.pick([0, 1, 2, 3, 9])).map { _ in .random(&random, depth: depth + 1) })
    default: randomObject(&random, depth)
    }
  }

  private static func randomObject(_ random: inout SeededGenerator, _ depth: Int) -> Value {
    let keys = strings.shuffled(using: &random).prefix(random.pick([0, 1, 2, 4, 9, 12]))
    return .object(keys.map { Member(key: $0, value: .random(&random, depth: depth + 1)) })
  }

  /// The same value with its objects' members in another order.
  func shuffled(_ random: inout SeededGenerator) -> Value {
    switch self {
    case .array(let elements): .array(elements.map { $0.shuffled(&random) })
    case .object(let members):
      .object(
        members.map { Member(key: $0.key, value: $0.value.shuffled(&random)) }.shuffled(using: &random)
      )
    default: self
    }
  }

  /// The same value with one leaf or container in it replaced by something unequal.
  func altered(_ random: inout SeededGenerator) -> Value {
    switch self {
    case .array(var elements) where !elements.isEmpty && !random.oneIn(4):
      let index = Int.random(in: elements.indices, using: &random)
      elements[index] = elements[index].altered(&random)
      return .array(elements)
    case .object(var members) where !members.isEmpty && !random.oneIn(4):
      let index = Int.random(in: members.indices, using: &random)
      members[index].value = members[index].value.altered(&random)
      return .object(members)
    case .string(let text): return .string(text + "x")
    case .number(let spelling): return .string(spelling)
    case .array(let elements): return .array(elements + [.null])
    case .object(let members): return .object(members + [Member(key: "one more", value: .null)])
    case .null: return .bool(false)
    case .bool(let flag): return .bool(!flag)
    }
  }
}
