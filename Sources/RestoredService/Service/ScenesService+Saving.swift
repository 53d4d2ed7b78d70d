import JSONText
import RestoreInterface
import RestoreStore
import SceneModel
import Varlink

/// `Save`, `Restore`, `Check`.
extension ScenesService {
  /// The state that a call brings, checked.
  private func state(_ text: JSONObjectText) throws(VarlinkError) -> SceneState {
    guard text.bytes.count <= settings.maximumStateBytes else {
      throw VarlinkError(
        reply: .limitExceeded(limit: "state", maximum: settings.maximumStateBytes, actual: text.bytes.count)
      )
    }
    do throws(StateFault) { return try SceneState(validating: Array(text.bytes), text.reading) } catch {
      throw VarlinkError(error)
    }
  }

  func save(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(Save.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      if let revision = parameters.ifRevision, revision < 0 { throw .invalidParameter("ifRevision") }
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .save(
          scene: parameters.scene,
          state: StateContent(try state(parameters.state)),
          ifRevision: parameters.ifRevision,
          autosave: parameters.autosave ?? false
        )
      )
    } reply: { [self] outcome, uid in
      guard case .saved(let saved) = outcome else { return nil }
      usage[uid, default: Usage()].saves += 1
      return Save.Reply(
        revision: saved.revision,
        savedAt: Timestamp.text(Int64(saved.savedAt)),
        changed: saved.changed
      )
    }
  }

  /// What a restore's reply holds beside the state, where nothing was dropped.
  private static let membersBytes = 256

  func restore(_ call: VarlinkCall, _ responder: consuming Responder) {
    if call.isUnheard { return responder.reply() }
    let uid = owner(call)
    // What cannot be asked is asked anew below, where it is told.
    if let entry = cache.find(call.parameters, uid: uid, confirm: { (try? reader.confirms($0)) ?? false }) {
      count(restoreDropping: entry.dropped, uid)
      return responder.reply(frame: entry.frame)
    }
    let frame: [UInt8]
    do throws(VarlinkError) { frame = try restoredFrame(call, uid) } catch {
      note(error, call)
      return responder.fail(error)
    }
    responder.reply(frame: frame)
  }

  private func restoredFrame(_ call: VarlinkCall, _ uid: UInt32) throws(VarlinkError) -> [UInt8] {
    let parameters = try parameters(Restore.self, call)
    let request = RestoreRequest(
      uid: uid,
      app: parameters.app,
      scene: parameters.scene,
      revision: parameters.revision,
      stale: parameters.stale,
      expired: parameters.expired ?? false
    )
    try NameCheck.check(request.app, "app")
    try NameCheck.check(request.scene, "scene")
    let restored = try served(request)
    count(restoreDropping: restored.dropped.count, uid)
    let reply = Restore.Reply(
      state: JSONObjectText(restored.state),
      revision: restored.revision,
      newest: restored.newest,
      savedAt: Timestamp.text(Int64(restored.savedAt)),
      dropped: restored.dropped,
      emptied: restored.emptied,
      unverified: restored.unverified
    )
    let frame = ReplyFrame.make(reserving: restored.state.count + Self.membersBytes) { reply.encode(in: &$0) }
    // What is asked with an option is asked once: kept, it would only push out what is asked again and again.
    if !request.hasOptions { cache.add(frame, call.parameters, uid: uid, request, restored) }
    return frame
  }

  /// Restores from the store, and sees to it that damage met on the way is heard of.
  func served(_ request: RestoreRequest) throws(VarlinkError) -> RestoredScene {
    do throws(StoreError) {
      let restored = try reader.restore(request)
      health.report(damage: restored.faults, of: request.uid)
      return restored
    } catch {
      if error.code == .storageFailed { health.report(damage: [error.description], of: request.uid) }
      throw VarlinkError(error)
    }
  }

  func check(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(Check.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      let state = try state(parameters.state)
      let checked = try reading { () throws(StoreError) in
        try reader.check(uid: uid, app: parameters.app, state: state, stale: parameters.stale)
      }
      return Check.Reply(
        state: JSONObjectText(checked.state),
        dropped: checked.dropped,
        emptied: checked.emptied,
        unverified: checked.unverified
      )
    }
  }

  func count(restoreDropping dropped: Int, _ uid: UInt32) {
    usage[uid, default: Usage()].note(restoreDropping: dropped)
  }
}

extension RestoreRequest {
  fileprivate var hasOptions: Bool { revision != nil || stale != nil || expired }
}
