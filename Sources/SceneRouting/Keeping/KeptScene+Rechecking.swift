import RestoreClient

extension KeptScene {
  /// Looks again whether all that is shown still exists, and closes what does not: for an app whose model was changed by
  /// another process.
  ///
  /// Where the person goes on meanwhile, it looks at where they are then. Modals that wait are looked at too.
  ///
  /// - Returns: what went; under `StalePolicy.keep`, what is stale and stays.
  /// - Throws: what asking throws; nothing changed then.
  @discardableResult public func recheck() async throws(RestoreError) -> [Dropped] {
    while let router, router.isRooted, !isOver {
      try await recheckWaiting(of: router)
      let generation = router.generation
      let found = try await scene.client.check(router.current, stale: router.stalePolicy)
      // The report names places of the state that was asked about.
      guard router.generation == generation else { continue }
      router.remove(found.dropped)
      return found.dropped
    }
    return []
  }

  /// Gives up the modals that wait and show what is gone: one that comes up meanwhile is no longer among those.
  private func recheckWaiting(of router: Router<Nav>) async throws(RestoreError) {
    for next in router.waiting {
      let found = try await scene.client.check(next.alone, stale: router.stalePolicy)
      if !found.dropped.isEmpty { router.waiting.removeAll { $0 == next } }
    }
  }

  /// From now on what other processes delete is closed here too, without being asked: `recheck()` after each change of
  /// what exists.
  ///
  /// Holds until the scene is kept no more, and over restarts of the service; where there is none, one is waited for.
  /// Changes that come close upon each other are one look. Asked for twice, the last one counts.
  ///
  /// - Parameter seen: called on the main actor after each look with what went: to say so, and to read again what the app
  ///   shows of its model. Empty where nothing went, as at the first look, which is made at once, and after the app's own
  ///   changes.
  public func recheckWhenEntitiesChange(seen: @escaping @MainActor ([Dropped]) -> Void = { _ in }) {
    guard !isOver else { return }
    entityWatch = EntityWatch(scene) { @MainActor [weak self] () async throws(RestoreError) in
      guard let dropped = try await self?.recheck(), self?.isOver == false else { return }
      seen(dropped)
    }
  }
}

/// Looks whenever what exists may have changed, until it is let go of.
final class EntityWatch: Sendable {
  private let tasks: [Task<Void, Never>]

  /// Between something that failed and the next try, doubled each time up to the longest.
  private static let firstPause = Duration.seconds(1), longestPause = Duration.seconds(10)

  init(_ scene: SceneHandle, look: @escaping @MainActor @Sendable () async throws(RestoreError) -> Void) {
    // However many changes come during one look, one more is due.
    let (looks, due) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let watching = Task {
      await Self.untilDone { () async throws(RestoreError) in
        var changes = scene.changes().makeAsyncIterator()
        while let change = try await changes.next() {
          switch change.event {
          // What changed before the watch, or in a gap of it, is not told one by one.
          case .entitiesChanged, .ready, .gap: due.yield()
          case .saved, .closed, .reopened, .forgotten, .routesChanged: break
          }
        }
      }
    }
    let looking = Task {
      for await _ in looks { await Self.untilDone { () async throws(RestoreError) in try await look() } }
    }
    tasks = [watching, looking]
  }

  deinit { for task in tasks { task.cancel() } }

  private static func untilDone(_ work: () async throws(RestoreError) -> Void) async {
    var pause = firstPause
    while !Task.isCancelled {
      do throws(RestoreError) { return try await work() } catch {}
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, longestPause)
    }
  }
}
