import RestoreClient

/// A kept scene of whatever app.
@MainActor protocol AnyKeptScene: AnyObject {
  var client: SceneClient { get }
  /// Gives up what was to be saved, and tears the tree down.
  func tearDown()
  /// Saves, confirms and stops.
  func end() async
}

/// All scenes that this process keeps: a logout and a signal concern them all.
@MainActor enum KeptScenes {
  private struct Reference { weak var kept: (any AnyKeptScene)? }

  private static var references: [Reference] = []

  static func add(_ kept: any AnyKeptScene) {
    references.removeAll { $0.kept == nil || $0.kept === kept }
    references.append(Reference(kept: kept))
  }

  static func remove(_ kept: any AnyKeptScene) { references.removeAll { $0.kept == nil || $0.kept === kept } }

  static var all: [any AnyKeptScene] { references.compactMap(\.kept) }

  /// Those of one app on one service.
  static func all(sharing client: SceneClient) -> [any AnyKeptScene] {
    all.filter { $0.client.sharesScenes(with: client) }
  }
}
