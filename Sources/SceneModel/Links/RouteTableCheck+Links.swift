import JSONText

/// `links`.
extension RouteTableCheck {
  private static let linkMembers = ["link", "state"]
  /// Faults in one link's state after which no more are looked for there.
  private static let mostFaults = 100

  mutating func addLinks(_ value: Int) {
    let example = #"links is an array of links, each like {"link":"myapp://board/{id}","state":{…}}"#
    guard isArray(value, ["links"], example) else { return }
    for (index, link) in document.elements(value).enumerated() { addLink(link, ["links", String(index)]) }
  }

  private mutating func addLink(_ value: Int, _ place: [String]) {
    guard isObject(value, place, "a link is an object with link and state") else { return }
    var (link, state): (Int?, Int?)
    for (key, value) in document.members(value) {
      switch document.string(key) {
      case "link": link = value
      case "state": state = value
      case let name:
        let known = "a link has link and state"
        refuse(value, place + [name], NearName.unknownMember(name, among: Self.linkMembers, known))
      }
    }
    guard let link else { return refuse(value, place, "a link needs link, the pattern that it matches") }
    guard let state else { return refuse(value, place, "a link needs state, the state that it leads to") }
    let pattern = pattern(link, place + ["link"])
    guard isObject(state, place + ["state"], "the state of a link is an object, as an app would save it") else {
      return
    }
    guard let pattern, let gaps = gaps(in: state, pattern, place + ["state"]) else { return }
    let rule = LinkRule(pattern, state: Array(document.text(state)), gaps: gaps)
    guard isState(rule, state, place + ["state"]) else { return }
    links.append(rule)
    counts.links += 1
  }

  private mutating func pattern(_ link: Int, _ place: [String]) -> LinkPattern? {
    guard document.kind(link) == .string else {
      refuse(link, place, "link is a string, like \"myapp://board/{id}\", not \(document.kind(link).phrase)")
      return nil
    }
    do throws(LinkPattern.Fault) {
      return try LinkPattern(document.withDecoded(link) { Array($0) })
    } catch {
      refuse(link, place, error.sentence)
      return nil
    }
  }

  /// Where in the text of a state the placeholders stand; nil after a fault.
  private mutating func gaps(
    in state: Int,
    _ pattern: LinkPattern,
    _ place: [String]
  ) -> [(range: Range<Int>, placeholder: Int)]? {
    let before = faults.count
    let start = document.range(state).lowerBound
    var gaps: [(range: Range<Int>, placeholder: Int)] = []
    var keys: [Int: Int] = [:]
    for node in state..<document.next(state) {
      for (key, value) in document.members(node) { keys[key] = value }
      guard document.kind(node) == .string, faults.count < before + Self.mostFaults,
        let placeholder = placeholder(node)
      else { continue }
      if let value = keys[node] {
        refuse(value, "a placeholder stands for a value, not for a key")
      } else if let number = number(of: placeholder, in: pattern, node) {
        let range = document.range(node)
        gaps.append((range.lowerBound - start..<range.upperBound - start, number))
      }
    }
    return faults.count == before ? gaps : nil
  }

  private mutating func placeholder(_ node: Int) -> Placeholder? {
    do throws(Placeholder.UnknownType) {
      return try Placeholder(whole: document.withDecoded(node) { Array($0) })
    } catch {
      refuse(node, error.sentence)
      return nil
    }
  }

  /// The number of a placeholder in the pattern; nil, after a fault, where it has none.
  private mutating func number(of placeholder: Placeholder, in pattern: LinkPattern, _ node: Int) -> Int? {
    if let number = pattern.number(named: placeholder.name) {
      let other = pattern.placeholders[number]
      if other == placeholder { return number }
      refuse(node, "the link has \(other.spelling), not \(placeholder.spelling): write it alike in both")
    } else {
      let names = pattern.placeholders.map(\.spelling)
      let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
      refuse(node, "the link lacks the placeholder \(placeholder.spelling): \(known)")
    }
    return nil
  }

  /// Refuses what stands at a node, whose pointer is looked up.
  private mutating func refuse(_ node: Int, _ reason: String) {
    faults.append(
      RouteTableFault(
        path: document.pointer(to: node),
        reason: reason,
        offset: document.range(node).lowerBound
      )
    )
  }

  /// Refuses what is no state, whatever the placeholders stand for.
  private mutating func isState(_ rule: LinkRule, _ node: Int, _ place: [String]) -> Bool {
    do throws(StateFault) {
      _ = try SceneState(validating: rule.sample)
      return true
    } catch {
      var pointer: [UInt8] = []
      for step in place { JSONPointer.append(step.utf8, to: &pointer) }
      let path = String(decoding: pointer, as: UTF8.self)
      let offset = document.range(node).lowerBound
      switch error {
      case .invalid(let inner, let reason):
        faults.append(RouteTableFault(path: path + inner, reason: reason, offset: offset))
      case .limit(let name, let maximum, let actual):
        let limit = RouteTableFault.Limit(name: name, maximum: maximum, actual: actual)
        let reason = "\(name): \(actual), at most \(maximum)"
        faults.append(RouteTableFault(path: path, reason: reason, offset: offset, limit: limit))
      }
      return false
    }
  }
}
