import FoundationEssentials
import RestoreClient

/// A scene that is kept: what it began with, and the saving that goes on by itself.
///
/// `Router.keep(in:)` makes it, and the router holds on to it. Each change of the router is saved a moment later, at once
/// when the app is sent to the background or asked to end. A save that fails for want of a service is tried again by the
/// client, whose `onQueuedSaveFailed` is told.
@MainActor public final class KeptScene<Nav: Navigation> {
  /// What the scene began with.
  public enum Origin: Hashable, Sendable {
    /// Nothing was ever saved.
    case fresh
    /// The newest revision.
    case restored(revision: Int)
    /// An older revision: newer ones were launched three times without coming to the point of being confirmed.
    case fallback(revision: Int, quarantined: [Int])
    /// Nothing, for the same reason, since no revision was left.
    case empty(quarantined: [Int])
    /// Where the person had gone meanwhile: the router changed while this revision was being restored.
    case overtaken(revision: Int)
    /// Nothing, since it could not be restored: no service, as a rule. What is saved stays: nothing is saved before the
    /// person changes something, and then what was saved goes into the scene's history.
    case failed(RestoreError)

    /// Whether the router shows what was saved.
    var isShown: Bool {
      switch self {
      case .restored, .fallback, .empty: true
      case .fresh, .overtaken, .failed: false
      }
    }
  }

  /// The scene.
  public nonisolated let scene: SceneHandle
  /// What it began with.
  public nonisolated let origin: Origin
  /// What the service left out of the state, since it no longer exists.
  public nonisolated let dropped: [Dropped]
  /// What this release could not read of the state.
  public nonisolated let skipped: [Skipped]
  /// Why the route table was not accepted; nil where it was.
  ///
  /// References are then found by their names.
  public nonisolated let tableFailure: RestoreError?
  /// Whether the service knows that what the scene began with could be shown.
  public private(set) var isConfirmed = false

  weak var router: Router<Nav>?
  private let saveAfter: Duration
  private let confirmAfter: Duration
  private(set) var isOver = false
  /// The router's changes that the client was handed.
  private var handedOver: Int
  private var lastChange = ContinuousClock.now
  private(set) var timer: Task<Void, Never>?
  private(set) var confirming: Task<Void, Never>?
  /// What looks again when entities change; nil: nobody asked for that, or it is over.
  var entityWatch: EntityWatch?

  /// However often something changes, it is saved after this many times the usual delay.
  private static var longestWait: Int { 4 }
  /// Between a confirm that failed and the next try, doubled each time.
  private static var firstPause: Duration { .seconds(1) }

  init(_ router: Router<Nav>, _ scene: SceneHandle, _ found: Found<Nav>, _ origin: Origin, _ delays: KeptDelays) {
    self.router = router
    self.scene = scene
    self.origin = origin
    dropped = found.dropped
    skipped = found.state?.skipped ?? []
    tableFailure = found.tableFailure
    saveAfter = delays.save
    confirmAfter = delays.confirm
    handedOver = 0
    // Where nothing could be restored, what the app has set up is no reason to save over what was.
    if origin.isShown || mayHideOther { handedOver = router.generation }
  }

  /// Whether something may be saved that was never shown: then what is saved by itself does not take its place in the
  /// history.
  private var mayHideOther: Bool { if case .failed = origin { true } else { false } }

  /// Whether a launch was counted that is to be confirmed.
  private var launched: Int? {
    switch origin {
    case .restored(let revision), .fallback(let revision, _), .overtaken(let revision): revision
    case .empty: 0
    case .fresh, .failed: nil
    }
  }

  func begin() {
    KeptScenes.add(self)
    // Where the person went before there was anyone to save it.
    if let router, router.generation != handedOver { routerChanged() }
    guard launched != nil else { return }
    confirming = Task { [weak self, confirmAfter] in
      var pause = confirmAfter
      repeat {
        try? await Task.sleep(for: pause)
        if Task.isCancelled { return }
        await self?.confirm()
        pause = max(pause * 2, Self.firstPause)
      } while self?.isConfirmed == false && !Task.isCancelled
    }
  }
}

