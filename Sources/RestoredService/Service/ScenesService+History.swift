import RestoreInterface
import RestoreStore
import Varlink

/// `ListRevisions`, `Rollback`.
extension ScenesService {
  func listRevisions(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(ListRevisions.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      let revisions = try reading { () throws(StoreError) in
        try reader.revisions(uid: uid, app: parameters.app, scene: parameters.scene)
      }
      return ListRevisions.Reply(
        revisions: revisions.map { revision in
          RevisionEntry(
            revision: revision.revision,
            savedAt: Timestamp.text(Int64(revision.savedAt)),
            size: revision.size,
            routes: revision.routes,
            selectedTab: revision.selectedTab,
            confirmed: revision.confirmed,
            quarantined: revision.quarantined
          )
        }
      )
    }
  }

  func rollback(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(Rollback.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .rollback(scene: parameters.scene, revision: parameters.revision)
      )
    } reply: { outcome, _ in
      if case .rolledBack(let revision) = outcome { Rollback.Reply(revision: revision) } else { nil }
    }
  }
}
