import RestoreInterface
import RestoreStore
import Varlink

/// `GetStatus`.
extension ScenesService {
  func getStatus(_ call: VarlinkCall, _ responder: consuming Responder) {
    let seesAll = !settings.allUsers || call.peer.uid == 0
    read(GetStatus.self, call, responder) { (_) throws(VarlinkError) in
      let status = try reading { () throws(StoreError) in
        try reader.status(uid: seesAll ? nil : call.peer.uid, problems: queue.problems + damage)
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
        usedBytes: status.usedBytes,
        saves: usage.saves,
        restores: usage.restores,
        droppedRoutes: usage.droppedRoutes
      )
    }
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
