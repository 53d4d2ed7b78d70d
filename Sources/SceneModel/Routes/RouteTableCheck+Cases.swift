import JSONText

/// `tabs` and `routes`.
extension RouteTableCheck {
  private static let caseMembers = ["entities", "routes"]
  /// Steps in the longest path of a parameter: deeper than any route worth its name.
  private static let longestPath = 32

  mutating func listTabs(_ value: Int) {
    guard isArray(value, ["tabs"], "tabs is an array of tab ids, like [\"boards\",\"inbox\"]") else { return }
    listsTabs = true
    for (index, element) in document.elements(value).enumerated() {
      let place = ["tabs", String(index)]
      guard let node = document.withTape({ SceneName.node(of: element, in: $0) }) else {
        refuse(element, place, "a tab id is a string, an integer or a case without payload, like \"boards\"")
        continue
      }
      guard isName(node, place, "a tab id") else { continue }
      let tab = document.withDecoded(node) { tabs.insert($0, RouteNames.Tab()) }
      if tabs[tab].isListed {
        refuse(element, place, "the tab \(tabs.name(tab)) is listed before: leave it out here")
      }
      tabs[tab].isListed = true
      if firstTab == nil { firstTab = tab }
      counts.tabs += 1
    }
  }

  mutating func listCases(_ value: Int) {
    let example = "routes is an object of case names, like {\"card\":{\"entities\":{\"cardID\":\"card\"}}}"
    guard isObject(value, ["routes"], example) else { return }
    listsCases = true
    for (key, rule) in document.members(value) {
      let place = ["routes", document.string(key)]
      guard isName(key, place, "a case name") else { continue }
      let number = document.withDecoded(key) { cases.insert($0, RouteNames.Case()) }
      cases[number].isListed = true
      counts.cases += 1
      guard isObject(rule, place, "what is said of a case is an object, {} where there is nothing to say") else {
        continue
      }
      for (key, value) in document.members(rule) { caseMember(document.string(key), value, number, place) }
    }
  }

  private mutating func caseMember(_ name: String, _ value: Int, _ number: Int, _ place: [String]) {
    let isNull = document.kind(value) == .null
    switch name {
    case "entities":
      if !isNull { addEntities(value, number, place + [name]) }
    case "routes":
      if !isNull { addInnerRoutes(value, number, place + [name]) }
    default:
      let known = "a case has entities and routes"
      refuse(value, place + [name], NearName.unknownMember(name, among: Self.caseMembers, known))
    }
  }

  private mutating func addEntities(_ value: Int, _ number: Int, _ place: [String]) {
    let example = "entities is an object from parameter to kind, like {\"boardID\":\"board\"}"
    guard isObject(value, place, example) else { return }
    cases[number].saysEntities = true
    for (key, kind) in document.members(value) {
      let place = place + [document.string(key)]
      guard document.kind(kind) == .string else {
        refuse(
          kind,
          place,
          "a kind is a string, not \(document.kind(kind).phrase): leave the parameter out if it is none"
        )
        continue
      }
      guard isName(kind, place, "a kind"), let parameter = parameter(key, of: number, place) else { continue }
      parameters[parameter].kind = document.withDecoded(kind) { Array($0) }
    }
  }

  private mutating func addInnerRoutes(_ value: Int, _ number: Int, _ place: [String]) {
    guard isArray(value, place, "routes of a case is an array of parameters, like [\"_0\"]") else { return }
    for (index, element) in document.elements(value).enumerated() {
      let place = place + [String(index)]
      guard document.kind(element) == .string else {
        refuse(element, place, "a parameter is a string, like \"_0\", not \(document.kind(element).phrase)")
        continue
      }
      guard let parameter = parameter(element, of: number, place) else { continue }
      parameters[parameter].holdsRoutes = true
      cases[number].holdsRoutes = true
    }
  }

  /// The parameter of a case that a dotted path names; nil after a fault.
  private mutating func parameter(_ node: Int, of number: Int, _ place: [String]) -> Int? {
    let path = document.withDecoded(node) { Array($0) }
    let steps = path.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard steps.allSatisfy({ !$0.isEmpty }), steps.count <= Self.longestPath else {
      let limit = "at most \(Self.longestPath) names"
      refuse(node, place, "a parameter is a name, or names with dots between, like ref.boardID, \(limit)")
      return nil
    }
    var scope = cases[number].scope ?? newScope()
    cases[number].scope = scope
    for step in steps.dropLast() {
      let outer = insert(step, scope)
      scope = parameters[outer].scope ?? newScope()
      parameters[outer].scope = scope
    }
    return steps.last.map { insert($0, scope) }
  }

  private mutating func insert(_ name: ArraySlice<UInt8>, _ scope: Int) -> Int {
    name.withUnsafeBufferPointer { parameters.insert($0, in: scope, RouteNames.Parameter()) }
  }

  private mutating func newScope() -> Int {
    scopes += 1
    return scopes
  }
}
