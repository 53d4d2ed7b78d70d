import RestoreInterface
import RestoreStore
import SceneModel
import Varlink

/// Turns every kind of fault into the reply that names it; the only place where that is decided.
extension VarlinkError {
  init(reply error: InterfaceError) { self.init(error.name, parameters: error.parameters) }

  init(_ fault: WireFault) {
    switch fault {
    case .invalidParameter(let name): self = .invalidParameter(name)
    case .limitExceeded(let limit, let maximum, let actual):
      self.init(reply: .limitExceeded(limit: limit, maximum: maximum, actual: actual))
    }
  }

  init(_ fault: StateFault) {
    switch fault {
    case .invalid(let path, let reason): self.init(reply: .invalidState(path: path, reason: reason))
    case .limit(let name, let maximum, let actual):
      self.init(reply: .limitExceeded(limit: name, maximum: maximum, actual: actual))
    }
  }

  init(_ error: StoreError) {
    let details = error.details
    switch error.code {
    case .sceneNotFound: self.init(reply: .sceneNotFound(app: details.app ?? "", scene: details.scene ?? ""))
    case .revisionNotFound:
      self.init(reply: .revisionNotFound(scene: details.scene ?? "", revision: details.revision ?? 0))
    case .revisionConflict:
      self.init(
        reply: .revisionConflict(
          scene: details.scene ?? "",
          expected: details.expected ?? 0,
          actual: details.actual ?? 0
        )
      )
    case .sceneExpired:
      self.init(
        reply: .sceneExpired(
          scene: details.scene ?? "",
          savedAt: Timestamp.text(Int64(details.savedAt ?? 0)),
          maximumAgeSeconds: details.maximum ?? 0
        )
      )
    case .invalidState:
      self.init(reply: .invalidState(path: details.path ?? "", reason: details.reason ?? error.message))
    case .invalidRecord:
      self.init(reply: .invalidRecord(index: details.index ?? 0, reason: details.reason ?? error.message))
    case .invalidParameter: self = .invalidParameter(details.parameter ?? "")
    case .limitExceeded:
      self.init(
        reply: .limitExceeded(limit: details.limit ?? "", maximum: details.maximum ?? 0, actual: details.actual ?? 0)
      )
    case .quotaExceeded: self.init(reply: .quotaExceeded(error))
    case .syncNotFound: self.init(reply: .syncNotFound(sync: details.sync ?? ""))
    case .storageFull: self.init(reply: .storageFull(remedy: error.remedy ?? error.message))
    default: self.init(reply: .storageFailed(reason: error.message, remedy: error.remedy ?? "see the log of restored"))
    }
  }
}

extension InterfaceError {
  fileprivate static func quotaExceeded(_ error: StoreError) -> InterfaceError {
    .quotaExceeded(
      maximum: error.details.maximum ?? 0,
      actual: error.details.actual ?? 0,
      remedy: error.remedy ?? error.message
    )
  }
}

/// Checks the names and ids that calls bring, before anything else sees them.
enum NameCheck {
  /// Refuses a name that breaks the rule for apps, scenes and kinds.
  static func check(_ name: String, _ parameter: String) throws(VarlinkError) {
    switch Names.fault(name) {
    case nil: return
    case .tooLong(let bytes):
      throw VarlinkError(reply: .limitExceeded(limit: parameter, maximum: Names.maximumBytes, actual: bytes))
    default: throw .invalidParameter(parameter)
    }
  }

  /// Refuses a mark of an app's model, or the name of a sync, that is longer than an id may be.
  static func checkMark(_ mark: String?, _ parameter: String) throws(VarlinkError) {
    guard let bytes = mark?.utf8.count, bytes > EntityID.maximumBytes else { return }
    throw VarlinkError(reply: .limitExceeded(limit: parameter, maximum: EntityID.maximumBytes, actual: bytes))
  }

  /// The ids as the store compares them.
  static func ids(_ texts: [String]) throws(VarlinkError) -> [EntityID] {
    var ids: [EntityID] = []
    ids.reserveCapacity(texts.count)
    for text in texts {
      guard text.utf8.count <= EntityID.maximumBytes else {
        throw VarlinkError(reply: .limitExceeded(limit: "id", maximum: EntityID.maximumBytes, actual: text.utf8.count))
      }
      var text = text
      guard !text.withUTF8({ Names.hasControlCharacter($0) }), let id = EntityID(text) else {
        throw .invalidParameter("ids")
      }
      ids.append(id)
    }
    return ids
  }
}
