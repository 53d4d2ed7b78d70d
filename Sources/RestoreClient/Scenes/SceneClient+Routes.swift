import RestoreInterface

extension SceneClient {
  /// Sets the app's route table, which acts at once on all that was saved and rewrites none of it.
  ///
  /// Call it at each start, before restoring: an equal table writes nothing. A changed one is a new release, and frees
  /// what the guard had quarantined.
  ///
  /// - Parameters:
  ///   - table: the whole table.
  ///   - dryRun: only tells what it would do.
  /// - Returns: what it does to the scenes that are saved.
  /// - Throws: `invalidRoutes` with the place of the first fault, `limitExceeded`: the table stays as it was.
  @discardableResult
  public func setRoutes(_ table: RouteTable, dryRun: Bool = false) async throws(RestoreError) -> RoutesEffect {
    let parameters = SetRoutes.Parameters(app: app, table: JSONObjectText(table.json), dryRun: dryRun)
    return RoutesEffect(try await caller.call(SetRoutes.self, parameters))
  }

  /// Turns a link into the state that it leads to by the route table, checked as a restore would; saves nothing.
  ///
  /// - Throws: `noMatchingLink`, `undecodable`, and as every call.
  public func resolveLink<State: Decodable & Sendable>(
    _ url: String,
    as _: State.Type = State.self
  ) async throws(RestoreError) -> Checked<State> {
    let reply = try await caller.call(ResolveLink.self, .init(app: app, url: url))
    return Checked(
      state: try StateCoding.decode(State.self, reply.state, revision: 0),
      dropped: reply.dropped,
      emptied: [],
      unverified: []
    )
  }
}
