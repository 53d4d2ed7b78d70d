import RestoreClient

extension Navigation {
  /// What the service needs to know of the app's routes, made from the types: cases, tabs, renames, references.
  ///
  /// Equal in every process, so that it can be set at each start and then writes nothing. What an example does not say
  /// well (`routeTableFaults`) is left out: that case's references are found by their names.
  public static var routeTable: RouteTable { RouteTableMaker(Self.self).table }

  /// What is wrong with the examples and the renames, each in a sentence.
  ///
  /// A test expects none.
  public static var routeTableFaults: [String] { RouteTableMaker(Self.self).faults }
}

/// Makes a route table from the types of one app.
private struct RouteTableMaker {
  private(set) var table = RouteTable()
  private(set) var faults: [String] = []
  private var cases: [String: RouteTable.Case] = [:]
  private var seen: Set<ObjectIdentifier> = []

  init<Nav: Navigation>(_: Nav.Type) {
    addCases(of: Nav.Route.self)
    addCases(of: Nav.Modal.self)
    table.tabs = Nav.Tab.known.map { tabs in tabs.map(\.rawValue) }
    table.renamed = renames(Nav.renamed, known: Set(cases.keys), "case")
    if !cases.isEmpty {
      // A rename must end at a case that the table lists, and the examples need not name all.
      for target in table.renamed.values where table.renamed[target] == nil && cases[target] == nil {
        cases[target] = RouteTable.Case()
      }
      table.routes = cases
    }
    table.renamedTabs = renames(Nav.renamedTabs, known: Set(table.tabs ?? []), "tab")
  }

  /// Adds the cases of a type, and of the types of the routes that they hold.
  private mutating func addCases(of type: any SceneRoute.Type) {
    var open = [type]
    while let type = open.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      if let holder = type as? any HoldsModules.Type {
        for module in holder.modules {
          add(module.moduleName, RouteTable.Case(entities: [:], routes: ["_0"]))
          open.append(module)
        }
      }
      for example in type.examples {
        add(example)
        open += example.references.routes.map { Swift.type(of: $0) }
      }
    }
  }

  private mutating func add(_ example: any SceneRoute) {
    do throws(ExampleCase.Fault) {
      let found = try ExampleCase(example)
      add(found.name, found.entry)
    } catch { faults.append(error.description) }
  }

  /// Several examples of one case, or cases of one name in different types, must not contradict each other.
  ///
  /// Where they do, what they disagree on is not checked at all: a route that is left in does less harm than one that is
  /// taken out for the id of something else.
  private mutating func add(_ name: String, _ found: RouteTable.Case) {
    guard let known = cases[name], known != found else {
      cases[name] = found
      return
    }
    var both = RouteTable.Case(entities: [:], routes: Set(known.routes + found.routes).sorted())
    defer { cases[name] = both }
    guard let one = known.entities, let other = found.entities else {
      return faults.append("two examples of \(name) differ: one refers by name, the other says its references")
    }
    both.entities = one.merging(other) { first, _ in first }
    for (path, kind) in other where both.entities?[path] != kind {
      faults.append(
        "two examples of \(name) differ: \(path) is a \(kind) in one and a \(both.entities?[path] ?? "") in the other"
      )
      both.entities?[path] = nil
    }
  }

  /// The renames that a table may have: none of a name that there still is, none in a circle.
  private mutating func renames(_ renamed: [String: String], known: Set<String>, _ what: String) -> [String: String] {
    var kept = renamed
    for old in renamed.keys.sorted() {
      if known.contains(old) {
        faults.append("the \(what) \(old) is renamed, but there still is one of that name")
        kept[old] = nil
        continue
      }
      var end = old
      for _ in renamed.indices { if let next = renamed[end] { end = next } }
      if renamed[end] != nil {
        faults.append("the renames of the \(what) \(old) go in a circle")
        kept[old] = nil
      }
    }
    return kept
  }
}
