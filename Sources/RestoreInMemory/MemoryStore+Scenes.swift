import RestoreInterface
import RestoreStore

/// What the store answers about scenes, in the words of the interface.
extension MemoryStore {
  func save(_ asked: Save.Parameters) throws(StoreError) -> Save.Reply {
    let saved = try store.save(
      app: asked.app,
      scene: asked.scene,
      state: Array(asked.state.bytes),
      ifRevision: asked.ifRevision,
      autosave: asked.autosave ?? false
    )
    return Save.Reply(revision: saved.revision, savedAt: Self.time(saved.savedAt), changed: saved.changed)
  }

  func restore(_ asked: Restore.Parameters) throws(StoreError) -> Restore.Reply {
    let restored = try store.restore(
      app: asked.app,
      scene: asked.scene,
      revision: asked.revision,
      stale: asked.stale,
      expired: asked.expired ?? false
    )
    return Restore.Reply(
      state: JSONObjectText(restored.state),
      revision: restored.revision,
      newest: restored.newest,
      savedAt: Self.time(restored.savedAt),
      dropped: restored.dropped,
      emptied: restored.emptied,
      unverified: restored.unverified
    )
  }

  func launch(_ asked: Launch.Parameters) throws(StoreError) -> Launch.Reply {
    let launched = try store.launch(
      app: asked.app,
      scene: asked.scene,
      stale: asked.stale,
      expired: asked.expired ?? false
    )
    return Launch.Reply(
      state: JSONObjectText(launched.state),
      revision: launched.revision,
      newest: launched.newest,
      savedAt: launched.savedAt.map(Self.time),
      dropped: launched.dropped,
      emptied: launched.emptied,
      unverified: launched.unverified,
      outcome: RestoreInterface.GuardOutcome(rawValue: launched.outcome.rawValue) ?? .normal,
      unconfirmedLaunches: launched.unconfirmedLaunches,
      quarantined: launched.quarantined
    )
  }

  func confirm(_ asked: Confirm.Parameters) throws(StoreError) -> Confirm.Reply {
    Confirm.Reply(revision: try store.confirm(app: asked.app, scene: asked.scene, revision: asked.revision))
  }

  func check(_ asked: Check.Parameters) throws(StoreError) -> Check.Reply {
    let checked = try store.check(app: asked.app, state: Array(asked.state.bytes), stale: asked.stale)
    return Check.Reply(
      state: JSONObjectText(checked.state),
      dropped: checked.dropped,
      emptied: checked.emptied,
      unverified: checked.unverified
    )
  }

  func listScenes(_ asked: ListScenes.Parameters) throws(StoreError) -> ListScenes.Reply {
    let scenes = try store.scenes(app: asked.app, closed: asked.closed ?? false)
    return ListScenes.Reply(
      scenes: scenes.map { scene in
        SceneEntry(
          app: scene.app,
          scene: scene.scene,
          revision: scene.revision,
          savedAt: Self.time(scene.savedAt),
          size: scene.size,
          selectedTab: scene.selectedTab,
          routes: scene.routes,
          closedAt: scene.closedAt.map(Self.time),
          unconfirmedLaunches: scene.unconfirmedLaunches
        )
      }
    )
  }

  func closeScene(_ asked: CloseScene.Parameters) throws(StoreError) -> CloseScene.Reply {
    try store.close(app: asked.app, scene: asked.scene)
    return CloseScene.Reply()
  }

  func reopenScene(_ asked: ReopenScene.Parameters) throws(StoreError) -> ReopenScene.Reply {
    ReopenScene.Reply(scene: try store.reopen(app: asked.app, scene: asked.scene))
  }

  func forgetScene(_ asked: ForgetScene.Parameters) throws(StoreError) -> ForgetScene.Reply {
    try store.forget(app: asked.app, scene: asked.scene)
    return ForgetScene.Reply()
  }

  func resetApp(_ asked: ResetApp.Parameters) throws(StoreError) -> ResetApp.Reply {
    ResetApp.Reply(scenes: try store.reset(app: asked.app, keepEntities: asked.keepEntities ?? false))
  }

  func listRevisions(_ asked: ListRevisions.Parameters) throws(StoreError) -> ListRevisions.Reply {
    let revisions = try store.revisions(app: asked.app, scene: asked.scene)
    return ListRevisions.Reply(
      revisions: revisions.map { revision in
        RevisionEntry(
          revision: revision.revision,
          savedAt: Self.time(revision.savedAt),
          size: revision.size,
          routes: revision.routes,
          selectedTab: revision.selectedTab,
          confirmed: revision.confirmed,
          quarantined: revision.quarantined
        )
      }
    )
  }

  func rollback(_ asked: Rollback.Parameters) throws(StoreError) -> Rollback.Reply {
    Rollback.Reply(revision: try store.rollback(app: asked.app, scene: asked.scene, revision: asked.revision))
  }

  private static func time(_ milliseconds: Int) -> String { Timestamp.text(Int64(milliseconds)) }
}
