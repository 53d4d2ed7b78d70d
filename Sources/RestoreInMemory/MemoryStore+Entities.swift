import RestoreInterface
import RestoreStore

/// What the store answers about entities and routes, in the words of the interface.
extension MemoryStore {
  func putEntities(_ asked: PutEntities.Parameters) throws(StoreError) -> PutEntities.Reply {
    let added = try store.put(
      app: asked.app,
      kind: asked.kind,
      ids: asked.ids,
      sync: asked.sync,
      version: asked.version
    )
    return PutEntities.Reply(added: added)
  }

  func deleteEntities(_ asked: DeleteEntities.Parameters) throws(StoreError) -> DeleteEntities.Reply {
    let deleted = try store.delete(app: asked.app, kind: asked.kind, ids: asked.ids, version: asked.version)
    return DeleteEntities.Reply(deleted: deleted)
  }

  func listEntities(_ asked: ListEntities.Parameters) throws(StoreError) -> ListEntities.Reply {
    let page = try store.entities(app: asked.app, kind: asked.kind, after: asked.after, limit: asked.limit)
    return ListEntities.Reply(ids: page.ids, next: page.next)
  }

  func listKinds(_ asked: ListKinds.Parameters) throws(StoreError) -> ListKinds.Reply {
    ListKinds.Reply(
      kinds: try store.kinds(app: asked.app).map {
        KindEntry(kind: $0.kind, count: $0.count, version: $0.version, syncing: $0.syncing)
      }
    )
  }

  func forgetKind(_ asked: ForgetKind.Parameters) throws(StoreError) -> ForgetKind.Reply {
    ForgetKind.Reply(deleted: try store.forget(app: asked.app, kind: asked.kind))
  }

  func beginSync(_ asked: BeginSync.Parameters) throws(StoreError) -> BeginSync.Reply {
    BeginSync.Reply(sync: try store.beginSync(app: asked.app, kind: asked.kind))
  }

  func endSync(_ asked: EndSync.Parameters) throws(StoreError) -> EndSync.Reply {
    let outcome = try store.endSync(app: asked.app, sync: asked.sync, version: asked.version)
    return EndSync.Reply(added: outcome.added, deleted: outcome.deleted, count: outcome.count)
  }

  func setRoutes(_ asked: SetRoutes.Parameters) throws(StoreError) -> SetRoutes.Reply {
    let outcome = try store.setRoutes(
      app: asked.app,
      table: Array(asked.table.bytes),
      dryRun: asked.dryRun ?? false
    )
    return SetRoutes.Reply(
      changed: outcome.changed,
      scenes: outcome.effect.scenes,
      renamed: outcome.effect.renamed,
      unknown: outcome.effect.unknown,
      stale: outcome.effect.stale
    )
  }

  func resolveLink(_ asked: ResolveLink.Parameters) throws(StoreError) -> ResolveLink.Reply? {
    guard let resolved = try store.resolve(app: asked.app, link: asked.url) else { return nil }
    return ResolveLink.Reply(state: JSONObjectText(resolved.state), dropped: resolved.dropped)
  }
}
