import RestoreInterface

/// One save, made once however often its reply is lost.
///
/// It always says over which revision it goes, and asks for that where this client has not heard of one: a save that a
/// stalled daemon carries out late then finds a newer revision, and changes nothing. A save that may go over any is sent again over
/// the one that is there. Where a reply was lost, a state that is equal to the newest is answered with its revision
/// whatever the condition; and where somebody saved since, the history tells whether this save is in it.
struct SaveExchange {
  /// How often somebody else may be faster before the save goes over whatever is there.
  private static let maximumConflicts = 8

  let scene: SceneHandle
  let state: JSONObjectText
  let ifRevision: Int?
  let autosave: Bool
  /// The newest revision before the save, 0: there was no such scene; nil: it is not known yet.
  private var base: Int?
  /// Whether the save may have been made.
  private(set) var isInDoubt = false

  /// - Parameter doubt: where an earlier exchange of the same save ended in doubt, the revision before it.
  init(_ scene: SceneHandle, _ state: JSONObjectText, ifRevision: Int?, autosave: Bool, doubt: Int? = nil) {
    self.scene = scene
    self.state = state
    self.ifRevision = ifRevision
    self.autosave = autosave
    base = doubt ?? ifRevision ?? scene.client.known[scene.id]
    isInDoubt = doubt != nil
  }

  /// What the next exchange of this save has to know, where this one failed.
  var doubt: Int? { isInDoubt ? base : nil }

  /// Saves, and answers the revision.
  mutating func run() async throws(RestoreError) -> Int {
    var attempts = Attempts(within: scene.caller.timeout)
    let base = try await known()
    self.base = base
    var condition: Int? = base
    var conflicts = 0
    while true {
      do throws(ExchangeFault) {
        return try await send(condition, attempts.deadline)
      } catch {
        if case .notSent(.revisionConflict(_, _, let actual)) = error, condition != nil {
          if isInDoubt, let revision = try await find(after: base, upTo: actual) { return revision }
          guard ifRevision == nil else { throw error.error }
          // Not made, or made and taken back from the history since: it goes over what is there.
          isInDoubt = false
          conflicts += 1
          condition = conflicts < Self.maximumConflicts ? actual : nil
          continue
        }
        if case .unanswered = error { isInDoubt = true }
        try attempts.next(after: error)
      }
    }
  }

  /// The revision that the save goes over, asked for where nobody has said it yet.
  private func known() async throws(RestoreError) -> Int {
    if let base { return base }
    do throws(RestoreError) {
      return try await scene.caller.call(ListRevisions.self, scene.address).revisions.first?.revision ?? 0
    } catch {
      guard case .sceneNotFound = error else { throw error }
      return 0
    }
  }

  private func send(_ condition: Int?, _ deadline: ContinuousClock.Instant) async throws(ExchangeFault) -> Int {
    let parameters = Save.Parameters(
      app: scene.client.app,
      scene: scene.id,
      state: state,
      ifRevision: condition,
      autosave: autosave ? true : nil
    )
    let reply = try await scene.caller.link.exchange(Save.fullName, parameters.encoded, deadline: deadline)
    let saved = try Caller.read(Save.self, reply)
    scene.client.known[scene.id] = saved.revision
    return saved.revision
  }

  /// The revision after `base` that holds the very bytes of this save; nil: there is none.
  private func find(after base: Int, upTo newest: Int) async throws(RestoreError) -> Int? {
    let revisions: [RevisionEntry]
    do throws(RestoreError) {
      revisions = try await scene.caller.call(ListRevisions.self, scene.address).revisions
    } catch {
      // Forgotten since.
      if case .sceneNotFound = error { return nil }
      throw error
    }
    for entry in revisions where entry.revision > base && entry.size == state.bytes.count {
      let request = Restore.Parameters(
        app: scene.client.app,
        scene: scene.id,
        revision: entry.revision,
        stale: .keep
      )
      guard try await isHeld(request) else { continue }
      scene.client.known[scene.id] = newest
      return entry.revision
    }
    return nil
  }

  /// Whether the revision that `request` asks for holds the very bytes of this save.
  private func isHeld(_ request: Restore.Parameters) async throws(RestoreError) -> Bool {
    do throws(RestoreError) {
      return try await scene.caller.call(Restore.self, request).state.bytes.elementsEqual(state.bytes)
    } catch {
      switch error {
      // The daemon has looked: the revision is no longer there, or cannot be read.
      case .revisionNotFound, .sceneNotFound, .storageFailed: return false
      // It is not known, and a save that may have been made is not made again.
      default: throw error
      }
    }
  }
}
