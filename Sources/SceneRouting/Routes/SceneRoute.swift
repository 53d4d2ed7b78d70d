/// One screen on a stack, or one modal: a value that says what is shown, and no view of it.
///
/// Payloads are ids, never model objects: an object goes stale with the next edit, an id is looked up when it is shown.
/// An enum with synthesized `Codable` needs nothing more than the conformance.
public protocol SceneRoute: Hashable, Codable, Sendable {
  /// The entities that the route shows, and the routes that it holds.
  ///
  /// `References.byName`, the default, leaves it to the names of the parameters: `boardID` refers to a `board`, and the
  /// `id` of the case `board` too.
  var references: References { get }

  /// One value of each case, with ids that are all different; from these the route table is made.
  ///
  /// Empty, the default, says nothing about any case. A case whose `references` are not by name must be among them:
  /// what the service knows of it is learnt from its example.
  static var examples: [Self] { get }
}

extension SceneRoute {
  /// By the names of the parameters.
  public var references: References { .byName }
  /// None.
  public static var examples: [Self] { [] }
}

/// The routes of an app that has none, such as one without modals.
extension Never: SceneRoute {}
