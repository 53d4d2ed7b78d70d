import FoundationEssentials

/// All that one app navigates by, under one name: `Router<Boards>`.
///
/// ```swift
/// enum Boards: Navigation {
///   enum Route: SceneRoute { case board(id: String), card(boardID: String, cardID: String) }
///   enum Tab: String, SceneTab, CaseIterable { case boards, inbox }
/// }
/// ```
public protocol Navigation: Sendable {
  /// The screens that are pushed.
  associatedtype Route: SceneRoute
  /// The sections, each with a stack of its own. An app with a single stack leaves it out.
  associatedtype Tab: SceneTab = OnlyTab
  /// What is presented. Never a route: a presented flow is on no stack.
  associatedtype Modal: SceneRoute = Never
  /// What else a scene wants back: scroll offsets, drafts, filters.
  associatedtype Values: SceneValues = NoValues

  /// Where a link leads; nil where it is none of the app's.
  ///
  /// The one function from links to navigation: pure, so that tests need no user interface.
  static func destination(of url: URL) -> Destination<Self>?

  /// Cases of routes and modals that had another name in an earlier release: old name → new name.
  static var renamed: [String: String] { get }

  /// Tabs that had another name in an earlier release: old name → new name.
  static var renamedTabs: [String: String] { get }
}

extension Navigation {
  /// No link is the app's.
  public static func destination(of url: URL) -> Destination<Self>? { nil }
  /// None.
  public static var renamed: [String: String] { [:] }
  /// None.
  public static var renamedTabs: [String: String] { [:] }
}

/// What a scene wants back beside its navigation, with a value to begin with.
public protocol SceneValues: Hashable, Codable, Sendable {
  /// What there is before anything was saved.
  init()
}

/// The values of an app that keeps none.
public struct NoValues: SceneValues {
  /// Nothing.
  public init() {}
}
