/// What a launch was served.
public struct LaunchedScene: Hashable, Sendable {
  /// The state to show.
  ///
  /// Of revision 0 it is empty: `{"stacks":{}}`, or `{"stacks":[]}` where the newest one's are an
  /// array.
  public let state: [UInt8]
  /// The revision; 0: the empty state.
  public let revision: Int
  /// The scene's newest revision.
  public let newest: Int
  /// When `revision` was saved, in milliseconds since 1970 (UTC); nil for the empty state.
  public let savedAt: Int?
  /// One entry for each stale route.
  public let dropped: [Dropped]
  /// Tabs that were saved with routes and have none now.
  public let emptied: [String]
  /// Kinds of which a reference could not be checked.
  public let unverified: [String]
  /// How the launch was answered.
  public let outcome: GuardOutcome
  /// Launches since the last confirm, this one included.
  public let unconfirmedLaunches: Int
  /// The quarantined revisions, newest first.
  ///
  /// They are kept, and can be restored by number and rolled back to.
  public let quarantined: [Int]
  /// What of the stored revisions was found damaged, or why the launch was not counted; empty as a rule.
  public let faults: [String]
}

extension SceneStore {
  /// Restores a scene for an app that is about to show it, and counts that as a launch.
  ///
  /// After three launches without a `confirm` the fourth quarantines what the last one was served
  /// and all that is newer than the newest confirmed revision, and is served what is left. Where the
  /// count cannot be stored the launch is served all the same, and `faults` says so. Opens a closed scene.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  ///   - stale: as for `restore`.
  ///   - expired: as for `restore`.
  /// - Throws: `sceneNotFound` and `sceneExpired`, which count nothing; `storageFailed`.
  public func launch(
    app: String,
    scene: String,
    stale: StalePolicy? = nil,
    expired: Bool = false
  ) throws(StoreError) -> LaunchedScene {
    let outcome = try perform(app, .launch(scene: scene, expired: expired))
    guard case .launched(let launch) = outcome else { throw .unexpected }
    let restored = try read { (reader, _) throws(StoreError) in
      try reader.restore(launch, uid: owner, app: app, scene: scene, stale: stale)
    }
    return LaunchedScene(launch, restored, app: app, scene: scene)
  }

  /// Says that the app showed what its last launch was served, and lived.
  ///
  /// The revision is confirmed, and no longer quarantined; the count of launches is 0.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - scene: the scene.
  ///   - revision: a revision instead of what the last launch was served; 0: the empty state.
  /// - Returns: the revision that was confirmed.
  /// - Throws: `sceneNotFound`; `revisionNotFound`, of revision 0 before any launch; `storageFull`, `storageFailed`.
  @discardableResult
  public func confirm(app: String, scene: String, revision: Int? = nil) throws(StoreError) -> Int {
    guard case .confirmed(let revision) = try perform(app, .confirm(scene: scene, revision: revision)) else {
      throw .unexpected
    }
    return revision
  }
}

extension LaunchedScene {
  fileprivate init(_ launch: LaunchOutcome, _ restored: CheckedState, app: String, scene: String) {
    self.init(
      state: restored.state,
      revision: launch.revision,
      newest: launch.newest,
      savedAt: launch.savedAt,
      dropped: restored.dropped,
      emptied: restored.emptied,
      unverified: restored.unverified,
      outcome: launch.outcome,
      unconfirmedLaunches: launch.unconfirmedLaunches,
      quarantined: launch.quarantined,
      faults: launch.faults
        + (launch.uncounted.map { ["a launch of scene \(scene) of app \(app) was not counted: \($0)"] } ?? [])
    )
  }
}
