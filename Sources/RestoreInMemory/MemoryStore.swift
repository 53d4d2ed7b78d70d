import Glibc
import RestoreClient
import RestoreInterface
import RestoreStore
import SceneModel

/// A store in a folder of its own, asked in the words of the interface.
final class MemoryStore: Sendable {
  let store: SceneStore
  // After the store, so that it is closed before its files go.
  private let folder: MemoryFolder

  init() throws(RestoreError) {
    guard let folder = MemoryFolder() else {
      let reason = String(cString: strerror(errno))
      throw .storageFailed(reason: "no temporary folder: \(reason)", remedy: "set TMPDIR to a folder of your own")
    }
    var options = StoreOptions()
    // Nothing outlives the process: there is nothing for a sync of the disk to keep.
    options.durability = .normal
    do throws(StoreError) {
      store = try SceneStore(folder: folder.path, options: options)
    } catch { throw RestoreError(error) }
    self.folder = folder
  }

  /// Carries a call out; answers the parameters of its reply.
  func answer(_ method: String, _ parameters: ArraySlice<UInt8>) throws(RestoreError) -> [UInt8] {
    if let reply = try answerScenes(method, parameters) { return reply }
    if let reply = try answerHistory(method, parameters) { return reply }
    if let reply = try answerEntities(method, parameters) { return reply }
    if let reply = try answerRoutes(method, parameters) { return reply }
    throw .unexpectedReply("\(method) is not kept in memory")
  }

  /// Answers one method with its own types.
  ///
  /// - Parameter absent: the error where `body` finds nothing.
  func answer<Method: InterfaceMethod>(
    _: Method.Type,
    _ text: ArraySlice<UInt8>,
    _ body: (Method.Parameters) throws(StoreError) -> Method.Reply?,
    absent: (Method.Parameters) -> RestoreError = { _ in .unexpectedReply(Method.name) }
  ) throws(RestoreError) -> [UInt8] {
    let parameters: Method.Parameters
    do throws(WireFault) {
      parameters = try Method.Parameters(strictly: text)
    } catch {
      switch error {
      case .invalidParameter(let name): throw .invalidParameter(name)
      case .limitExceeded(let limit, let maximum, let actual):
        throw .limitExceeded(limit: limit, maximum: maximum, actual: actual)
      }
    }
    let reply: Method.Reply?
    do throws(StoreError) { reply = try body(parameters) } catch { throw RestoreError(error) }
    guard let reply else { throw absent(parameters) }
    return reply.encoded
  }

  private func answerScenes(_ method: String, _ text: ArraySlice<UInt8>) throws(RestoreError) -> [UInt8]? {
    switch method {
    case Save.fullName: try answer(Save.self, text, save)
    case Restore.fullName: try answer(Restore.self, text, restore)
    case Launch.fullName: try answer(Launch.self, text, launch)
    case Confirm.fullName: try answer(Confirm.self, text, confirm)
    case Check.fullName: try answer(Check.self, text, check)
    default: nil
    }
  }

  private func answerHistory(_ method: String, _ text: ArraySlice<UInt8>) throws(RestoreError) -> [UInt8]? {
    switch method {
    case ListScenes.fullName: try answer(ListScenes.self, text, listScenes)
    case CloseScene.fullName: try answer(CloseScene.self, text, closeScene)
    case ReopenScene.fullName: try answer(ReopenScene.self, text, reopenScene)
    case ForgetScene.fullName: try answer(ForgetScene.self, text, forgetScene)
    case ResetApp.fullName: try answer(ResetApp.self, text, resetApp)
    case ListRevisions.fullName: try answer(ListRevisions.self, text, listRevisions)
    case Rollback.fullName: try answer(Rollback.self, text, rollback)
    default: nil
    }
  }

  private func answerEntities(_ method: String, _ text: ArraySlice<UInt8>) throws(RestoreError) -> [UInt8]? {
    switch method {
    case PutEntities.fullName: try answer(PutEntities.self, text, putEntities)
    case DeleteEntities.fullName: try answer(DeleteEntities.self, text, deleteEntities)
    case ListEntities.fullName: try answer(ListEntities.self, text, listEntities)
    case ListKinds.fullName: try answer(ListKinds.self, text, listKinds)
    case ForgetKind.fullName: try answer(ForgetKind.self, text, forgetKind)
    case BeginSync.fullName: try answer(BeginSync.self, text, beginSync)
    case EndSync.fullName: try answer(EndSync.self, text, endSync)
    default: nil
    }
  }

  private func answerRoutes(_ method: String, _ text: ArraySlice<UInt8>) throws(RestoreError) -> [UInt8]? {
    switch method {
    case SetRoutes.fullName: try answer(SetRoutes.self, text, setRoutes)
    case ResolveLink.fullName: try answer(ResolveLink.self, text, resolveLink) { .noMatchingLink(url: $0.url) }
    default: nil
    }
  }
}

extension RestoreError {
  /// What the store says, in the client's words.
  init(_ error: StoreError) {
    let details = error.details
    switch error.code {
    case .sceneNotFound: self = .sceneNotFound(scene: details.scene ?? "")
    case .revisionNotFound: self = .revisionNotFound(scene: details.scene ?? "", revision: details.revision ?? 0)
    case .revisionConflict:
      self = .revisionConflict(
        scene: details.scene ?? "",
        expected: details.expected ?? 0,
        actual: details.actual ?? 0
      )
    case .sceneExpired:
      self = .sceneExpired(
        scene: details.scene ?? "",
        savedAt: Timestamp.text(Int64(details.savedAt ?? 0)),
        maximumAgeSeconds: details.maximum ?? 0
      )
    case .invalidState: self = .invalidState(path: details.path ?? "", reason: details.reason ?? error.message)
    case .invalidRoutes: self = .invalidRoutes(path: details.path ?? "", reason: details.reason ?? error.message)
    case .invalidParameter: self = .invalidParameter(details.parameter ?? "")
    case .limitExceeded:
      self = .limitExceeded(limit: details.limit ?? "", maximum: details.maximum ?? 0, actual: details.actual ?? 0)
    case .syncNotFound: self = .syncNotFound
    case .storageFull: self = .storageFull(remedy: error.remedy ?? error.message)
    default: self = .storageFailed(reason: error.message, remedy: error.remedy ?? "restart the program")
    }
  }
}
