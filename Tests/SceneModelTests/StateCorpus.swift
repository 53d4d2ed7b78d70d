import SceneModel
import TestSupport

/// States made at random, in every spelling, with white space and escapes where JSON allows them.
///
/// Each route carries a mark of its own, `"«n»"`, so that a test can tell which ones are left and in what order.
struct StateCorpus {
  static let kinds = ["card", "Board", "note"]
  static let ids = ["1", "x", "é", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "9007199254740993"]

  var random: SeededGenerator
  private(set) var marks = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// An entity table: some of the kinds, with some of the ids.
  mutating func entities() -> [String: [String]] {
    var table: [String: [String]] = [:]
    for kind in Self.kinds where chance(4, of: 5) { table[kind] = Self.ids.filter { _ in chance(1, of: 2) } }
    return table
  }

  /// One state, of some of its members in any order.
  mutating func state() -> String {
    var members = [("stacks", pairs(["a", "b\\/c", "7", "d"]) { $0.stack(depth: 0) })]
    if chance(1, of: 2) { members.append(("modals", pairs(["sheet", "alert", "mine"]) { $0.modal() })) }
    if chance(1, of: 2) { members.append(("sidebarSelection", sidebar())) }
    if chance(1, of: 2) { members.append(("selectedTab", pick(["\"a\"", "7", #"{"d":{}}"#, "null"]))) }
    if chance(1, of: 3) { members.append(("values", #"{"cardID":"gone","n":1.50,"s":"\/\u00e9"}"#)) }
    return object(members.shuffled(using: &random))
  }

  private mutating func pairs(_ names: [String], _ value: (inout StateCorpus) -> String) -> String {
    let chosen = names.filter { _ in chance(2, of: 3) }
    if chance(1, of: 2) { return object(chosen.map { ($0, value(&self)) }) }
    return array(chosen.flatMap { [chance(1, of: 2) ? "\"\($0)\"" : #"{"\#($0)":{}}"#, value(&self)] })
  }

  private mutating func stack(depth: Int) -> String {
    let count = Int.random(in: 0...5, using: &random)
    let isList = depth > 0 || chance(1, of: 3)
    let routes = array((0..<count).map { _ in route(inList: isList, depth: depth) })
    guard isList else { return routes }
    var members = [("routes", routes)]
    if chance(2, of: 3) { members.append(("index", String(Int.random(in: 0...5, using: &random)))) }
    if chance(1, of: 4) { members.append(("type", pick(["\"tab\"", "\"stack\"", "\"drawer\""]))) }
    return object(members.shuffled(using: &random))
  }

  private mutating func modal() -> String {
    if chance(1, of: 6) { return pick(["null", "[]"]) }
    guard chance(1, of: 2) else { return route() }
    return array((0..<Int.random(in: 1...3, using: &random)).map { _ in route() })
  }

  private mutating func sidebar() -> String {
    guard chance(1, of: 2) else { return route() }
    return array((0..<2).map { _ in chance(1, of: 3) ? "null" : route() })
  }

  private mutating func route(inList: Bool = false, depth: Int = 0) -> String {
    marks += 1
    let mark = ("m", "\"«\(marks)»\"")
    let key = pick(["id", "cardID", "board_id", "noteIds", "userID"])
    let value = key.hasSuffix("s") ? array((0..<2).map { _ in id() }) : id()
    let nested = inList && depth < 3 && chance(1, of: 4) ? [("state", stack(depth: depth + 1))] : []
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return object([("type", pick(["\"com.x.Card\"", "\"Note\"", "\"Home\""])), (key, value), mark] + nested)
    case 1:
      return object([("name", pick(["\"Board\"", "\"Home\""])), ("params", object([(key, value), mark]))] + nested)
    case 2: return object([(pick(["card", "board", "home"]), object([mark, (key, value)]))])
    default: return object([(key, value), mark] + nested)
    }
  }

  private mutating func id() -> String {
    let id = pick(Self.ids)
    if id.utf8.allSatisfy({ $0 &- 0x30 < 10 }), chance(1, of: 2) { return id }
    return "\"\(chance(1, of: 3) ? id.replacing("é", with: "\\u00e9") : id.uppercased() == id ? id : id)\""
  }

  private mutating func object(_ members: [(String, String)]) -> String {
    "{" + space() + members.map { "\"\($0)\"\(space()):\(space())\($1)" }.joined(separator: "\(space()),\(space())")
      + "}"
  }

  private mutating func array(_ elements: [String]) -> String {
    "[" + space() + elements.joined(separator: "\(space()),\(space())") + space() + "]"
  }

  private mutating func space() -> String { chance(1, of: 6) ? pick([" ", "\n", "\t ", "\r\n"]) : "" }
  private mutating func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) < part }
  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
