import JSONText

/// A scene's state, checked: what a save stores and a restore starts from.
package struct SceneState: Sendable {
  /// Routes that one state may hold.
  package static let maximumRoutes = 4096

  /// The state's bytes, as they were sent.
  package let bytes: [UInt8]
  /// Routes on all stacks, nested lists included.
  package let routes: Int
  /// The id of the selected tab; nil where the state selects none.
  package let selectedTab: String?

  /// Checks a state.
  package init(validating bytes: [UInt8], maximumRoutes: Int = SceneState.maximumRoutes) throws(StateFault) {
    self.bytes = bytes
    routes = 0
    selectedTab = nil
  }

  /// A hash that is equal for equal states: members and pairs in any order, strings decoded, numbers by spelling.
  package var canonicalHash: UInt64 { 0 }

  /// Whether both are the same JSON value, with members and pairs in any order.
  package func isSameValue(as other: SceneState) -> Bool { bytes == other.bytes }

  /// Whether the state names no tab with a route, no route, no modal and no value.
  package var namesNothing: Bool { routes == 0 }

  /// What restoring this state comes to.
  package func restoration<L: EntityLookup>(
    stale: StalePolicy?,
    rules: RouteRules,
    lookup: inout L
  ) throws(L.Failure) -> Restoration {
    Restoration(state: bytes)
  }
}
