import RestoreInterface
import RestoreStore
import Varlink

/// `Watch`.
extension ScenesService {
  func watch(_ call: VarlinkCall, _ responder: consuming Responder) {
    let parameters: Watch.Parameters
    do throws(VarlinkError) {
      parameters = try self.parameters(Watch.self, call)
      if let app = parameters.app { try NameCheck.check(app, "app") }
      if let scene = parameters.scene { try NameCheck.check(scene, "scene") }
      if let after = parameters.after, after < 0 { throw .invalidParameter("after") }
    } catch {
      note(error, call)
      return responder.fail(error)
    }
    guard let stream = responder.stream() else { return note(VarlinkError.expectedMore, call) }
    let filter = WatchFilter(
      uid: owner(call),
      app: parameters.app.map { ExactName($0) },
      scene: parameters.scene.map { ExactName($0) }
    )
    watches.begin(filter, after: parameters.after, stream)
  }
}
