import RestoreInterface
import RestoreStore
import Varlink

/// `ListScenes`, `CloseScene`, `ReopenScene`, `ForgetScene`, `ResetApp`.
extension ScenesService {
  func listScenes(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    read(ListScenes.self, call, responder) { (parameters) throws(VarlinkError) in
      if let app = parameters.app { try NameCheck.check(app, "app") }
      let scenes = try reading { () throws(StoreError) in
        try reader.scenes(uid: uid, app: parameters.app, closed: parameters.closed ?? false)
      }
      return ListScenes.Reply(scenes: scenes.map(SceneEntry.init))
    }
  }

  func closeScene(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(CloseScene.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      return WriteCommand(uid: uid, app: parameters.app, .closeScene(scene: parameters.scene))
    } reply: { outcome, _ in
      if case .closed = outcome { CloseScene.Reply() } else { nil }
    }
  }

  func reopenScene(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(ReopenScene.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      if let scene = parameters.scene { try NameCheck.check(scene, "scene") }
      return WriteCommand(uid: uid, app: parameters.app, .reopenScene(scene: parameters.scene))
    } reply: { outcome, _ in
      if case .reopened(let scene) = outcome { ReopenScene.Reply(scene: scene) } else { nil }
    }
  }

  func forgetScene(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(ForgetScene.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      try NameCheck.check(parameters.scene, "scene")
      return WriteCommand(uid: uid, app: parameters.app, .forgetScene(scene: parameters.scene))
    } reply: { outcome, _ in
      if case .forgot = outcome { ForgetScene.Reply() } else { nil }
    }
  }

  func resetApp(_ call: VarlinkCall, _ responder: consuming Responder) {
    let uid = owner(call)
    write(ResetApp.self, call, responder) { (parameters) throws(VarlinkError) in
      try NameCheck.check(parameters.app, "app")
      return WriteCommand(uid: uid, app: parameters.app, .resetApp(keepEntities: parameters.keepEntities ?? false))
    } reply: { outcome, _ in
      if case .forgot(let scenes) = outcome { ResetApp.Reply(scenes: scenes) } else { nil }
    }
  }

  func forgetUser(_ call: VarlinkCall, _ responder: consuming Responder) {
    guard settings.allUsers, call.peer.uid == 0 else {
      note(.permissionDenied, call)
      return responder.fail(.permissionDenied)
    }
    write(ForgetUser.self, call, responder) { (parameters) throws(VarlinkError) in
      guard let uid = UInt32(exactly: parameters.uid) else { throw .invalidParameter("uid") }
      return WriteCommand(uid: uid, app: "", .forgetUser)
    } reply: { outcome, _ in
      if case .forgot(let scenes) = outcome { ForgetUser.Reply(scenes: scenes) } else { nil }
    }
  }
}

extension SceneEntry {
  fileprivate init(_ scene: SceneSummary) {
    self.init(
      app: scene.app,
      scene: scene.scene,
      revision: scene.revision,
      savedAt: Timestamp.text(Int64(scene.savedAt)),
      size: scene.size,
      selectedTab: scene.selectedTab,
      routes: scene.routes,
      closedAt: scene.closedAt.map { Timestamp.text(Int64($0)) },
      unconfirmedLaunches: scene.unconfirmedLaunches
    )
  }
}
