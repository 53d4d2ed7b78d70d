import SceneModel

/// Route tables, and what they do to the scenes saved already.
extension StoreReader {
  /// The app's route table; nil: it has none.
  ///
  /// - Throws: `storageFailed` where the stored one is damaged; what SQLite reports.
  package func routes(uid: UInt32, app: String) throws(StoreError) -> RouteTable? {
    let routes = try reading { () throws(SQLiteError) in try self.routes(uid, app) }
    if let fault = routes.fault { throw StoreError(.storageFailed, fault) }
    return routes.table
  }

  /// What is known of the app's route table.
  func routes(_ uid: UInt32, _ app: String) throws(SQLiteError) -> AppRoutes {
    let name = AppName(uid: uid, app: ExactName(app))
    if let routes = tables.value(for: name) { return routes }
    try statements.routes.bind(Int(uid), app)
    let stored = try statements.routes.first { StoredRoutes($0) }
    let routes = AppRoutes(stored ?? StoredRoutes.none, app: app, in: path)
    tables.set(routes, for: name)
    return routes
  }

  /// Whether setting a table would change anything.
  ///
  /// - Throws: what SQLite reports.
  package func wouldChange(_ table: RouteTable, uid: UInt32, app: String) throws(StoreError) -> Bool {
    let routes = try reading { () throws(SQLiteError) in try self.routes(uid, app) }
    return routes.table.map { !$0.isSameValue(as: table) } ?? true
  }

  /// Turns a link into the state that it leads to, checked as a restore checks.
  ///
  /// - Returns: nil where no link of the app's table matches.
  /// - Throws: what SQLite reports.
  package func resolve(uid: UInt32, app: String, link: String) throws(StoreError) -> CheckedState? {
    let routes = try reading { () throws(SQLiteError) in try self.routes(uid, app) }
    guard let state = routes.table?.state(ofLink: link) else { return nil }
    return try check(uid: uid, app: app, state: state, stale: nil)
  }

  /// Counts what a table does to one more scene of an app; to be called until the survey is done.
  ///
  /// Blocks for one scene: whoever has others waiting calls it for a while and then lets them go first.
  ///
  /// - Throws: what SQLite reports.
  package func advance(_ survey: inout RouteSurvey) throws(StoreError) {
    let next = try reading { () throws(SQLiteError) -> (key: Int, name: String)? in
      try statements.nextScene.bind(Int(survey.uid), survey.app, survey.last)
      return try statements.nextScene.first { (key: $0.integer(0), name: $0.text(1)) }
    }
    guard let next else {
      survey.isDone = true
      return
    }
    survey.last = next.name
    let restoration = try reading { () throws(SQLiteError) -> Restoration? in
      guard let state = try newestReadable(of: next.key) else { return nil }
      var lookup = try StoredEntities(self, uid: survey.uid, app: survey.app)
      return try state.restoration(stale: nil, rules: survey.rules, lookup: &lookup)
    }
    survey.effect.scenes += 1
    guard let restoration else { return }
    survey.effect.renamed += restoration.renamed
    survey.effect.unknown += restoration.unknown
    survey.effect.stale += restoration.dropped.count
  }

  private func newestReadable(of scene: Int) throws(SQLiteError) -> SceneState? {
    for revision in try revisions(of: scene) {
      if let state = try readable(revision.row, revision.revision) { return state }
    }
    return nil
  }
}

/// A count, scene by scene, of what a table does to what an app has saved.
package struct RouteSurvey: Sendable {
  let uid: UInt32
  let app: String
  let rules: RouteRules
  /// The scene counted last; they are taken by name.
  var last = ""
  /// What was counted so far.
  package internal(set) var effect = RouteEffect()
  /// Whether every scene was counted.
  package internal(set) var isDone = false

  /// A count that has not begun; each parameter is the member of the same name.
  package init(uid: UInt32, app: String, _ table: RouteTable) {
    self.uid = uid
    self.app = app
    rules = table.rules
  }
}

/// What a route table does to the newest revisions of an app's scenes, closed ones too.
public struct RouteEffect: Hashable, Sendable {
  /// Scenes that there are.
  public var scenes = 0
  /// Routes that a restore gives a new case name.
  public var renamed = 0
  /// Routes whose case the table does not list, though it lists some; kept or dropped as it says.
  public var unknown = 0
  /// Parts that a restore reports as dropped under the table's own policy, for whatever reason.
  public var stale = 0
}
