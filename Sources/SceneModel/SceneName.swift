import JSONText

/// Tab ids and presentations, in each of the forms in which apps write them: a string, an integer,
/// or a payload-free case as Swift encodes it (`{"boards":{}}`).
enum SceneName {
  /// The node that spells the name: the string or the number itself, or the one key of the case.
  ///
  /// Nil for a value that is no name in any of the forms.
  static func node(of value: Int, in tape: JSONTape) -> Int? {
    switch tape.kind(value) {
    case .string: value
    case .number: tape.isInteger(value) ? value : nil
    case .object: caseKey(of: value, in: tape)
    default: nil
    }
  }

  private static func caseKey(of object: Int, in tape: JSONTape) -> Int? {
    guard tape.count(object) == 1 else { return nil }
    let (key, payload) = (object + 1, object + 2)
    guard tape.kind(payload) == .object, tape.count(payload) == 0 else { return nil }
    return key
  }
}

/// The pairs of `stacks` or `modals`: the members of an object, or every two elements of a flat array.
///
/// On the tape both look alike, key and value in turn, so one iterator reads both. A flat array must
/// have been checked to hold an even number of elements.
struct NamedPairs: Sequence, IteratorProtocol {
  /// One tab and its stack, or one presentation and its modal.
  struct Pair {
    /// The node of the name as written; see `SceneName.node(of:in:)`.
    let key: Int
    let value: Int
    /// How many pairs stand before it.
    let place: Int
  }

  private let tape: JSONTape
  private var cursor: Int
  private let end: Int
  private var place = 0

  init(of container: Int, in tape: JSONTape) {
    self.tape = tape
    cursor = container + 1
    end = tape.next(container)
  }

  mutating func next() -> Pair? {
    guard cursor < end else { return nil }
    let value = tape.next(cursor)
    let pair = Pair(key: cursor, value: value, place: place)
    cursor = tape.next(value)
    place += 1
    return pair
  }
}

extension JSONTape {
  /// Whether a number is spelled as an integer: digits, perhaps after a minus sign.
  func isInteger(_ number: Int) -> Bool {
    withDecoded(number) { spelling in spelling.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") } }
  }
}
