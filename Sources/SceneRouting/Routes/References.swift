import RestoreClient

/// What a route refers to: entities by kind and id, and routes inside it.
///
/// ```swift
/// var references: References {
///   switch self {
///   case .card(let board, let number): ["board": board, "card": number]
///   case .checkout(let after): .routes(after)
///   case .filter: [:]
///   }
/// }
/// ```
public struct References: ExpressibleByDictionaryLiteral, Sendable {
  /// One entity that a route refers to.
  struct Entity: Sendable {
    let kind: EntityKind
    let id: String
  }

  /// The entities, in the order in which the route says them; a kind may stand more than once.
  var entities: [Entity] = []
  /// The routes inside it.
  var routes: [any SceneRoute] = []
  /// Whether the names of the parameters say it.
  var isByName = false

  /// Whatever the names of the parameters say: `boardID` refers to a `board`, the `id` of a case `board` too.
  public static var byName: References {
    var references = References()
    references.isByName = true
    return references
  }

  /// No entity but those that these routes, which the route holds, refer to.
  public static func routes(_ inner: any SceneRoute...) -> References {
    var references = References()
    references.routes = inner
    return references
  }

  /// The entities of these kinds with these ids, and no others; `[:]` is none at all.
  public init(dictionaryLiteral elements: (EntityKind, any EntityIdentifier)...) {
    entities = elements.map { Entity(kind: $0.0, id: $0.1.entityText) }
  }

  private init() {}

  /// These, and the routes `inner` that the route holds besides.
  public func holding(_ inner: any SceneRoute...) -> References {
    var all = self
    all.routes += inner
    return all
  }
}
