/// Where in a checked state its parts stand, by the nodes of their values; nil for one that is left
/// out or null.
struct StateLayout: Sendable {
  var stacks: Int?
  var selectedTab: Int?
  var sidebarSelection: Int?
  var modals: Int?
  var values: Int?
  /// Routes on all stacks, those of nested lists included.
  var routesOnStacks = 0
  /// All routes: those on stacks, those selected in the sidebar, and those of modals.
  var routes = 0
}
