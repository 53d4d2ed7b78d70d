import JSONText

/// The words for what people write by mistake.
enum StateHint {
  private static let members = ["stacks", "selectedTab", "sidebarSelection", "modals", "values"]
  /// A longer name than this is no slip of the fingers, and is not repeated in a message.
  private static let longestName = 32
  /// A name may be this many letters off and still be taken for a slip.
  private static let farthest = 2

  /// What `{}` is told.
  static let empty =
    "the state is empty: it needs at least one of stacks, selectedTab, sidebarSelection, modals and values"

  /// What a top-level `routes` is told.
  static let reactNavigation = StateFault.invalid(
    path: "/routes",
    reason: #"this is a React Navigation state: send it as {"stacks":{"main": …}}"#
  )

  /// What a member that no state has is told.
  static func unknownMember(_ name: String) -> String {
    guard name.utf8.count <= longestName, Names.fault(name) == nil else { return "unknown member: " + known }
    if let nearest = nearest(to: name) { return "unknown member \(name): did you mean \(nearest)?" }
    return "unknown member \(name): " + known
  }

  private static let known = "a state has stacks, selectedTab, sidebarSelection, modals and values"

  /// A value in words: a number that is no integer is told from one that is.
  static func phrase(_ node: Int, in tape: JSONTape) -> String {
    switch tape.kind(node) {
    case .number where !tape.isInteger(node): "a fraction or an exponent"
    case .object: "another object"
    case let kind: kind.phrase
    }
  }

  private static func nearest(to name: String) -> String? {
    let written = Array(name.utf8.map(lower))
    let distances = members.map { (name: $0, distance: distance(written, Array($0.utf8.map(lower)))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= farthest { return best.name }
    // "selected" and "sidebar" are nearer in meaning than in letters.
    return members.first { written.count > 3 && $0.utf8.map(lower).starts(with: written) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// How many letters must be put in, taken out or changed to make one of the other.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
