/// What an app has said of its routes: by its route table, or nothing, which leaves the convention.
///
/// Everything that a route table decides about a restoration is asked here.
package struct RouteRules: Sendable {
  /// The rules of an app without a route table: references by convention, every case known, stale routes dropped.
  package static let byConvention = RouteRules()

  /// The policy for a call that names none.
  package let stale: StalePolicy
  /// The names that the table mentions; nil: it mentions none.
  let names: RouteNames?
  /// Whether the table lists the cases that there are.
  let listsCases: Bool
  /// Whether a route is stale whose case is not listed, or that has none.
  let dropsUnknown: Bool
  /// Whether the table lists the tabs that there are.
  let listsTabs: Bool
  /// Whether flat stacks are pairs of type name and JSON text, last pushed first.
  let isNavigationPath: Bool

  init(
    stale: StalePolicy = .drop,
    names: RouteNames? = nil,
    listsCases: Bool = false,
    dropsUnknown: Bool = false,
    listsTabs: Bool = false,
    isNavigationPath: Bool = false
  ) {
    self.stale = stale
    self.names = names
    self.listsCases = listsCases
    self.dropsUnknown = dropsUnknown
    self.listsTabs = listsTabs
    self.isNavigationPath = isNavigationPath
  }

  /// The names, where the table mentions a tab.
  var tabNames: RouteNames? { names.flatMap { $0.tabs.isEmpty && !listsTabs ? nil : $0 } }
}
