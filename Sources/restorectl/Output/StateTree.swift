import JSONText
import SceneModel

/// A state as indented lines: each tab, and under it its stack from the root up.
struct StateTree {
  private let document: JSONDocument
  private let dropped: [String: Dropped]
  private(set) var lines: [String] = []

  /// The lines of a state.
  ///
  /// - Parameter dropped: what is stale in it, as a restore that keeps everything reports it.
  init(_ document: JSONDocument, _ dropped: [Dropped]) {
    self.document = document
    self.dropped = Dictionary(dropped.map { ($0.path, $0) }) { first, _ in first }
    for (key, value) in document.members(document.root) where document.kind(value) != .null {
      switch document.string(key) {
      case "stacks": stacks(value)
      case "modals": for (name, modal) in pairs(value) { stack("\(name) (modal)", modal) }
      case "sidebarSelection": stack("sidebar", value)
      case "values": lines.append("values: \(Count.text(document.count(value), "member"))")
      default: break
      }
    }
  }

  private mutating func stacks(_ value: Int) {
    let selected = document.member(document.root, "selectedTab").flatMap(identifier)
    for (tab, value) in pairs(value) { stack(tab == selected ? "\(tab) (selected)" : tab, value) }
  }

  private mutating func stack(_ name: String, _ value: Int) {
    lines.append(Shown.text(name) + mark(value))
    if document.kind(value) == .array {
      for route in document.elements(value) { self.route(route) }
    } else if document.kind(value) == .object, let routes = document.member(value, "routes"),
      document.kind(routes) == .array
    {
      let index = document.member(value, "index").flatMap { Int(document.string($0)) }
      for (place, route) in document.elements(routes).enumerated() { self.route(route, isSelected: place == index) }
    } else {
      route(value)
    }
  }

  private mutating func route(_ node: Int, isSelected: Bool = false) {
    let text = Shown.text(String(decoding: JSONLine.of(document.text(node)), as: UTF8.self))
    lines.append("  \(isSelected ? "> " : "")\(text)\(mark(node))")
  }

  private func mark(_ node: Int) -> String {
    guard !dropped.isEmpty, let part = dropped[document.pointer(to: node)] else { return "" }
    guard part.reason == .entityMissing else { return "  [\(part.reason.rawValue)]" }
    return "  [missing: \(Shown.text(part.kind ?? "?")) \(Shown.quoted(part.id ?? ""))]"
  }

  /// Names and values of an object, or of a flat array of pairs.
  private func pairs(_ node: Int) -> [(name: String, value: Int)] {
    if document.kind(node) == .object {
      return document.members(node).map { (document.string($0.key), $0.value) }
    }
    var pairs: [(String, Int)] = []
    var elements = document.elements(node).makeIterator()
    while let name = elements.next(), let value = elements.next() { pairs.append((identifier(name) ?? "?", value)) }
    return pairs
  }

  /// A tab's id or a presentation: a string, a number, or an object whose one key it is.
  private func identifier(_ node: Int) -> String? {
    switch document.kind(node) {
    case .string, .number: document.string(node)
    case .object: document.members(node).map { document.string($0.key) }.first
    default: nil
    }
  }
}