// MARK: - What the app calls

extension KeptScene {
  /// Tells the service that the scene was shown and that the app lives.
  ///
  /// Happens by itself some seconds after the restore, and at an orderly end; never by a save. After three launches
  /// without it the fourth is served an older state.
  public func confirm() async {
    guard !isConfirmed, let launched else { return }
    do throws(RestoreError) {
      try await scene.confirm(launched)
      isConfirmed = true
    } catch {
      // A revision that is no longer there needs no confirming; all else is tried again.
      if case .revisionNotFound = error { isConfirmed = true }
      if case .sceneNotFound = error { isConfirmed = true }
    }
  }

  /// Saves what has changed, and returns when it is on disk.
  ///
  /// - Throws: why it is not; what may come through later is tried again.
  public func flush() async throws(RestoreError) {
    timer?.cancel()
    timer = nil
    handOver()
    try await scene.flush()
  }

  /// The app was sent to the background: what has changed is saved at once.
  public func enteredBackground() {
    Task { try? await flush() }
  }

  /// Ends in good order, as when a person quits: saves, and confirms.
  public func end() async {
    try? await flush()
    await confirm()
    stop()
  }

  /// A person closed the window: it is saved and confirmed, and will not be among those to reopen.
  ///
  /// - Throws: what closing the scene throws; saving is over in any case.
  public func close() async throws(RestoreError) {
    await end()
    try await scene.close()
  }

  /// Logs the person out, in all scenes of the app that this process keeps: their trees are torn down, and all that is
  /// saved of the app is erased.
  ///
  /// Nothing that was to be saved lands afterwards.
  ///
  /// Keeping goes on: what is opened after `Router.setUpRoot()` is saved again.
  ///
  /// - Throws: what erasing throws; the trees are down in any case.
  public func logOut() async throws(RestoreError) {
    var clients = [scene.client]
    for kept in KeptScenes.all(sharing: scene.client) {
      kept.tearDown()
      if !clients.contains(where: kept.client.isCopy) { clients.append(kept.client) }
    }
    // Each client drops what waits in its own queue; what one of them had under way, the next reset erases.
    for client in clients { try await client.reset() }
  }

  /// Stops as a crash would, for tests: of what was not flushed nothing is saved, and nothing is confirmed.
  public func abandon() { stop() }
}

// MARK: - Saving by itself

extension KeptScene: RouterKeeper {
  func routerChanged() {
    guard let router, router.isRooted, !isOver else { return }
    lastChange = .now
    if timer == nil { timer = Task { await saveWhenQuiet() } }
  }

  private func saveWhenQuiet() async {
    let first = ContinuousClock.now
    while true {
      let due = min(lastChange.advanced(by: saveAfter), first.advanced(by: saveAfter * Self.longestWait))
      if due <= .now { break }
      try? await Task.sleep(until: due, clock: .continuous)
      if Task.isCancelled { return }
    }
    timer = nil
    handOver()
  }

  /// Gives the client the newest state to save.
  func handOver() {
    guard let router, router.isRooted, !isOver, handedOver != router.generation else { return }
    handedOver = router.generation
    scene.enqueue(router.current, autosave: !mayHideOther, after: .zero)
  }
}

extension KeptScene: AnyKeptScene {
  var client: SceneClient { scene.client }

  func tearDown() {
    timer?.cancel()
    timer = nil
    confirming?.cancel()
    isConfirmed = true
    router?.tearDownRoot()
    if let router { handedOver = router.generation }
  }

  func stop() {
    isOver = true
    timer?.cancel()
    timer = nil
    confirming?.cancel()
    entityWatch = nil
    KeptScenes.remove(self)
  }
}

/// How long a kept scene waits.
struct KeptDelays {
  var save: Duration
  var confirm: Duration
}
