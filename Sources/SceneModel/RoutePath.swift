import JSONText

/// Where a route stands in a state, kept without writing it out: most routes are never reported.
///
/// Each route's place is known on the way, so a report costs the length of its pointer, and not a
/// search through the state.
struct RoutePath {
  /// The member of the state that the route stands in.
  enum Part: String {
    case stacks
    case sidebarSelection
    case modals
  }

  private let part: Part
  private var pair: NamedPairs.Pair?
  private var isFlat = false
  /// Whether the stack is an ordered list, whose routes stand in its member `routes`.
  var isList = false
  /// The place on the stack, and then that in each nested list.
  private var places: [Int] = []

  /// A path into a part that has no pairs.
  init(_ part: Part) {
    self.part = part
  }

  /// A path into what one pair of `stacks` or `modals` names; `isFlat` where they are a flat array.
  init(_ part: Part, _ pair: NamedPairs.Pair, isFlat: Bool) {
    self.part = part
    self.pair = pair
    self.isFlat = isFlat
  }

  /// The path of the route that a walk passed last.
  func adding(_ outer: [StackLevel], _ level: StackLevel) -> RoutePath {
    var path = self
    for level in outer { path.places.append(level.count - 1) }
    path.places.append(level.count - 1)
    return path
  }

  /// The path of an element of a flat stack.
  func adding(place: Int) -> RoutePath {
    var path = self
    path.places.append(place)
    return path
  }

  /// The JSON Pointer into the state as it was saved.
  func pointer(in tape: JSONTape) -> String {
    var pointer: [UInt8] = []
    JSONPointer.append(part.rawValue.utf8, to: &pointer)
    if let pair {
      if isFlat {
        JSONPointer.append(index: 2 * pair.place + 1, to: &pointer)
      } else {
        tape.withDecoded(pair.key) { JSONPointer.append($0, to: &pointer) }
      }
    }
    if isList { JSONPointer.append("routes".utf8, to: &pointer) }
    for (depth, place) in places.enumerated() {
      if depth > 0 { pointer.append(contentsOf: "/state/routes".utf8) }
      JSONPointer.append(index: place, to: &pointer)
    }
    return String(decoding: pointer, as: UTF8.self)
  }
}
