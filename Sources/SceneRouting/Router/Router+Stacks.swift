extension Router {
  /// The tab that is shown.
  public var selectedTab: Nav.Tab {
    get {
      observation.access(.selectedTab)
      return currentTab
    }
    // What a tab bar binds to: it sets the selected tab where a person chose it again.
    set { select(newValue) }
  }

  var currentTab: Nav.Tab { current.selectedTab ?? firstTab }

  /// The stacks that are not empty, each root first.
  public var stacks: [Nav.Tab: [Nav.Route]] {
    observation.access(.stacks)
    return current.stacks
  }

  /// How often something happened on each tab while the person was elsewhere.
  public var badges: [Nav.Tab: Int] {
    observation.access(.badges)
    return current.badges
  }

  /// The stack of the selected tab, root first.
  public var path: [Nav.Route] {
    get { self[currentTab] }
    _modify { yield &self[currentTab] }
  }

  /// The stack of a tab, root first.
  public subscript(tab: Nav.Tab) -> [Nav.Route] {
    get {
      observation.access(.stacks)
      return current[tab]
    }
    _modify {
      observation.willChange(.stacks)
      defer {
        observation.didChange(.stacks)
        changed()
      }
      yield &current[tab]
    }
  }

  /// Shows a tab; the one that is shown already goes back to its root.
  ///
  /// Its badge is taken away.
  public func select(_ tab: Nav.Tab) {
    // Only what changes is told to those who have read it.
    if tab == currentTab {
      change(.stacks, .badges) { $0.select(tab) }
    } else {
      change(.selectedTab, .badges) { $0.select(tab) }
    }
  }

  /// Puts a route on the selected tab's stack.
  public func push(_ route: Nav.Route) { self[currentTab].append(route) }

  /// Takes the topmost route off the selected tab's stack.
  ///
  /// - Returns: that route; nil where the tab is at its root, and nothing changed.
  @discardableResult public func pop() -> Nav.Route? {
    let tab = currentTab
    return current[tab].isEmpty ? nil : change(.stacks) { $0.pop(on: tab) }
  }

  /// Takes off all that is above the topmost `route` on the selected tab.
  ///
  /// - Returns: false where the stack holds no such route, and nothing changed.
  @discardableResult public func pop(to route: Nav.Route) -> Bool {
    let tab = currentTab
    guard current[tab].contains(route) else { return false }
    return change(.stacks) { $0.pop(to: route, on: tab) }
  }

  /// Takes all routes off the selected tab's stack.
  public func popToRoot() {
    if !current[currentTab].isEmpty { self[currentTab].removeAll() }
  }

  /// Puts `routes` in the place of the last steps, as a flow does that cannot be walked back.
  ///
  /// - Parameters:
  ///   - count: how many steps go; all of them, where there are fewer.
  ///   - routes: what comes in their place, the lowest first; it may be nothing.
  public func replace(last count: Int, with routes: [Nav.Route]) {
    let tab = currentTab
    change(.stacks) { $0.replace(last: count, with: routes, on: tab) }
  }

  /// Goes one step back, as a back key does: in the topmost modal if there is one, else on the selected tab.
  ///
  /// - Returns: false where there is no step back that a person may take by it.
  @discardableResult public func back() -> Bool {
    guard let top = current.presented.last else { return pop() != nil }
    if current.modals[top]?.stack.isEmpty == false {
      self[inside: top].removeLast()
      return true
    }
    return dismissInteractively(top)
  }
}

// MARK: - Split views

extension Router {
  /// What is selected in each column of a split view but the last, which shows the selected tab's stack.
  public var columns: [Nav.Route?] {
    observation.access(.columns)
    return current.columns
  }

  /// The selection of the first column, for a list to bind to; nil selects nothing.
  public var sidebarSelection: Nav.Route? {
    get {
      observation.access(.columns)
      return current.sidebarSelection
    }
    set { select(newValue, inColumn: 0) }
  }

  /// Selects in one column of a split view: the columns after it select nothing any more, and the last column's stack
  /// is at its root.
  ///
  /// Selecting what is selected already changes nothing.
  ///
  /// - Parameters:
  ///   - route: what is selected; nil: nothing.
  ///   - column: 0 is the sidebar; columns before it that have no selection keep having none.
  public func select(_ route: Nav.Route?, inColumn column: Int) {
    change(.columns, .stacks) { $0.select(route, inColumn: column) }
  }
}
