import JSONText

/// The names of a route table, laid out to be found fast: cases, tabs, and the parameters of cases.
final class RouteNames: Sendable {
  /// A case that the table mentions.
  struct Case: Sendable {
    /// Whether `routes` lists it.
    var isListed = false
    /// The place of the case that it was renamed to in the end; nil: it was not.
    var target: Int?
    /// The scope of its parameters; nil where the table mentions none.
    var scope: Int?
    /// Whether the table says what its parameters refer to, so that the convention does not.
    var saysEntities = false
    /// Whether a parameter of it holds routes.
    var holdsRoutes = false
  }

  /// A tab that the table mentions.
  struct Tab: Sendable {
    /// Whether `tabs` lists it.
    var isListed = false
    /// The place of the tab that it was renamed to in the end; nil: it was not.
    var target: Int?
  }

  /// A parameter of a case, or a member of one that is an object.
  struct Parameter: Sendable {
    /// The kind that it refers to; nil: none.
    var kind: [UInt8]?
    /// Whether it holds a route or an array of them.
    var holdsRoutes = false
    /// The scope of its own members; nil where the table mentions none.
    var scope: Int?
  }

  let cases: NameTable<Case>
  let tabs: NameTable<Tab>
  let parameters: NameTable<Parameter>
  /// The place of the tab listed first; nil: none is.
  let firstTab: Int?

  init(
    cases: NameTable<Case>,
    tabs: NameTable<Tab>,
    parameters: NameTable<Parameter>,
    firstTab: Int?
  ) {
    (self.cases, self.tabs, self.parameters, self.firstTab) = (cases, tabs, parameters, firstTab)
  }
}

extension NameTable {
  /// The name at a place as JSON, to stand where `kind` stood: a number's name as a number where it can be one, all
  /// else as a string.
  func spelling(_ place: Int, inPlaceOf kind: JSONKind) -> [UInt8] {
    withName(place) { name in
      if kind == .number, NumberName.isInteger(name) { return Array(name) }
      var writer = JSONWriter(reserving: name.count + 2)
      writer.string(utf8: name)
      return writer.bytes
    }
  }
}

/// Names that are the spelling of an integer.
enum NumberName {
  /// Whether the text is an integer as JSON spells it.
  static func isInteger(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? UnsafeBufferPointer(rebasing: text.dropFirst()) : text
    guard let first = digits.first, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
    return first != UInt8(ascii: "0") || digits.count == 1
  }
}
