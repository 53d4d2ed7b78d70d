import RestoreClient
import SceneModel

extension Router {
  /// Closes at once all that shows an entity which is no more, as the next restore would leave it out.
  ///
  /// What refers to what is found as the service finds it: by the route table made from `Nav`, else by the names of
  /// parameters. Modals that wait are looked at too. Telling the service is the app's: `client.entities(kind).delete`.
  ///
  /// - Returns: one entry for each route that refers to it; empty where nothing showed it.
  @discardableResult public func entityWasDeleted(_ kind: EntityKind, _ id: some EntityIdentifier) -> [Dropped] {
    let gone = AllButOne(kind: kind.name, id: EntityID(id.entityText))
    var unpresented: [Waiting] = []
    for next in waiting where Self.stale(in: next.alone, without: gone, rules: rules, policy: stalePolicy).isEmpty {
      unpresented.append(next)
    }
    waiting = unpresented
    let dropped = Self.stale(in: current, without: gone, rules: rules, policy: stalePolicy)
    remove(dropped)
    return dropped
  }

  /// Takes out what a report about the present state names, unless stale routes are kept.
  func remove(_ dropped: [Dropped]) {
    guard !dropped.isEmpty, stalePolicy != .keep else { return }
    let hadModals = current.modals.count
    change(.stacks, .columns, .modals) { $0.remove(StatePlaces(dropped.map(\.path))) }
    heldOpenNow.formIntersection(current.modals.keys)
    if current.modals.count < hadModals {
      isDismissing = awaitsDismissals
      settle()
    }
  }

  /// What a restore would report of a state if one entity were missing and all others there.
  private static func stale(
    in state: SceneState<Nav>,
    without gone: AllButOne,
    rules: RouteRules,
    policy: StalePolicy
  ) -> [Dropped] {
    // A state that cannot be encoded could not have been saved: there is nothing to be brought back from it.
    guard let bytes = try? Encoded.bytes(of: state), let checked = try? SceneModel.SceneState(validating: bytes) else {
      return []
    }
    var gone = gone
    return checked.restoration(stale: policy, rules: rules, lookup: &gone).dropped
  }
}

extension Navigation {
  /// The rules of the route table made from the types.
  ///
  /// A table that would be refused has no rules: references are found by their names, as the service then does.
  static var rules: RouteRules { (try? SceneModel.RouteTable(validating: routeTable.json))?.rules ?? .byConvention }
}

/// The entity table of a world in which one entity is missing.
///
/// Other kinds count as never declared, so that references to them stay.
struct AllButOne: EntityLookup {
  let kind: String
  /// Nil: an id that no entity can have, so that nothing is missing.
  let id: EntityID?

  func kind(named name: String) -> KindAnswer {
    name.utf8.elementsEqual(kind.utf8) || name.lowercased() == kind.lowercased()
      ? .declared(key: 0, syncing: false) : .undeclared
  }

  func contains(_ id: EntityID, in kind: Int64) -> Bool { id != self.id }

  func name(of key: Int64) -> String { kind }
}
