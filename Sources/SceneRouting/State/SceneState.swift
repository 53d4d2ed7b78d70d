/// Where a scene is: the value that is saved, linked to, tested and brought back.
///
/// It knows no user interface and no service. All rules of navigation that need neither are methods of it, so that
/// whatever holds for it can be asserted on values. Equal states have equal bytes, in every process.
public struct SceneState<Nav: Navigation>: Hashable, Sendable {
  /// A flow that was pushed: the tab it is on, and how many routes were there before it.
  struct Flow: Hashable, Sendable {
    var tab: Nav.Tab
    var depth: Int
  }

  /// The tab that is shown; nil only in a state that was saved without one.
  public var selectedTab: Nav.Tab?
  /// The stacks that are not empty, each root first.
  public private(set) var stacks: [Nav.Tab: [Nav.Route]] = [:]
  /// What is selected in each column of a split view but the last, which has a stack.
  public internal(set) var columns: [Nav.Route?] = []
  /// What is presented: at most one modal for each way of presenting.
  public internal(set) var modals: [Presentation: PresentedModal<Nav>] = [:]
  /// How often something happened on each tab while the person was elsewhere.
  public internal(set) var badges: [Nav.Tab: Int] = [:]
  /// The app's own.
  public var values = Nav.Values()
  /// The flows that were pushed, the last one begun at the end.
  var flows: [Flow] = []
  /// The flows as they were saved, before anything was left out from below them.
  var savedFlows: [Flow] = []
  /// What could not be read when this was decoded; says nothing about the state itself, and is not compared.
  public internal(set) var skipped: [Skipped] = []

  /// A state with nothing open.
  public init(selectedTab: Nav.Tab? = nil) { self.selectedTab = selectedTab }

  /// The stack of a tab, root first.
  public subscript(tab: Nav.Tab) -> [Nav.Route] {
    get { stacks[tab] ?? [] }
    _modify {
      let before = flows.isEmpty ? nil : stacks[tab, default: []]
      yield &stacks[tab, default: []]
      if stacks[tab]?.isEmpty == true { stacks[tab] = nil }
      if let before { keepFlows(on: tab, since: before) }
    }
  }

  /// A flow goes on for as long as what was below it is still there, and something of it is above.
  private mutating func keepFlows(on tab: Nav.Tab, since before: [Nav.Route]) {
    let now = self[tab]
    flows.removeAll { flow in
      flow.tab == tab && (now.count <= flow.depth || now.prefix(flow.depth) != before.prefix(flow.depth))
    }
  }

  /// Equal but for what is said of the decoding.
  public static func == (one: SceneState, other: SceneState) -> Bool {
    one.selectedTab == other.selectedTab && one.stacks == other.stacks && one.columns == other.columns
      && one.modals == other.modals && one.badges == other.badges && one.values == other.values
      && one.flows == other.flows
  }

  /// Hashes all that is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(selectedTab)
    hasher.combine(stacks)
    hasher.combine(columns)
    hasher.combine(modals)
    hasher.combine(badges)
    hasher.combine(values)
    hasher.combine(flows)
  }
}
