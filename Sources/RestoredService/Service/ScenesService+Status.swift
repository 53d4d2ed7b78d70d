import RestoreInterface
import RestoreStore
import Varlink

/// `GetStatus`.
extension ScenesService {
  func getStatus(_ call: VarlinkCall, _ responder: consuming Responder) {
    let seesAll = !settings.allUsers || call.peer.uid == 0
    read(GetStatus.self, call, responder) { (_) throws(VarlinkError) in
      let status = try reading { () throws(StoreError) in
        try reader.status(
          uid: seesAll ? nil : call.peer.uid,
          problems: seesAll ? health.problems : health.problems(toldTo: call.peer.uid)
        )
      }
      let usage = seesAll ? usage.values.reduce(Usage(), +) : usage[call.peer.uid] ?? Usage()
      return GetStatus.Reply(
        version: RestoredInterface.productVersion,
        health: status.problems.isEmpty ? .ok : .degraded,
        problems: status.problems,
        uptimeSeconds: (StoreClock.system.steady() - settings.startedAt) / 1_000,
        connections: connections(),
        scenes: status.scenes,
        entities: status.entities,
        revision: status.revision,
        lastSaveAt: status.lastSaveAt.map { Timestamp.text(Int64($0)) },
        databaseBytes: status.databaseBytes,
        walBytes: status.walBytes,
        quotaBytes: seesAll ? nil : settings.userQuotaBytes,
        usedBytes: status.usedBytes,
        saves: usage.saves,
        restores: usage.restores,
        droppedRoutes: usage.droppedRoutes
      )
    }
  }
}

/// What the service manager is told.
extension ScenesService {
  /// Whether the database answers a question.
  func storeAnswers() -> Bool {
    do throws(StoreError) {
      _ = try reader.status(uid: settings.ownUID, problems: [])
      return true
    } catch {
      health.note(error)
      return false
    }
  }

  /// Scenes, connections and health in one line.
  func statusLine() -> String {
    let scenes: String
    do throws(StoreError) { scenes = "\(try reader.status(uid: nil, problems: []).scenes) scenes" } catch {
      scenes = "scenes unknown"
    }
    let problems = health.problems
    let state = problems.isEmpty ? "ok" : "degraded: \(problems[0])"
    return "\(scenes), \(connections()) connections, \(state)"
  }
}

extension ScenesService.Usage {
  fileprivate static func + (a: Self, b: Self) -> Self {
    Self(
      saves: a.saves + b.saves,
      restores: a.restores + b.restores,
      droppedRoutes: a.droppedRoutes + b.droppedRoutes
    )
  }
}
