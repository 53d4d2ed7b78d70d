import FoundationEssentials

extension Router {
  /// Follows a link, as far as whoever opened it may (see `SceneState.open`).
  ///
  /// A link waits while there is no root to open it in, while the scene is being restored, and, if a person opened it,
  /// while a modal is held open. What waited is followed in order.
  ///
  /// - Returns: false where it is none of the app's, and nothing changed.
  @discardableResult public func open(_ url: URL, by opener: LinkOpener = .person) -> Bool {
    guard let destination = Nav.destination(of: url) else { return false }
    open(destination, by: opener)
    return true
  }

  /// Goes to a destination as a link does that leads there.
  public func open(_ destination: Destination<Nav>, by opener: LinkOpener = .person) {
    heldLinks.append(HeldLink(destination: destination, opener: opener))
    followHeldLinks()
  }

  func followHeldLinks() {
    guard isRooted, !isRestoring, heldOpenNow.isEmpty else { return }
    while !heldLinks.isEmpty { follow(heldLinks.removeFirst()) }
  }

  private func follow(_ link: HeldLink) {
    let hadModals = !current.modals.isEmpty
    var destination = link.destination
    if link.opener == .person {
      waiting = []
      // What the link presents comes up when the modals that it closes are off the screen.
      if hadModals, awaitsDismissals, let modal = destination.modal {
        isDismissing = true
        waiting = [Waiting(presentation: destination.presentation, presented: PresentedModal(modal))]
        destination.modal = nil
      }
    }
    change(.selectedTab, .stacks, .modals, .badges) { $0.open(destination, by: link.opener) }
  }
}

// MARK: - The root

extension Router {
  /// Whether there is something to navigate in: false before a login and after a logout.
  ///
  /// What a window shows at its root is decided by this, never by a modal over the app.
  public var hasRoot: Bool {
    observation.access(.root)
    return isRooted
  }

  /// A person has logged in: there is a root from now on, and the links that waited for it are followed.
  public func setUpRoot() {
    guard !isRooted else { return }
    setRooted(true)
    followHeldLinks()
  }

  /// A person has logged out: the whole tree goes, with stacks, modals, what waits, badges and values.
  ///
  /// Links that come from now on wait for the next root.
  public func tearDownRoot() {
    waiting = []
    heldLinks = []
    heldOpenNow = []
    isDismissing = false
    setRooted(false)
    change(RouterObservation.Part.ofState) { $0 = SceneState(selectedTab: firstTab) }
  }

  private func setRooted(_ value: Bool) {
    observation.willChange(.root)
    isRooted = value
    observation.didChange(.root)
  }
}
