/// What an app has said of its routes; so far nothing, which leaves the convention.
///
/// Everything that a route table decides is asked here, so that restoring does not know whether there is one.
package struct RouteRules: Hashable, Sendable {
  /// The rules of an app without a route table: references by convention, every case known, stale routes dropped.
  package static let byConvention = RouteRules()

  /// The policy for a call that names none.
  package let stale: StalePolicy

  private init(stale: StalePolicy = .drop) {
    self.stale = stale
  }
}
