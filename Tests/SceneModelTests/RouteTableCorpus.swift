/// Route tables made at random that fit the states of a `StateCorpus`.
extension StateCorpus {
  private static let cases = ["com.x.Card", "Note", "Home", "Board", "card", "board", "home"]
  /// What a renamed case's new name begins with, and no old one.
  static let newName = "new-"
  /// New names that a lone key could be taken for another spelling by.
  private static let hardNames = ["card": "type", "board": "name", "home": "boardID", "Note": "note_ids"]

  /// A table, of some members.
  ///
  /// - Parameters:
  ///   - tabs: whether it may list and rename tabs.
  ///   - hard: whether it may give cases names that another spelling begins with.
  mutating func table(tabs: Bool = true, hard: Bool = false) -> String {
    let isHard = hard && flips(1, of: 2)
    let newName = { (old: String) in (isHard ? Self.hardNames[old] : nil) ?? Self.newName + old }
    let renamed = Self.cases.filter { _ in flips(1, of: 4) }
    var members: [String] = []
    if !renamed.isEmpty {
      let pairs = renamed.map { #""\#($0)":"\#(newName($0))""# }
      members.append(#""renamed":{\#(pairs.joined(separator: ","))}"#)
    }
    if flips(3, of: 4) {
      let listed =
        Self.cases.filter { !renamed.contains($0) && flips(3, of: 4) } + renamed.map(newName)
      members.append(#""routes":{\#(listed.map { "\"\($0)\":\(rule())" }.joined(separator: ","))}"#)
      if flips(1, of: 2) { members.append(#""unknownRoutes":"drop""#) }
    }
    if tabs, flips(1, of: 2) {
      let listed = ["a", "b/c", "7"].filter { _ in flips(2, of: 3) }
      members.append(#""tabs":[\#(listed.map { "\"\($0)\"" }.joined(separator: ","))]"#)
      if listed.contains("a"), flips(1, of: 2) { members.append(#""renamedTabs":{"d":"a"}"#) }
    } else if tabs, flips(1, of: 2) {
      members.append(#""renamedTabs":{"d":"x","a":"x"}"#)
    }
    return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
  }

  private mutating func rule() -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: "{}"
    case 1: #"{"entities":{}}"#
    case 2: #"{"entities":{"cardID":"card","id":"Board","board_id":"nobody","noteIds":"note"}}"#
    default: #"{"entities":{"userID":"note"},"routes":["m"]}"#
    }
  }

  private mutating func flips(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) < part }
}
