import RestoreStore

/// One user's changes: how far they are known, and who watches them.
final class UserFeed {
  /// The number of the last change that was applied.
  var newest: Int
  /// What was erased.
  var forgotten: ForgottenLog
  /// How many watch.
  private(set) var count = 0

  /// Watchers of the same app, or of all apps, by the scene they want.
  private struct Group {
    var whole: [UInt64: Watcher] = [:]
    var scenes: [ExactName: [UInt64: Watcher]] = [:]
    var isEmpty: Bool { whole.isEmpty && scenes.isEmpty }

    func visit(_ change: StoreChange, _ body: (Watcher) -> Void) {
      for watcher in whole.values { body(watcher) }
      if scenes.isEmpty { return }
      if case .scene(let name) = change.subject {
        if let watchers = scenes[ExactName(name)] { for watcher in watchers.values { body(watcher) } }
      } else {
        for watchers in scenes.values { for watcher in watchers.values { body(watcher) } }
      }
    }
  }

  /// By app; nil: those that named none.
  private var groups: [ExactName?: Group] = [:]

  init(newest: Int, forgotten: Int) {
    self.newest = newest
    self.forgotten = ForgottenLog(unknown: forgotten)
  }

  func add(_ watcher: Watcher) {
    count += 1
    let filter = watcher.filter
    if let scene = filter.scene {
      groups[filter.app, default: Group()].scenes[scene, default: [:]][watcher.id] = watcher
    } else {
      groups[filter.app, default: Group()].whole[watcher.id] = watcher
    }
  }

  func remove(_ watcher: Watcher) {
    count -= 1
    let filter = watcher.filter
    if let scene = filter.scene {
      groups[filter.app]?.scenes[scene]?[watcher.id] = nil
      if groups[filter.app]?.scenes[scene]?.isEmpty == true { groups[filter.app]?.scenes[scene] = nil }
    } else {
      groups[filter.app]?.whole[watcher.id] = nil
    }
    if groups[filter.app]?.isEmpty == true { groups[filter.app] = nil }
  }

  /// Calls `body` with each watcher whose filter the change passes; it must not add or remove one.
  func visit(_ change: StoreChange, _ body: (Watcher) -> Void) {
    groups[ExactName?.none]?.visit(change, body)
    groups[ExactName(change.app)]?.visit(change, body)
  }
}
