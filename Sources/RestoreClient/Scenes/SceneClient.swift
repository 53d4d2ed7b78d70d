import RestoreInterface

/// An app's way to its saved scenes.
///
/// A value that any task may use. It connects at the first call, and again by itself whenever the daemon was started
/// anew: a save whose reply was lost meanwhile is neither lost nor made twice, see <doc:Durability>. Where no daemon is
/// there, calls throw `RestoreError.unavailable` at once: an app starts without one.
///
/// ```swift
/// let client = SceneClient(app: "org.example.Boards")
/// let scene = client.scene()
/// let back = try await scene.restore(Navigation.self)
/// try await scene.save(navigation)
/// ```
public struct SceneClient: Sendable {
  /// The time that a call may take where no other was asked for.
  public static let defaultTimeout = Duration.seconds(10)

  /// The app's id: 1 to 255 bytes of UTF-8 without control characters, as `org.example.Boards`.
  public var app: String { caller.app }

  let caller: Caller
  let lanes = Lanes()
  let known = KnownRevisions()
  let lists = KnownLists()
  let queue: SaveQueue

  /// Makes a client; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - app: the app's id, the same at each start.
  ///   - socket: the daemon's socket; nil: `$RESTORED_SOCKET`, else the user's, else the system's, looked for at each
  ///     connecting.
  ///   - timeout: how long each call may take, with connecting, waiting for a restart and asking again.
  ///   - onQueuedSaveFailed: called with a scene's id each time that a queued save of it fails, from any thread.
  public init(
    app: String,
    socket: String? = nil,
    timeout: Duration = defaultTimeout,
    onQueuedSaveFailed: (@Sendable (String, RestoreError) -> Void)? = nil
  ) {
    self.init(app: app, SocketChoice(named: socket), timeout: timeout, onQueuedSaveFailed)
  }

  /// A client of the daemon that `connector` finds.
  package init(
    app: String,
    _ connector: any Connector,
    timeout: Duration = defaultTimeout,
    _ onQueuedSaveFailed: (@Sendable (String, RestoreError) -> Void)? = nil
  ) {
    queue = SaveQueue(onFailure: onQueuedSaveFailed)
    caller = Caller(link: DaemonLink(connector), app: app, timeout: timeout)
  }

  /// One of the app's scenes: a window, as a rule.
  ///
  /// - Parameter id: 1 to 255 bytes of UTF-8 without control characters; any name the app likes.
  public func scene(_ id: String = "main") -> SceneHandle { SceneHandle(client: self, id: id) }

  /// Lists the app's scenes, last saved first.
  ///
  /// The open ones are the windows to show at a start.
  ///
  /// - Parameter closed: the closed ones instead of the open ones.
  /// - Throws: `RestoreError`, as every call.
  public func scenes(closed: Bool = false) async throws(RestoreError) -> [SceneInfo] {
    let reply = try await caller.call(ListScenes.self, .init(app: app, closed: closed))
    let scenes = reply.scenes.map(SceneInfo.init)
    lists.set(.scenes(closed: closed), scenes)
    return scenes
  }

  /// Opens the scene that was closed last.
  ///
  /// - Returns: its id.
  /// - Throws: `sceneNotFound` where none is closed; `unavailable` where the reply was lost: a scene may be open then.
  @discardableResult
  public func reopenLastClosed() async throws(RestoreError) -> String {
    try await caller.callOnce(ReopenScene.self, .init(app: app)).scene
  }

  /// Logs the person out: erases every scene of the app, and its entities unless they are to stay.
  ///
  /// Saves that are under way end first; what is queued is dropped, so that nothing of it lands afterwards. On return
  /// no byte of it is left in the daemon's files. The route table stays.
  ///
  /// - Parameter keepEntities: whether kinds and entities stay.
  /// - Throws: `RestoreError`; after `timedOut` and `unavailable` call it again.
  public func reset(keepEntities: Bool = false) async throws(RestoreError) {
    try await queue.dropping(nil) { () async throws(RestoreError) in
      try await lanes.run(nil) { () async throws(RestoreError) in
        lists.removeAll()
        defer { lists.removeAll() }
        _ = try await caller.call(ResetApp.self, .init(app: app, keepEntities: keepEntities))
      }
    }
  }

  /// Checks a state as a restore would, without saving it: what a running app asks when its model changed.
  ///
  /// - Parameters:
  ///   - state: what is shown now.
  ///   - stale: what to do with stale routes; nil: what the route table says, else drop them.
  /// - Throws: `invalidState`, `undecodable`, and as every call.
  public func check<State: Codable & Sendable>(
    _ state: State,
    stale: StalePolicy? = nil
  ) async throws(RestoreError) -> Checked<State> {
    let reply = try await caller.call(Check.self, .init(app: app, state: try StateCoding.encode(state), stale: stale))
    return Checked(
      state: try StateCoding.decode(State.self, reply.state, revision: 0),
      dropped: reply.dropped,
      emptied: reply.emptied,
      unverified: reply.unverified
    )
  }
}
