import Varlink

/// The states that wait to be saved: of each scene the newest, scenes in the order in which they began to wait.
///
/// What is taken in costs its caller a lock and a copy of a value. One state per scene waits and one save at a time is
/// under way, so that whoever produces faster than the disk takes never fills memory; who wants to wait flushes.
final class SaveQueue: Sendable {
  /// Told of a scene's id, and why a queued save of it failed.
  typealias FailureHandler = @Sendable (String, RestoreError) -> Void

  /// The pauses after a save that failed for a reason that passes.
  private static let firstPause = Duration.seconds(1)
  private static let lastPause = Duration.seconds(30)

  private let state = Locked(SaveQueueState())
  private let onFailure: FailureHandler?

  init(onFailure: FailureHandler?) { self.onFailure = onFailure }

  // MARK: Taking in

  /// Takes a state in, instead of the one that waits.
  func add(_ save: QueuedSave, of scene: SceneHandle, after delay: Duration) {
    if state.withLock({ $0.add(save, of: scene) }) { startDraining(after: delay) }
  }

  /// Takes out what waits of a scene.
  func take(_ scene: SceneHandle) -> QueuedSave? { state.withLock { $0.take(scene.key) } }

  /// Puts back what was taken, unless something newer waits.
  func putBack(_ save: QueuedSave, of scene: SceneHandle) {
    let starts = state.withLock { state in
      state.isWaiting(scene.key) ? false : state.add(save, of: scene)
    }
    if starts { startDraining(after: Self.firstPause) }
  }

  /// Why the scene's last queued save failed; nil: it did not, or was overtaken.
  func failure(of scene: SceneHandle) -> RestoreError? { state.withLock { $0.failures[scene.key] } }

  /// Notes what became of a scene's newest state.
  func note(_ failure: RestoreError?, _ scene: SceneHandle) {
    state.withLock { $0.failures[scene.key] = failure }
    if let failure { onFailure?(scene.id, failure) }
  }

  // MARK: Dropping

  /// Drops what waits of a scene, or of all, and all that comes while `body` runs.
  func dropping<Value: Sendable>(
    _ scene: SceneHandle?,
    _ body: () async throws(RestoreError) -> Value
  ) async throws(RestoreError) -> Value {
    let key = scene?.key
    state.withLock { $0.beginEnding(key) }
    defer { state.withLock { $0.finishEnding(key) } }
    return try await body()
  }

  // MARK: Saving

  /// Saves what waits of a scene, after what is under way of it.
  ///
  /// - Throws: why it could not be saved; what may be saved later waits on.
  func save(_ scene: SceneHandle) async throws(RestoreError) {
    try await scene.client.lanes.run(scene.id) { () async throws(RestoreError) in try await saveNow(scene) }
  }

  /// As `save`, for who has the scene to itself.
  func saveNow(_ scene: SceneHandle) async throws(RestoreError) {
    // Taken only now, so that it is the newest.
    guard var save = state.withLock({ $0.begin(scene) }) else { return }
    defer { state.withLock { $0.saving[scene.key] = nil } }
    do throws(RestoreError) {
      let text = try StateCoding.encode(save.state)
      var exchange = SaveExchange(scene, text, ifRevision: nil, autosave: save.autosave, doubt: save.doubt)
      do throws(RestoreError) { _ = try await exchange.run() } catch {
        save.doubt = exchange.doubt
        throw error
      }
      note(nil, scene)
    } catch {
      if error.isPassing { putBack(save, of: scene) }
      if error != .cancelled { note(error, scene) }
      throw error
    }
  }

  /// Saves all that waits, in order, after what is under way.
  ///
  /// - Throws: the first failure, once all was tried.
  func flush() async throws(RestoreError) {
    var first: RestoreError?
    for scene in state.withLock({ $0.saving.values + $0.order }) {
      do throws(RestoreError) { try await save(scene) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  private func startDraining(after delay: Duration) {
    ExitFlush.watch(self)
    Task.detached { await self.drain(after: delay) }
  }

  /// Saves what waits until nothing does.
  private func drain(after delay: Duration) async {
    var pause = delay
    var failures = 0
    repeat {
      try? await Task.sleep(for: pause)
      do throws(RestoreError) {
        try await flush()
        failures = 0
        pause = delay
      } catch {
        pause = min(Self.firstPause * (1 << min(failures, 5)), Self.lastPause)
        failures += 1
      }
    } while !state.withLock { $0.mayStopDraining() }
    ExitFlush.forget(self)
  }
}

extension SceneHandle {
  /// What the scene is told from others by: its bytes.
  var key: [UInt8] { Array(id.utf8) }
}
