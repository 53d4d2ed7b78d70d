import RestoreClient
import SceneRouting
import Testing

@MainActor @Suite("Stacks of several modules' routes") struct ModuleRouteTests {
  enum BoardRoute: RouteModule {
    case board(id: String)
    case filter(id: String)
    static let moduleName = "boards"
    var references: References {
      switch self {
      case .board(let id): ["board": id]
      case .filter: [:]
      }
    }
    static var examples: [BoardRoute] { [.board(id: "b"), .filter(id: "f")] }
  }

  struct ProfileRoute: RouteModule {
    var personID: Int
    static let moduleName = "profile"
  }

  enum Modules: RouteModules {
    static var all: [any RouteModule.Type] { [BoardRoute.self, ProfileRoute.self] }
  }

  enum App: Navigation { typealias Route = ModuleRoute<Modules> }

  @Test("routes of modules that know nothing of each other lie on one stack, are saved and read back")
  func mixed() throws {
    let router = Router<App>()
    router.push(ModuleRoute(BoardRoute.board(id: "b1")))
    router.push(ModuleRoute(ProfileRoute(personID: 7)))
    let saved =
      #"{"selectedTab":"main","stacks":{"main":[{"boards":{"_0":{"board":{"id":"b1"}}}},"#
      + #"{"profile":{"_0":{"personID":7}}}]}}"#
    #expect(try text(router.state) == saved)
    #expect(try decoded(saved, App.self) == router.state)
    #expect(router.path[1].of(ProfileRoute.self)?.personID == 7)
    #expect(router.path[1].of(BoardRoute.self) == nil)
    #expect(Set(router.path).count == 2)
  }

  @Test("an enum with a case for each module is saved in the same bytes")
  func asEnum() throws {
    enum Typed: SceneRoute { case boards(BoardRoute), profile(ProfileRoute) }
    #expect(try text(Typed.boards(.board(id: "b1"))) == text(ModuleRoute<Modules>(BoardRoute.board(id: "b1"))))
    #expect(try text(Typed.profile(ProfileRoute(personID: 1))) == text(ModuleRoute<Modules>(ProfileRoute(personID: 1))))
  }

  @Test("the route of a module that is no longer there is left out and named")
  func gone() throws {
    let state = try decoded(#"{"stacks":{"main":[{"shop":{"_0":{}}},{"profile":{"_0":{"personID":7}}}]}}"#, App.self)
    #expect(state[.main] == [ModuleRoute(ProfileRoute(personID: 7))])
    #expect(state.skipped.map(\.path) == ["/stacks/main/0"])
    #expect(state.skipped[0].reason.contains("shop"))
  }

  @Test("references inside a module's routes are found, by what it says and by name")
  func references() {
    let router = Router<App>()
    router.path = [
      ModuleRoute(BoardRoute.board(id: "1")), ModuleRoute(BoardRoute.filter(id: "1")),
      ModuleRoute(ProfileRoute(personID: 1)),
    ]
    router.entityWasDeleted("person", 1)
    #expect(router.path.count == 2)
    router.entityWasDeleted("board", "1")
    #expect(router.path == [ModuleRoute(BoardRoute.filter(id: "1"))])
  }

  @Test("where two modules mean different things by one case, what they differ in is not checked, and said")
  func conflict() {
    enum One: RouteModule {
      case detail(id: String)
      static let moduleName = "one"
      var references: References {
        switch self {
        case .detail(let id): ["board": id]
        }
      }
      static var examples: [One] { [.detail(id: "d")] }
    }
    enum Two: RouteModule {
      case detail(id: String)
      static let moduleName = "two"
      var references: References {
        switch self {
        case .detail(let id): ["card": id]
        }
      }
      static var examples: [Two] { [.detail(id: "d")] }
    }
    enum Both: RouteModules { static var all: [any RouteModule.Type] { [One.self, Two.self] } }
    enum Pair: Navigation { typealias Route = ModuleRoute<Both> }
    #expect(Pair.routeTable.routes?["detail"] == RouteTable.Case(entities: [:]))
    #expect(Pair.routeTableFaults.count == 1)
  }
}
