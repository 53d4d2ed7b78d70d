/// The routes of one module, which knows nothing of the app that it is part of nor of the modules beside it.
public protocol RouteModule: SceneRoute {
  /// The name under which its routes are saved: it must stay the same from release to release.
  static var moduleName: String { get }
}

/// The modules whose routes may lie on one stack.
///
/// ```swift
/// enum Modules: RouteModules {
///   static var all: [any RouteModule.Type] { [BoardRoute.self, ProfileRoute.self] }
/// }
/// enum App: Navigation { typealias Route = ModuleRoute<Modules> }
/// ```
public protocol RouteModules: Sendable {
  /// All of them, no two of one name.
  static var all: [any RouteModule.Type] { get }
}

/// A route of any of several modules, for a stack on which they are mixed.
///
/// It is saved as an enum with a case for each module would be, `{"profile":{"_0":…}}`: an app can go from this to such an
/// enum, whose `switch` the compiler checks, and back, without losing what is saved. Where all routes can stand in one
/// enum, that is the better choice.
public struct ModuleRoute<Modules: RouteModules>: SceneRoute {
  /// The module's own route.
  public let route: any RouteModule

  /// A route of one module.
  public init(_ route: any RouteModule) { self.route = route }

  /// The route as one of a module's; nil where it is another's.
  public func of<Module: RouteModule>(_: Module.Type = Module.self) -> Module? { route as? Module }

  /// That of the route, which stands inside this one.
  public var references: References { .routes(route) }

  /// Equal where both are the same route of the same module.
  public static func == (one: Self, other: Self) -> Bool { AnyHashable(one.route) == AnyHashable(other.route) }

  /// Hashes the route.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(route)) }

  private enum PayloadKey: String, CodingKey { case _0 }

  /// Writes the route under its module's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NameKey.self)
    var payload = container.nestedContainer(keyedBy: PayloadKey.self, forKey: NameKey(type(of: route).moduleName))
    try payload.encode(route, forKey: ._0)
  }

  /// Reads the route of whichever module it is.
  ///
  /// - Throws: what the module's decoder throws, and `DecodingError.dataCorrupted` where there is no such module.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: NameKey.self)
    for module in Modules.all where container.contains(NameKey(module.moduleName)) {
      let payload = try container.nestedContainer(keyedBy: PayloadKey.self, forKey: NameKey(module.moduleName))
      route = try Self.decode(module, payload)
      return
    }
    let names = container.allKeys.map(\.stringValue).sorted().joined(separator: ", ")
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no module has routes called \(names)")
    )
  }

  private static func decode<Module: RouteModule>(
    _: Module.Type,
    _ payload: KeyedDecodingContainer<PayloadKey>
  ) throws -> any RouteModule {
    try payload.decode(Module.self, forKey: ._0)
  }
}

/// A type of routes each of which holds one of a module, under the module's name.
protocol HoldsModules {
  static var modules: [any RouteModule.Type] { get }
}

extension ModuleRoute: HoldsModules {
  static var modules: [any RouteModule.Type] { Modules.all }
}
