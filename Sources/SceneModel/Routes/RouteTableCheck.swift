import JSONText

/// The checks of a route table, which go on after a fault to find all of them, and lay out what is right.
struct RouteTableCheck {
  let document: JSONDocument
  var faults: [RouteTableFault] = []
  var cases = NameTable<RouteNames.Case>()
  var tabs = NameTable<RouteNames.Tab>()
  var parameters = NameTable<RouteNames.Parameter>()
  /// Scopes of parameters given so far.
  var scopes = 0
  var firstTab: Int?
  var listsCases = false
  var listsTabs = false
  var links: [LinkRule] = []
  var counts = RouteTable.Counts()
  private(set) var history: Int?
  private(set) var maximumAgeSeconds: Int?
  private var unknownRoutes: Int?
  private var dropsUnknown = false
  private var stale: StalePolicy = .drop
  private var isNavigationPath = false

  private static let members = [
    "tabs", "routes", "renamed", "renamedTabs", "unknownRoutes", "stale", "stackEncoding", "links", "history",
    "maximumAgeSeconds",
  ]

  init(_ document: JSONDocument) {
    self.document = document
  }

  /// What the table says about restoring.
  var rules: RouteRules {
    let isEmpty = cases.isEmpty && tabs.isEmpty && !listsCases && !listsTabs
    let names = RouteNames(cases: cases, tabs: tabs, parameters: parameters, firstTab: firstTab)
    return RouteRules(
      stale: stale,
      names: isEmpty ? nil : names,
      listsCases: listsCases,
      dropsUnknown: dropsUnknown,
      listsTabs: listsTabs,
      isNavigationPath: isNavigationPath
    )
  }

  mutating func run() {
    let root = document.root
    guard document.kind(root) == .object else {
      return refuse(root, [], "a route table is an object, not \(document.kind(root).phrase)")
    }
    var renamed: Int?
    var renamedTabs: Int?
    for (key, value) in document.members(root) {
      switch document.string(key) {
      // As in a state, null counts as left out, but only under a name that a table has.
      case let name where document.kind(value) == .null && Self.members.contains(name): break
      case "tabs": listTabs(value)
      case "routes": listCases(value)
      case "renamed": renamed = value
      case "renamedTabs": renamedTabs = value
      case "links": addLinks(value)
      case let name: setting(name, value)
      }
    }
    // Only now is it known what is listed, whatever the order of the members.
    if let renamed { renameCases(renamed) }
    if let renamedTabs { renameTabs(renamedTabs) }
    if let unknownRoutes, dropsUnknown, !listsCases {
      refuse(
        unknownRoutes,
        ["unknownRoutes"],
        "without routes every case would be unknown: list the cases in routes, or leave unknownRoutes out"
      )
    }
  }

  private mutating func setting(_ name: String, _ value: Int) {
    switch name {
    case "unknownRoutes":
      unknownRoutes = value
      dropsUnknown = word(value, name, ["keep", "drop"]) == "drop"
    case "stale":
      stale = word(value, name, StalePolicy.allCases.map(\.rawValue)).flatMap(StalePolicy.init) ?? .drop
    case "stackEncoding":
      isNavigationPath = word(value, name, ["routes", "navigationPath"]) == "navigationPath"
    case "history":
      history = number(value, name, RouteTable.historyRange, "10 are kept if it is left out")
    case "maximumAgeSeconds":
      maximumAgeSeconds = number(value, name, 1...RouteTable.longestAge, "leave it out for no limit")
    default:
      let known = "a route table has \(Self.members.dropLast().joined(separator: ", ")) and \(Self.members.last ?? "")"
      refuse(value, [name], NearName.unknownMember(name, among: Self.members, known))
    }
  }

  /// One of a few words; nil after a fault.
  private mutating func word(_ value: Int, _ member: String, _ words: [String]) -> String? {
    let choice = words.map { "\"\($0)\"" }.joined(separator: " or ")
    guard document.kind(value) == .string else {
      refuse(value, [member], "\(member) is \(choice), not \(document.kind(value).phrase)")
      return nil
    }
    let word = document.string(value)
    if words.contains(word) { return word }
    let question = NearName.question(word, among: words).map { ": " + $0 } ?? ""
    refuse(value, [member], "\(member) is \(choice)" + question)
    return nil
  }

  private mutating func number(_ value: Int, _ member: String, _ range: ClosedRange<Int>, _ hint: String) -> Int? {
    if document.kind(value) == .number, let number = Int(document.string(value)), range.contains(number) {
      return number
    }
    let limits = "\(range.lowerBound) to \(range.upperBound)"
    refuse(value, [member], "\(member) is an integer from \(limits); \(hint)")
    return nil
  }
}

// MARK: - Faults

extension RouteTableCheck {
  /// Notes a fault.
  ///
  /// - Parameters:
  ///   - node: what is wrong.
  ///   - place: its pointer, step by step.
  mutating func refuse(_ node: Int, _ place: [String], _ reason: String, limit: RouteTableFault.Limit? = nil) {
    var pointer: [UInt8] = []
    for step in place { JSONPointer.append(step.utf8, to: &pointer) }
    faults.append(
      RouteTableFault(
        path: String(decoding: pointer, as: UTF8.self),
        reason: reason,
        offset: document.range(node).lowerBound,
        limit: limit
      )
    )
  }

  /// Checks a name by the rule for names; answers whether it may stand.
  ///
  /// - Parameter word: what it names, with its article.
  mutating func isName(_ node: Int, _ place: [String], _ word: String) -> Bool {
    guard let fault = document.withDecoded(node, { Names.fault($0) }) else { return true }
    var limit: RouteTableFault.Limit?
    if case .tooLong(let bytes) = fault {
      let name = word.drop { $0 != " " }.dropFirst()
      limit = RouteTableFault.Limit(name: String(name), maximum: Names.maximumBytes, actual: bytes)
    }
    refuse(node, place, "\(word) \(fault.sentence)", limit: limit)
    return false
  }

  /// Refuses what is no object; answers whether it is one.
  mutating func isObject(_ value: Int, _ place: [String], _ what: String) -> Bool {
    if document.kind(value) == .object { return true }
    refuse(value, place, "\(what), not \(document.kind(value).phrase)")
    return false
  }

  /// Refuses what is no array; answers whether it is one.
  mutating func isArray(_ value: Int, _ place: [String], _ what: String) -> Bool {
    if document.kind(value) == .array { return true }
    refuse(value, place, "\(what), not \(document.kind(value).phrase)")
    return false
  }
}
