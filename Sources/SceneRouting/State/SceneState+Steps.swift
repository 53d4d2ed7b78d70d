extension SceneState {
  /// Shows a tab; the one that is shown already goes back to its root.
  ///
  /// Its badge is taken away: the person is there now.
  public mutating func select(_ tab: Nav.Tab) {
    if selectedTab == tab { self[tab].removeAll() }
    selectedTab = tab
    badges[tab] = nil
  }

  /// Takes the topmost route off a tab's stack.
  ///
  /// - Returns: that route; nil where the tab is at its root, and nothing changed.
  @discardableResult public mutating func pop(on tab: Nav.Tab) -> Nav.Route? {
    self[tab].popLast()
  }

  /// Takes off all that is above the topmost `route`.
  ///
  /// - Returns: false where the stack holds no such route, and nothing changed.
  @discardableResult public mutating func pop(to route: Nav.Route, on tab: Nav.Tab) -> Bool {
    guard let place = self[tab].lastIndex(of: route) else { return false }
    self[tab].removeSubrange((place + 1)...)
    return true
  }

  /// Puts `routes` in the place of the last steps of a stack, as a flow does that cannot be walked back.
  ///
  /// - Parameters:
  ///   - count: how many steps go; all of them, where there are fewer.
  ///   - routes: what comes in their place, the lowest first; it may be nothing.
  ///   - tab: whose stack it is.
  public mutating func replace(last count: Int, with routes: [Nav.Route], on tab: Nav.Tab) {
    let stack = self[tab]
    self[tab].replaceSubrange((stack.count - min(max(count, 0), stack.count))..., with: routes)
  }

  /// The selection of the first column of a split view; nil selects nothing.
  public var sidebarSelection: Nav.Route? {
    get { columns.first ?? nil }
    set { select(newValue, inColumn: 0) }
  }

  /// Selects in one column of a split view: what depended on the old selection goes.
  ///
  /// The columns after it select nothing any more, and the stack of the last column, which is the selected tab's, is at
  /// its root. Selecting what is selected already changes nothing.
  ///
  /// - Parameters:
  ///   - route: what is selected; nil: nothing.
  ///   - column: 0 is the sidebar; columns before it that have no selection keep having none.
  public mutating func select(_ route: Nav.Route?, inColumn column: Int) {
    guard column >= 0, (columns.indices.contains(column) ? columns[column] : nil) != route else { return }
    columns.removeSubrange(min(column, columns.count)...)
    if let route {
      columns += Array(repeating: nil, count: column - columns.count) + [route]
    } else {
      while columns.last == .some(nil) { columns.removeLast() }
    }
    if let selectedTab { self[selectedTab].removeAll() }
  }

  /// Everything from the first column to the top of the selected tab's stack in one path, as a window too narrow for
  /// columns shows it.
  public var collapsedPath: [Nav.Route] {
    columns.compactMap(\.self) + (selectedTab.map { self[$0] } ?? [])
  }
}

// MARK: - Modals

extension SceneState {
  /// The ways in which something is presented now, from the bottom to the top.
  public var presented: [Presentation] { modals.keys.sorted(by: Presentation.isBelow) }

  /// Whether a modal may come up now: nothing is presented while something else is that would have to go first.
  ///
  /// A question (an alert, a dialog) may be asked over any modal that is none itself.
  func hasRoom(for presentation: Presentation) -> Bool {
    presentation.isQuestion ? !modals.keys.contains(where: \.isQuestion) : modals.isEmpty
  }
}

// MARK: - Flows

/// How this platform shows a flow that takes the whole window.
public enum FlowStyle: Hashable, Sendable {
  /// Over all else, as a modal.
  case cover
  /// On the stack: where no such modal exists.
  case push

  /// What the platform's own apps do: macOS has no cover.
  public static var ofPlatform: FlowStyle {
    #if os(macOS)
      .push
    #else
      .cover
    #endif
  }
}

extension SceneState {
  /// Whether a pushed flow goes on.
  public var isInFlow: Bool { !flows.isEmpty }

  /// Begins a flow by a push, and remembers where it began.
  mutating func beginFlow(_ route: Nav.Route, on tab: Nav.Tab) {
    let depth = self[tab].count
    self[tab].append(route)
    flows.append(Flow(tab: tab, depth: depth))
  }

  /// Ends the flow begun last: however deep it went, the person stands where it began.
  mutating func endFlow() {
    modals.removeAll()
    if let flow = flows.popLast() { self[flow.tab].removeSubrange(flow.depth...) }
  }
}

// MARK: - Links

extension SceneState {
  /// Goes where a link leads, as far as whoever opened it may.
  ///
  /// A person is led there: modals close, the tab is selected, its stack replaced, the link's modal presented. In the
  /// background nothing is taken away and nobody is led anywhere: on the tab that is shown, with no modal up, the
  /// destination's last route is pushed, unless it is on top already; everywhere else the tab gets a badge.
  public mutating func open(_ destination: Destination<Nav>, by opener: LinkOpener = .person) {
    switch opener {
    case .person: lead(to: destination)
    case .background: mention(destination)
    }
  }

  private mutating func lead(to destination: Destination<Nav>) {
    modals.removeAll()
    if let tab = destination.tab {
      selectedTab = tab
      badges[tab] = nil
    }
    if let stack = destination.stack, let selectedTab {
      flows.removeAll { $0.tab == selectedTab }
      self[selectedTab] = stack
    }
    if let modal = destination.modal { modals[destination.presentation] = PresentedModal(modal) }
  }

  private mutating func mention(_ destination: Destination<Nav>) {
    guard let tab = destination.tab ?? selectedTab else { return }
    if tab == selectedTab, modals.isEmpty, destination.modal == nil, let route = destination.stack?.last {
      if self[tab].last != route { self[tab].append(route) }
    } else {
      badges[tab, default: 0] += 1
    }
  }
}
