/// A placeholder of a link: `{id}` stands for a text, `{id:int}` for a natural number.
struct Placeholder: Hashable, Sendable {
  let name: String
  let isInteger: Bool

  /// Another word than `int` stands after the name.
  struct UnknownType: Error {
    let sentence = "a placeholder is {name} or {name:int}: there is no other type"
  }

  /// The placeholder that a whole text is; nil where the text is not in braces, or these are not around a name.
  ///
  /// - Throws: `UnknownType` where another word than `int` stands after the name.
  init?(whole text: [UInt8]) throws(UnknownType) {
    guard text.count > 2, text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}") else { return nil }
    let inside = text.dropFirst().dropLast()
    let name = inside.prefix { $0 != UInt8(ascii: ":") }
    guard Self.isName(name) else { return nil }
    let type = inside[name.endIndex...]
    guard type.isEmpty || type.elementsEqual(":int".utf8) else {
      throw UnknownType()
    }
    self.name = String(decoding: name, as: UTF8.self)
    isInteger = !type.isEmpty
  }

  /// As it is written.
  var spelling: String { isInteger ? "{\(name):int}" : "{\(name)}" }

  /// A letter or `_`, then letters, digits and `_`, all of ASCII.
  private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || $0 &- 0x30 < 10 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  /// Whether a text is `0`, or digits of which the first is not 0.
  static func isNatural(_ text: [UInt8]) -> Bool {
    guard let first = text.first, text.allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
    return first != UInt8(ascii: "0") || text.count == 1
  }
}
