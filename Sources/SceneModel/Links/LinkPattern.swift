/// The pattern of a link: parts to be equal, and placeholders that match a whole path segment or query value.
struct LinkPattern: Sendable {
  private enum Part: Sendable {
    case literal([UInt8])
    /// The placeholder of this number.
    case placeholder(Int)
  }

  /// Why a text is no pattern; `sentence` says what to write.
  struct Fault: Error {
    let sentence: String
  }

  /// The placeholders, in the order of the pattern.
  private(set) var placeholders: [Placeholder] = []
  private let scheme: [UInt8]
  private let authority: [UInt8]?
  private var segments: [Part] = []
  private var query: [(name: [UInt8], value: Part)] = []
  private var names: Set<[UInt8]> = []
  private var numbers: [String: Int] = [:]

  /// Bytes of the longest pattern: no longer link is looked at either.
  static let maximumBytes = 4_096

  /// Reads a pattern.
  init(_ text: [UInt8]) throws(Fault) {
    guard text.count <= Self.maximumBytes else {
      throw Fault(sentence: "a link has at most \(Self.maximumBytes) bytes")
    }
    guard !text.contains(UInt8(ascii: "#")) else {
      throw Fault(sentence: "a link's fragment is never looked at: leave out # and what follows")
    }
    guard let parts = LinkParts(text) else {
      throw Fault(sentence: "a link begins with a scheme, like myapp://board/{id}")
    }
    scheme = parts.scheme
    authority = parts.authority
    if let authority, authority.contains(where: Self.isBrace) {
      throw Fault(sentence: "a placeholder stands for a path segment or a query value, not for the host")
    }
    for segment in parts.segments { segments.append(try part(segment)) }
    for member in parts.query {
      guard let name = PercentCode.decoded(member.name), !name.contains(where: Self.isBrace) else {
        throw Fault(sentence: "the name of a query member is plain text: a placeholder stands after its =")
      }
      guard names.insert(name).inserted else {
        throw Fault(sentence: "a query member stands once: leave out the second")
      }
      query.append((name, try part(member.value)))
    }
  }

  private mutating func part(_ text: ArraySlice<UInt8>) throws(Fault) -> Part {
    if let placeholder = try placeholder(text) {
      guard numbers.updateValue(placeholders.count, forKey: placeholder.name) == nil else {
        throw Fault(sentence: "a placeholder stands once in a link: give the second another name")
      }
      placeholders.append(placeholder)
      return .placeholder(placeholders.count - 1)
    }
    guard !text.contains(where: Self.isBrace) else { throw Self.misplaced }
    guard let literal = PercentCode.decoded(text) else {
      throw Fault(sentence: "this does not decode: write % as %25, and no control character")
    }
    return .literal(literal)
  }

  /// The number of the placeholder of that name; nil: there is none.
  func number(named name: String) -> Int? { numbers[name] }

  private func placeholder(_ text: ArraySlice<UInt8>) throws(Fault) -> Placeholder? {
    do throws(Placeholder.UnknownType) {
      return try Placeholder(whole: Array(text))
    } catch {
      throw Fault(sentence: error.sentence)
    }
  }

  private static let misplaced = Fault(
    sentence: "a placeholder is {name} or {name:int} and stands for a whole path segment or query value"
  )

  private static func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }

  /// The texts that the placeholders stand for in a link; nil where the link does not match.
  ///
  /// - Parameter values: the link's `firstValues`.
  func match(_ link: LinkParts, _ values: [[UInt8]: ArraySlice<UInt8>]) -> [[UInt8]]? {
    guard link.scheme == scheme, link.authority == authority, link.segments.count == segments.count else {
      return nil
    }
    var texts = [[UInt8]](repeating: [], count: placeholders.count)
    for (segment, part) in zip(link.segments, segments) {
      guard matches(segment, part, &texts, mayBeEmpty: false) else { return nil }
    }
    for (name, part) in query {
      // Of several members of one name the first counts.
      guard let value = values[name], matches(value, part, &texts, mayBeEmpty: true) else { return nil }
    }
    return texts
  }

  private func matches(_ encoded: ArraySlice<UInt8>, _ part: Part, _ texts: inout [[UInt8]], mayBeEmpty: Bool) -> Bool {
    guard let text = PercentCode.decoded(encoded) else { return false }
    switch part {
    case .literal(let literal): return text == literal
    case .placeholder(let number):
      guard mayBeEmpty || !text.isEmpty, !placeholders[number].isInteger || Placeholder.isNatural(text) else {
        return false
      }
      texts[number] = text
      return true
    }
  }
}
