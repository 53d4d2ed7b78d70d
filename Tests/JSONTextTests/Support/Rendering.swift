import TestSupport

/// Writes a value in one of the many ways that JSON allows: white space, escapes and hexadecimal digits at random.
struct Rendering {
  private var random: SeededGenerator
  private var out: [UInt8] = []
  private let isPlain: Bool

  /// `value` without any white space, and escaped only where it must be.
  static func plain(_ value: Value) -> [UInt8] {
    var rendering = Rendering(random: SeededGenerator(seed: 0), isPlain: true)
    rendering.write(value)
    return rendering.out
  }

  /// `value` in a way that `random` chooses.
  static func odd(_ value: Value, _ random: inout SeededGenerator) -> [UInt8] {
    var rendering = Rendering(random: SeededGenerator(seed: random.next()), isPlain: false)
    rendering.space()
    rendering.write(value)
    rendering.space()
    return rendering.out
  }

  private init(random: SeededGenerator, isPlain: Bool) {
    self.random = random
    self.isPlain = isPlain
  }

  private mutating func put(_ text: String) { out.append(contentsOf: text.utf8) }

  private mutating func space() {
    guard !isPlain, random.oneIn(3) else { return }
    put(random.pick([" ", "\n", "\t", "\r\n", "   ", " \n\t "]))
  }

  private mutating func write(_ value: Value) {
    switch value {
    case .null: put("null")
    case .bool(let flag): put(flag ? "true" : "false")
    case .number(let spelling): put(spelling)
    case .string(let text): write(string: text)
    case .array(let elements): list(elements, "[", "]") { $0.write($1) }
    case .object(let members):
      list(members, "{", "}") { rendering, member in
        rendering.write(string: member.key)
        rendering.space()
        rendering.put(":")
        rendering.space()
        rendering.write(member.value)
      }
    }
  }

  private mutating func list<T>(_ parts: [T], _ open: String, _ close: String, _ each: (inout Rendering, T) -> Void) {
    put(open)
    space()
    for (index, part) in parts.enumerated() {
      if index > 0 {
        put(",")
        space()
      }
      each(&self, part)
      space()
    }
    put(close)
  }

  private mutating func write(string: String) {
    put("\"")
    for scalar in string.unicodeScalars { write(scalar) }
    put("\"")
  }

  private mutating func write(_ scalar: UnicodeScalar) {
    let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
    guard mustEscape || (!isPlain && random.oneIn(6)) else { return put(String(scalar)) }
    let short: [UnicodeScalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
    if let short = short[scalar], isPlain || random.oneIn(2) { return put(short) }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16, uppercase: !isPlain && random.oneIn(2))
      put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}
