import Observation
import RestoreClient
import SceneModel

/// Where one scene of an app is, for its views to show and to change.
///
/// One router per scene (a window, say) holds all of its navigation; views hold none. What changes it are its methods and
/// the properties that a user interface binds to; each is observed, so a view is drawn anew when what it has read changes.
///
/// ```swift
/// let router = Router<Boards>(selected: .boards)
/// router.push(.board(id: "b1"))
/// await router.keep(in: client.scene())
/// ```
@MainActor public final class Router<Nav: Navigation>: Observable {
  /// A modal that comes up once there is room for it.
  struct Waiting: Hashable, Sendable {
    var presentation: Presentation
    var presented: PresentedModal<Nav>

    /// A state in which there is nothing but this one: by it a restore would judge it.
    var alone: SceneState<Nav> {
      var state = SceneState<Nav>()
      state.modals[presentation] = presented
      return state
    }
  }

  /// A link that nobody could be led along yet.
  struct HeldLink: Hashable, Sendable {
    var destination: Destination<Nav>
    var opener: LinkOpener
  }

  let observation = RouterObservation()
  /// The tab to be on where a state does not say.
  let firstTab: Nav.Tab
  var current: SceneState<Nav>
  var waiting: [Waiting] = []
  var heldLinks: [HeldLink] = []
  var heldOpenNow: Set<Presentation> = []
  var isRooted: Bool
  /// Whether a restore is under way: until it is over, links wait.
  var isRestoring = false
  /// Counts all changes, so that whoever was away can tell whether there was one.
  var generation = 0
  /// What is done with stale routes while the scene is shown, as when it is restored.
  var stalePolicy = StalePolicy.drop
  /// What the service would be told of the routes, laid out at the first deletion.
  lazy var rules = Nav.rules
  /// What keeps this router's scene; called after each change.
  var keeper: (any RouterKeeper)?

  /// How a flow that takes the whole window is shown on this platform.
  public let flowStyle: FlowStyle

  /// Whether the next modal waits until the user interface says that the last one is off the screen.
  ///
  /// Where taking a modal down takes a while (an animation), presenting the next one meanwhile loses it. The interface
  /// then calls `dismissalEnded()`. False: a dismissed modal is gone at once.
  public let awaitsDismissals: Bool
  var isDismissing = false

  /// A router with nothing open.
  ///
  /// - Parameters:
  ///   - selected: the tab to begin with.
  ///   - hasRoot: whether there is something to navigate in yet; false where a person must log in first.
  ///   - flowStyle: how flows that take the whole window are shown.
  ///   - awaitsDismissals: whether the user interface calls `dismissalEnded()`.
  public init(
    selected: Nav.Tab,
    hasRoot: Bool = true,
    flowStyle: FlowStyle = .ofPlatform,
    awaitsDismissals: Bool = false
  ) {
    firstTab = selected
    current = SceneState(selectedTab: selected)
    isRooted = hasRoot
    self.flowStyle = flowStyle
    self.awaitsDismissals = awaitsDismissals
  }

  /// Changes parts of the state: their observers are told before and after, the keeper after.
  func change<Result>(_ parts: RouterObservation.Part..., body: (inout SceneState<Nav>) -> Result) -> Result {
    change(parts, body)
  }

  func change<Result>(_ parts: [RouterObservation.Part], _ body: (inout SceneState<Nav>) -> Result) -> Result {
    for part in parts { observation.willChange(part) }
    defer {
      for part in parts { observation.didChange(part) }
      changed()
    }
    return body(&current)
  }

  func changed() {
    generation &+= 1
    keeper?.routerChanged()
  }
}

extension Router where Nav.Tab == OnlyTab {
  /// A router with a single stack and nothing open; the parameters are those of the other initializer.
  public convenience init(
    hasRoot: Bool = true,
    flowStyle: FlowStyle = .ofPlatform,
    awaitsDismissals: Bool = false
  ) {
    self.init(selected: .main, hasRoot: hasRoot, flowStyle: flowStyle, awaitsDismissals: awaitsDismissals)
  }
}

/// Whoever wants to know of each change of a router.
@MainActor protocol RouterKeeper: AnyObject {
  /// Something has changed.
  func routerChanged()
}

// MARK: - The whole state

extension Router {
  /// All of it as one value: what is saved, and what a test compares.
  ///
  /// Set, it takes the place of all that there was; a state without a selected tab shows the first one. What waited to be
  /// presented is given up.
  public var state: SceneState<Nav> {
    get {
      for part in RouterObservation.Part.ofState { observation.access(part) }
      return current
    }
    set {
      waiting = []
      isDismissing = false
      change(RouterObservation.Part.ofState) { current in
        current = newValue
        if current.selectedTab == nil { current.selectedTab = firstTab }
      }
    }
  }

  /// What the app keeps beside its navigation: scroll offsets, drafts, filters.
  ///
  /// Saved like all else.
  public var values: Nav.Values {
    get {
      observation.access(.values)
      return current.values
    }
    _modify {
      observation.willChange(.values)
      defer {
        observation.didChange(.values)
        changed()
      }
      yield &current.values
    }
  }
}
