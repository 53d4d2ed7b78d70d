import RestoreStore

/// What one watch wants to hear of.
struct WatchFilter {
  /// Whose changes.
  let uid: UInt32
  /// Nil: those of all apps.
  let app: ExactName?
  /// Nil: those of all scenes.
  ///
  /// Of kinds and route tables it hears all the same: they change what a scene's restore gives.
  let scene: ExactName?

  /// Whether a change is one of those.
  func passes(_ change: StoreChange) -> Bool {
    guard change.uid == uid, app == nil || app == ExactName(change.app) else { return false }
    guard let scene, case .scene(let name) = change.subject else { return true }
    return scene == ExactName(name)
  }
}
