/// Where a link leads: a tab, a stack, a modal, or some of these.
public struct Destination<Nav: Navigation>: Hashable, Sendable {
  /// The tab; nil leaves the person on the one where they are.
  public var tab: Nav.Tab?
  /// What the tab's stack becomes, root first; nil leaves it as it is.
  public var stack: [Nav.Route]?
  /// What is presented.
  public var modal: Nav.Modal?
  /// How it is presented.
  public var presentation: Presentation

  /// A stack on a tab, with a modal over it or none.
  public init(
    _ tab: Nav.Tab,
    _ stack: [Nav.Route] = [],
    modal: Nav.Modal? = nil,
    as presentation: Presentation = .sheet
  ) {
    (self.tab, self.stack, self.modal, self.presentation) = (tab, stack, modal, presentation)
  }

  /// A modal over whatever is there.
  public init(modal: Nav.Modal, as presentation: Presentation = .sheet) {
    (tab, stack, self.modal, self.presentation) = (nil, nil, modal, presentation)
  }
}

/// Who opened a link.
public enum LinkOpener: Hashable, Sendable {
  /// A person, by a click or a tap: the link may lead to another tab.
  case person
  /// A server, a timer, a sync: nobody is led away from where they are; another tab gets a badge.
  case background
}
