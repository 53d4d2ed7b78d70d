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
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .launch(scene: parameters.scene, expired: parameters.expired ?? false)
      )
    } reply: { [self] (outcome, _) throws(VarlinkError) in
      guard case .launched(let launched) = outcome, let asked else { return nil }
      health.report(damage: launched.faults, of: uid)
      if let fault = launched.uncounted { note(uncounted: fault, asked) }
      return try reply(to: asked, launched, uid)
    }
  }

  private func note(uncounted fault: StoreError, _ asked: Launch.Parameters) {
    log.write(
      .launchUncounted,
      "a launch of scene \(asked.scene) of app \(asked.app) was served but not counted: \(fault)",
      [("APP", asked.app), ("SCENE", asked.scene)]
    )
  }

  private func reply(
    to asked: Launch.Parameters,
    _ launched: LaunchOutcome,
    _ uid: UInt32
  ) throws(VarlinkError) -> Launch.Reply {
    guard let outcome = RestoreInterface.GuardOutcome(rawValue: launched.outcome.rawValue) else {
      throw .unexpectedOutcome
    }
    let restored = try reading { () throws(StoreError) in
      try reader.restore(launched, uid: uid, app: asked.app, scene: asked.scene, stale: asked.stale)
    }
    count(restoreDropping: restored.dropped.count, uid)
    return Launch.Reply(
      state: JSONObjectText(restored.state),
      revision: launched.revision,
      newest: launched.newest,
      savedAt: launched.savedAt.map { Timestamp.text(Int64($0)) },
      dropped: restored.dropped,
      emptied: restored.emptied,
      unverified: restored.unverified,
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
    } reply: { outcome, _ in
      guard case .confirmed(let revision) = outcome else { return nil }
      return Confirm.Reply(revision: revision)
    }
  }
}
