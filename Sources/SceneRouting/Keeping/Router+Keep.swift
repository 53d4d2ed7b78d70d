import FoundationEssentials
import RestoreClient

extension Router {
  /// Brings the scene back to where it was, and keeps it from now on: the one line at a scene's start.
  ///
  /// On return the router stands where the person was when it was last saved, minus what no longer exists; or where it
  /// stood, if there is nothing to bring back, no service to ask, or if the person was faster. Each change is saved by
  /// itself from then on. Links that come while the restore is under way wait, and are followed after it.
  ///
  /// The restore is a launch: if the app dies before it has confirmed that it lives, and does so three times, it is
  /// served an older state. So a state that crashes the app cannot do so for ever.
  ///
  /// - Parameters:
  ///   - scene: `client.scene()`; one for each window.
  ///   - link: what the app was opened with: the scene is restored first, then the link is followed.
  ///   - stale: what is done with routes to what no longer exists; nil: they alone are left out.
  ///   - saveAfter: how long a change waits for the next one. Under changes that never cease it is saved after four times
  ///     that.
  ///   - confirmAfter: how long after the restore the app is taken to have survived it.
  /// - Returns: what it began with; the router holds on to it.
  @discardableResult public func keep(
    in scene: SceneHandle,
    opening link: URL? = nil,
    stale: StalePolicy? = nil,
    saveAfter: Duration = .milliseconds(250),
    confirmAfter: Duration = .seconds(3)
  ) async -> KeptScene<Nav> {
    (keeper as? KeptScene<Nav>)?.stop()
    keeper = nil
    stalePolicy = stale ?? .drop
    isRestoring = true
    if let link { open(link) }
    let before = generation
    let found = await Found<Nav>(in: scene, stale: stalePolicy)
    let origin = take(found, isUntouched: generation == before)
    let kept = KeptScene(self, scene, found, origin, KeptDelays(save: saveAfter, confirm: confirmAfter))
    keeper = kept
    isRestoring = false
    kept.begin()
    followHeldLinks()
    return kept
  }

  /// Shows what was found, unless the person was faster.
  private func take(_ found: Found<Nav>, isUntouched: Bool) -> KeptScene<Nav>.Origin {
    if let error = found.failure { return .failed(error) }
    guard var state = found.state, let outcome = found.outcome else { return .fresh }
    guard isUntouched else { return .overtaken(revision: found.revision) }
    // Under `keep` what is stale is only reported, and still there.
    if stalePolicy != .keep { state.settleFlows(dropped: found.dropped.map(\.path)) }
    self.state = state
    return switch outcome {
    case .normal: .restored(revision: found.revision)
    case .fallback(let quarantined): .fallback(revision: found.revision, quarantined: quarantined)
    case .empty(let quarantined): .empty(quarantined: quarantined)
    }
  }
}

/// What there was to bring back.
struct Found<Nav: Navigation>: Sendable {
  var state: SceneState<Nav>?
  var revision = 0
  var outcome: GuardOutcome?
  var dropped: [Dropped] = []
  var failure: RestoreError?
  var tableFailure: RestoreError?

  /// Tells the service what the routes are called, then asks for the scene.
  @concurrent init(in scene: SceneHandle, stale: StalePolicy) async {
    do throws(RestoreError) { try await scene.client.setRoutes(Nav.routeTable) } catch { tableFailure = error }
    do throws(RestoreError) {
      guard let restored = try await scene.restore(SceneState<Nav>.self, launch: true, stale: stale) else { return }
      state = restored.state
      revision = restored.revision
      outcome = restored.guardOutcome
      dropped = restored.dropped
    } catch { failure = error }
  }
}
