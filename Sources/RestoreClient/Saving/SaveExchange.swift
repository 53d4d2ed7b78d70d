import RestoreInterface

/// One save, made once however often its reply is lost.
///
/// Sending it again as it was could put it over what somebody else saved meanwhile, and make a second revision of it. So
/// it goes out again on the condition that the revision known before is still the newest; a state that is equal to the
/// newest is answered with that revision whatever the condition. If neither holds, the history tells whether it is there.
struct SaveExchange {
  let scene: SceneHandle
  let state: JSONObjectText
  let ifRevision: Int?
  let autosave: Bool

  init(_ scene: SceneHandle, _ state: JSONObjectText, ifRevision: Int?, autosave: Bool) {
    self.scene = scene
    self.state = state
    self.ifRevision = ifRevision
    self.autosave = autosave
  }

  private var app: String { scene.client.app }
  private var known: KnownRevisions { scene.client.known }

  /// Saves, and answers the revision.
  func run() async throws(RestoreError) -> Int {
    let base = ifRevision ?? known[scene.id]
    var attempts = Attempts(within: scene.caller.timeout)
    var condition = ifRevision
    while true {
      do throws(ExchangeFault) {
        return try await send(condition, attempts.deadline)
      } catch {
        if attempts.isRepeated, let base, case .notSent(.revisionConflict(_, _, let actual)) = error {
          if let revision = try await find(after: base, upTo: actual) { return revision }
          guard ifRevision == nil else { throw error.error }
          // Somebody else saved, and this is not there: it is made, over whatever is.
          condition = nil
          attempts.forgetFirst()
          continue
        }
        try attempts.next(after: error)
        condition = base
      }
    }
  }

  private func send(_ condition: Int?, _ deadline: ContinuousClock.Instant) async throws(ExchangeFault) -> Int {
    let parameters = Save.Parameters(
      app: app,
      scene: scene.id,
      state: state,
      ifRevision: condition,
      autosave: autosave ? true : nil
    )
    let reply = try await scene.caller.exchange.exchange(Save.fullName, parameters.encoded, deadline: deadline)
    let saved = try Caller.read(Save.self, reply)
    known[scene.id] = saved.revision
    return saved.revision
  }

  /// The revision after `base` that holds the very bytes of this save; nil: there is none.
  private func find(after base: Int, upTo newest: Int) async throws(RestoreError) -> Int? {
    let revisions = try await scene.caller.call(ListRevisions.self, scene.address).revisions
    for entry in revisions where entry.revision > base && entry.size == state.bytes.count {
      let request = Restore.Parameters(app: app, scene: scene.id, revision: entry.revision, stale: .keep)
      let stored = try await scene.caller.call(Restore.self, request)
      if stored.state.bytes.elementsEqual(state.bytes) {
        known[scene.id] = newest
        return entry.revision
      }
    }
    return nil
  }
}
