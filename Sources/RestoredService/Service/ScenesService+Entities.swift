import RestoreInterface
import RestoreStore
import Varlink

/// `PutEntities`, `DeleteEntities`, `BeginSync`, `EndSync`, `ListEntities`, `ListKinds`, `ForgetKind`.
extension ScenesService {
  func putEntities(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(PutEntities.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.kind, "kind")
      try NameCheck.checkMark(parameters.sync, "sync")
      try NameCheck.checkMark(parameters.version, "version")
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .putEntities(
          kind: parameters.kind,
          ids: try NameCheck.ids(parameters.ids),
          sync: parameters.sync,
          version: parameters.version
        )
      )
    } reply: { outcome, _ in
      if case .put(let added) = outcome { PutEntities.Reply(added: added) } else { nil }
    }
  }

  func deleteEntities(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(DeleteEntities.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.kind, "kind")
      try NameCheck.checkMark(parameters.version, "version")
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .deleteEntities(
          kind: parameters.kind,
          ids: try NameCheck.ids(parameters.ids),
          version: parameters.version
        )
      )
    } reply: { outcome, _ in
      if case .deleted(let count) = outcome { DeleteEntities.Reply(deleted: count) } else { nil }
    }
  }

  func beginSync(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(BeginSync.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.kind, "kind")
      return WriteCommand(uid: uid, app: parameters.app, .beginSync(kind: parameters.kind))
    } reply: { outcome, _ in
      if case .syncBegan(let sync) = outcome { BeginSync.Reply(sync: sync) } else { nil }
    }
  }

  func endSync(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(EndSync.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.checkMark(parameters.sync, "sync")
      try NameCheck.checkMark(parameters.version, "version")
      return WriteCommand(
        uid: uid,
        app: parameters.app,
        .endSync(sync: parameters.sync, version: parameters.version)
      )
    } reply: { outcome, _ in
      guard case .syncEnded(let ended) = outcome else { return nil }
      return EndSync.Reply(added: ended.added, deleted: ended.deleted, count: ended.count)
    }
  }

  func listEntities(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(ListEntities.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.kind, "kind")
      if let limit = parameters.limit, limit < 1 { throw .invalidParameter("limit") }
      let page = try reading { () throws(StoreError) in
        try reader.entities(
          uid: uid,
          app: parameters.app,
          kind: parameters.kind,
          after: parameters.after,
          limit: parameters.limit
        )
      }
      return ListEntities.Reply(ids: page.ids, next: page.next)
    }
  }

  func listKinds(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(ListKinds.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      let kinds = try reading { () throws(StoreError) in try reader.kinds(uid: uid, app: parameters.app) }
      return ListKinds.Reply(
        kinds: kinds.map { KindEntry(kind: $0.kind, count: $0.count, version: $0.version, syncing: $0.syncing) }
      )
    }
  }

  func forgetKind(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(ForgetKind.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.kind, "kind")
      return WriteCommand(uid: uid, app: parameters.app, .forgetKind(kind: parameters.kind))
    } reply: { outcome, _ in
      if case .forgot(let deleted) = outcome { ForgetKind.Reply(deleted: deleted) } else { nil }
    }
  }
}
