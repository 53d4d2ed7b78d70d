extension Router {
  /// The modals that are up, with the stacks inside them.
  public var modals: [Presentation: PresentedModal<Nav>] {
    observation.access(.modals)
    return current.modals
  }

  /// The modal that is up in one way, for a user interface to bind to; set to nil, it is dismissed.
  public subscript(presentation: Presentation) -> Nav.Modal? {
    get {
      observation.access(.modals)
      return current.modals[presentation]?.modal
    }
    set {
      if let newValue { present(newValue, as: presentation) } else { dismiss(presentation) }
    }
  }

  /// The stack inside a modal, its root left out; empty where none is up, and then it cannot be changed.
  public subscript(inside presentation: Presentation) -> [Nav.Route] {
    get {
      observation.access(.modals)
      return current.modals[presentation]?.stack ?? []
    }
    set { change(.modals) { $0.modals[presentation]?.stack = newValue } }
  }

  /// Presents a modal; while another is up that would have to go first, it waits until that was dismissed.
  ///
  /// A question (an alert, a dialog) may be asked over a modal that is none.
  public func present(_ modal: Nav.Modal, as presentation: Presentation = .sheet) {
    waiting.append(Waiting(presentation: presentation, presented: PresentedModal(modal)))
    presentNext()
  }

  /// Takes down one modal; those that are up besides stay.
  ///
  /// The next one that waits comes up.
  public func dismiss(_ presentation: Presentation = .sheet) {
    guard current.modals[presentation] != nil else { return }
    isDismissing = awaitsDismissals
    heldOpenNow.remove(presentation)
    change(.modals) { $0.modals[presentation] = nil }
    settle()
  }

  /// Takes down all modals, and gives up those that wait.
  public func dismissAll() {
    waiting = []
    heldOpenNow = []
    if !current.modals.isEmpty {
      isDismissing = awaitsDismissals
      change(.modals) { $0.modals = [:] }
    }
    settle()
  }

  /// Takes down a modal because a person swiped it away, clicked beside it or went back.
  ///
  /// - Returns: false where it does not close that way, or is held open; then it stays.
  @discardableResult public func dismissInteractively(_ presentation: Presentation = .sheet) -> Bool {
    guard presentation.closesInteractively, !heldOpenNow.contains(presentation) else { return false }
    guard current.modals[presentation] != nil else { return false }
    dismiss(presentation)
    return true
  }

  /// Holds a modal open, as one with unsaved changes is to be: only a button in it closes it, and no link is followed
  /// until it is closed.
  ///
  /// It ends with the modal. Holding what is not up changes nothing.
  ///
  /// - Parameters:
  ///   - presentation: which modal.
  ///   - isHeld: false lets go of it.
  public func holdOpen(_ presentation: Presentation = .sheet, _ isHeld: Bool = true) {
    observation.willChange(.modals)
    defer { observation.didChange(.modals) }
    if isHeld, current.modals[presentation] != nil {
      heldOpenNow.insert(presentation)
    } else {
      heldOpenNow.remove(presentation)
      settle()
    }
  }

  /// Whether a modal is held open, for a user interface that has to know before a gesture begins.
  public func isHeldOpen(_ presentation: Presentation = .sheet) -> Bool {
    observation.access(.modals)
    return heldOpenNow.contains(presentation)
  }

  /// Says that a dismissed modal is off the screen, so that the next one may come up.
  public func dismissalEnded() {
    isDismissing = false
    settle()
  }

  /// After a modal went: what waited for that comes next.
  func settle() {
    followHeldLinks()
    presentNext()
  }

  private func presentNext() {
    while !isDismissing, let next = waiting.first, current.hasRoom(for: next.presentation) {
      waiting.removeFirst()
      change(.modals) { $0.modals[next.presentation] = next.presented }
    }
  }
}

// MARK: - Flows

extension Router {
  /// Whether a flow goes on.
  public var isInFlow: Bool {
    observation.access(.stacks)
    observation.access(.modals)
    return current.isInFlow || current.modals[.cover] != nil
  }

  /// Begins a flow that takes the whole window: as a cover where the platform has them, else by a push.
  ///
  /// No view needs to know which: `endFlow()` leads back to the screen that was there before.
  ///
  /// - Parameters:
  ///   - modal: what is presented.
  ///   - route: what is pushed.
  public func beginFlow(cover modal: Nav.Modal, orPush route: Nav.Route) {
    switch flowStyle {
    case .cover: present(modal, as: .cover)
    case .push:
      let tab = currentTab
      change(.stacks) { $0.beginFlow(route, on: tab) }
    }
  }

  /// Ends the flow begun last: the person stands where it began, however deep it went, and whatever it presented is gone.
  public func endFlow() {
    let hadModals = !current.modals.isEmpty
    waiting = []
    heldOpenNow = []
    change(.stacks, .modals) { $0.endFlow() }
    if hadModals { isDismissing = awaitsDismissals }
    settle()
  }
}
