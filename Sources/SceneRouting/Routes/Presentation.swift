/// The way in which a modal is put over what is there: each holds at most one modal at a time.
///
/// What closes it by itself is part of the way, not of the screen: choose by where the person is to land.
///
/// | way | a gesture, a click outside or a back key closes it |
/// | --- | --- |
/// | `sheet`, `popover`, `dialog` | yes, unless it is held open |
/// | `cover` | no: only what is written in it |
/// | `alert` | no: only its buttons. Whoever may walk away from a question gets a `dialog` |
public struct Presentation: RawRepresentable, Hashable, Sendable {
  /// The name under which a state holds it.
  public let rawValue: String

  /// A way of the app's own, which closes as a sheet does.
  ///
  /// - Parameter rawValue: 1 to 255 bytes without control characters; the service refuses another.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Something beside the main thread, to be done or put away.
  public static let sheet = Presentation(rawValue: "sheet")
  /// Something that stands alone and covers all.
  public static let cover = Presentation(rawValue: "cover")
  /// Something small, anchored at what it is about.
  public static let popover = Presentation(rawValue: "popover")
  /// A message that must be answered by a button.
  public static let alert = Presentation(rawValue: "alert")
  /// A choice that may be walked away from.
  public static let dialog = Presentation(rawValue: "dialog")

  /// Whether a gesture, a click outside or a back key closes it.
  public var closesInteractively: Bool { self != .cover && self != .alert }

  /// Whether it asks about what is on the screen, and so may come up over any other modal.
  public var isQuestion: Bool { self == .alert || self == .dialog }

  /// From the bottom to the top, as modals that are up together lie on each other; names decide among equals.
  static func isBelow(_ one: Presentation, _ other: Presentation) -> Bool {
    (one.height, one.rawValue) < (other.height, other.rawValue)
  }

  private var height: Int {
    switch self {
    case .cover: 0
    case .popover: 2
    case .dialog: 3
    case .alert: 4
    default: 1
    }
  }
}

/// A modal that is up, with the stack inside it.
public struct PresentedModal<Nav: Navigation>: Hashable, Sendable {
  /// What is presented.
  public var modal: Nav.Modal
  /// The routes pushed inside it, the root left out.
  public var stack: [Nav.Route]

  /// A modal with a stack, which is empty at first.
  public init(_ modal: Nav.Modal, stack: [Nav.Route] = []) {
    self.modal = modal
    self.stack = stack
  }
}
