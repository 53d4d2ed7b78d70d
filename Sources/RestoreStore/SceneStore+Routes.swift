import SceneModel

/// What setting a route table came to.
public struct RoutesOutcome: Hashable, Sendable {
  /// Whether the table is, or would be, another one than before.
  public let changed: Bool
  /// What it does to the scenes saved already.
  public let effect: RouteEffect
}

extension SceneStore {
  /// Sets an app's route table, which acts at once on all that was saved and rewrites none of it.
  ///
  /// On return it is on disk. A table that is equal to the one set, as a JSON value, changes nothing. A changed one is a
  /// new release: the counts of launches of the app's scenes are 0, and what was quarantined is free. Where the stored one
  /// is damaged, any is a changed one.
  ///
  /// - Parameters:
  ///   - app: 1 to 255 bytes of UTF-8 without control characters.
  ///   - table: one JSON object of at most 256 KiB, kept byte for byte.
  ///   - dryRun: only tells what would happen.
  /// - Throws: `invalidRoutes` with the place of the first fault, `limitExceeded`, `invalidParameter`, `storageFull`:
  ///   nothing changed. `storageFailed`: unknown until the next call that succeeds.
  @discardableResult
  public func setRoutes(app: String, table: [UInt8], dryRun: Bool = false) throws(StoreError) -> RoutesOutcome {
    try Self.check(app, "app")
    let table = try Self.table(table)
    let changed: Bool
    if dryRun {
      changed = try read { (reader, _) throws(StoreError) in try reader.wouldChange(table, uid: owner, app: app) }
    } else {
      guard case .routesSet(let isNew) = try perform(app, .setRoutes(table)) else { throw .unexpected }
      changed = isNew
    }
    var survey = RouteSurvey(uid: owner, app: app, table)
    while !survey.isDone {
      survey = try read { [survey] (reader, _) throws(StoreError) in
        var survey = survey
        try reader.advance(&survey)
        return survey
      }
    }
    return RoutesOutcome(changed: changed, effect: survey.effect)
  }

  /// Reads an app's route table, byte for byte as it was set.
  ///
  /// - Parameter app: the app.
  /// - Returns: nil where it has none.
  /// - Throws: `storageFailed`.
  public func routes(app: String) throws(StoreError) -> [UInt8]? {
    try read { (reader, _) throws(StoreError) in try reader.routes(uid: owner, app: app)?.bytes }
  }

  /// Turns a link into the state that it leads to, checked as `restore` checks.
  ///
  /// Saves nothing.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - link: the link.
  /// - Returns: nil where no link of the app's route table matches.
  /// - Throws: `storageFailed`.
  public func resolve(app: String, link: String) throws(StoreError) -> CheckedState? {
    try read { (reader, _) throws(StoreError) in try reader.resolve(uid: owner, app: app, link: link) }
  }

  private static func table(_ bytes: [UInt8]) throws(StoreError) -> RouteTable {
    do throws(RouteTableFaults) {
      return try RouteTable(validating: bytes)
    } catch {
      let fault = error.first
      if let limit = fault.limit {
        throw .limit(limit.name, limit.maximum, limit.actual, "\(limit.name) in the route table", remedy: "shorten it")
      }
      throw StoreError(.invalidRoutes, "the route table is wrong at \"\(fault.path)\"", remedy: fault.reason) {
        $0.path = fault.path
        $0.reason = fault.reason
      }
    }
  }
}
