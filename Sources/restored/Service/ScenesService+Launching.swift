import RestoreInterface
import RestoreStore
import SceneModel
import Varlink

/// `Launch`, `Confirm`.
extension ScenesService {
  func launch(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    var asked: Launch.Parameters?
    write(Launch.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      asked = parameters
      return WriteCommand(uid: uid, app: parameters.app, .launch(scene: parameters.scene))
    } reply: { [self] (outcome) throws(VarlinkError) in
      guard case .launched(let launched) = outcome, let asked else { return nil }
      health.report(damage: launched.faults)
      return try reply(to: asked, launched, uid)
    }
  }

  private func reply(
    to asked: Launch.Parameters,
    _ launched: LaunchOutcome,
    _ uid: UInt32
  ) throws(VarlinkError) -> Launch.Reply {
    guard let outcome = RestoreInterface.GuardOutcome(rawValue: launched.outcome.rawValue) else {
      throw .unexpectedOutcome
    }
    if let empty = launched.emptyState {
      count(restoreDropping: 0, uid)
      return Self.emptyReply(empty, launched, outcome)
    }
    let request = RestoreRequest(
      uid: uid,
      app: asked.app,
      scene: asked.scene,
      revision: launched.revision,
      stale: asked.stale
    )
    let restored = try served(request)
    count(restoreDropping: restored.dropped.count, uid)
    return Launch.Reply(
      state: JSONObjectText(restored.state),
      revision: restored.revision,
      newest: launched.newest,
      savedAt: Timestamp.text(Int64(restored.savedAt)),
      dropped: restored.dropped,
      emptied: restored.emptied,
      unverified: restored.unverified,
      outcome: outcome,
      unconfirmedLaunches: launched.unconfirmedLaunches,
      quarantined: launched.quarantined
    )
  }

  private static func emptyReply(
    _ state: [UInt8],
    _ launched: LaunchOutcome,
    _ outcome: RestoreInterface.GuardOutcome
  ) -> Launch.Reply {
    Launch.Reply(
      state: JSONObjectText(state),
      revision: 0,
      newest: launched.newest,
      dropped: [],
      emptied: [],
      unverified: [],
      outcome: outcome,
      unconfirmedLaunches: launched.unconfirmedLaunches,
      quarantined: launched.quarantined
    )
  }

  func confirm(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(Confirm.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .confirm(scene: parameters.scene, revision: parameters.revision)
      )
    } reply: { outcome in
      guard case .confirmed(let revision) = outcome else { return nil }
      return Confirm.Reply(revision: revision)
    }
  }
}
