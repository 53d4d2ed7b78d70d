import FoundationEssentials
import RestoreClient
import SceneRouting

/// One window: a scene with a router of its own.
@MainActor final class Window {
  let id: String
  let router: Router<Boards>
  private(set) var kept: KeptScene<Boards>?
  var note = ""

  init(id: String, isSignedIn: Bool) {
    self.id = id
    router = Router(selected: .boards, hasRoot: isSignedIn)
  }

  /// Brings it back to where it was, and keeps it.
  ///
  /// - Parameters:
  ///   - link: what the app was opened with: it is followed after that.
  ///   - leave: puts the terminal right before the app ends.
  ///   - changed: what exists has changed, here or by another process, and what is gone was closed.
  func begin(
    _ client: SceneClient,
    link: URL? = nil,
    leave: @escaping @MainActor @Sendable () -> Void,
    changed: @escaping @MainActor () -> Void
  ) async {
    let kept = await router.keep(in: client.scene(id), opening: link)
    kept.saveWhenAskedToEnd(cleanUp: leave)
    self.kept = kept
    note = Self.note(on: kept)
    kept.recheckWhenEntitiesChange { [weak self] dropped in
      if let text = Self.note(on: dropped) { self?.note = text }
      changed()
    }
  }

  private static func note(on kept: KeptScene<Boards>) -> String {
    switch kept.origin {
    case .fallback, .empty: return "This window could not be brought back as it was: it crashed the app three times."
    case .failed(let error): return "Not restored: \(error)"
    case .overtaken, .fresh: return ""
    case .restored: return note(on: kept.dropped) ?? ""
    }
  }

  private static func note(on dropped: [Dropped]) -> String? {
    guard let first = dropped.first else { return nil }
    let others = dropped.count > 1 ? ", and \(dropped.count - 1) more" : ""
    return "No longer there: \(first.kind ?? "screen") \(first.id ?? "")\(others)."
  }
}
