/// The members of a state that the service knows.
enum StateKey: String, CodingKey {
  case selectedTab, stacks, sidebarSelection, modals, values
}

/// The members of a state's `values`.
enum ValuesKey: String, CodingKey {
  case app, badges, flows
}

extension SceneState: Encodable {
  /// Writes the state as the service reads it: tabs and ways of presenting by name, in objects.
  ///
  /// With an encoder that sorts keys, equal states have equal bytes: a dictionary whose keys are an enum would be
  /// written as an array, in an order that differs from process to process.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StateKey.self)
    try container.encodeIfPresent(selectedTab?.rawValue, forKey: .selectedTab)
    try container.encode(
      Dictionary(uniqueKeysWithValues: stacks.lazy.filter { !$0.value.isEmpty }.map { ($0.key.rawValue, $0.value) }),
      forKey: .stacks
    )
    switch columns.count {
    case 0: break
    case 1: try container.encode(columns[0], forKey: .sidebarSelection)
    default: try container.encode(columns, forKey: .sidebarSelection)
    }
    if !modals.isEmpty {
      try container.encode(
        Dictionary(uniqueKeysWithValues: modals.map { ($0.key.rawValue, EncodedModal(presented: $0.value)) }),
        forKey: .modals
      )
    }
    try encodeValues(in: &container)
  }

  private func encodeValues(in container: inout KeyedEncodingContainer<StateKey>) throws {
    let hasValues = values != Nav.Values()
    if !hasValues, badges.isEmpty, flows.isEmpty { return }
    var nested = container.nestedContainer(keyedBy: ValuesKey.self, forKey: .values)
    if hasValues { try nested.encode(values, forKey: .app) }
    if !badges.isEmpty {
      try nested.encode(Dictionary(uniqueKeysWithValues: badges.map { ($0.key.rawValue, $0.value) }), forKey: .badges)
    }
    if !flows.isEmpty { try nested.encode(flows.map(EncodedFlow.init), forKey: .flows) }
  }
}

/// A modal, with its stack after it where there is one.
private struct EncodedModal<Nav: Navigation>: Encodable {
  let presented: PresentedModal<Nav>

  func encode(to encoder: any Encoder) throws {
    guard !presented.stack.isEmpty else {
      var container = encoder.singleValueContainer()
      return try container.encode(presented.modal)
    }
    var container = encoder.unkeyedContainer()
    try container.encode(presented.modal)
    try container.encode(contentsOf: presented.stack)
  }
}

/// A flow as it is saved.
struct EncodedFlow: Codable {
  var tab: String
  var depth: Int

  init<Nav>(_ flow: SceneState<Nav>.Flow) { (tab, depth) = (flow.tab.rawValue, flow.depth) }
}

extension UnkeyedEncodingContainer {
  fileprivate mutating func encode(contentsOf routes: [some Encodable]) throws {
    for route in routes { try encode(route) }
  }
}
