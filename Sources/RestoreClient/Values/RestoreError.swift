import RestoreInterface
import Varlink

/// Why a call of the client brought nothing; see <doc:Errors>.
///
/// The first cases are the interface's own errors. After each of them but `storageFailed` nothing of the call was done,
/// and what was saved before stays. The rest are about the way to the daemon and back.
public enum RestoreError: Error, Hashable, Sendable {
  /// The app has no such scene.
  case sceneNotFound(scene: String)
  /// The scene has no such revision, or no longer; 0 where a launch was to be confirmed and there was none.
  case revisionNotFound(scene: String, revision: Int)
  /// Another revision than the `expected` one is the newest: somebody else saved.
  ///
  /// `actual` is 0 where there is no such scene.
  case revisionConflict(scene: String, expected: Int, actual: Int)
  /// The state is older than the app's route table allows; it is restored with `expired: true`.
  case sceneExpired(scene: String, savedAt: String, maximumAgeSeconds: Int)
  /// The state is refused, or cannot be encoded; `path` is the JSON Pointer to the fault.
  case invalidState(path: String, reason: String)
  /// The route table is refused; `path` is the JSON Pointer to the fault.
  case invalidRoutes(path: String, reason: String)
  /// A name, an id or another parameter breaks a rule.
  case invalidParameter(String)
  /// Something is larger, longer or more than may be.
  case limitExceeded(limit: String, maximum: Int, actual: Int)
  /// The user keeps as many bytes as one may.
  case quotaExceeded(maximum: Int, actual: Int, remedy: String)
  /// The sync has lapsed: another one of the kind began, the daemon was started anew, or ten minutes passed.
  ///
  /// What was there before it stays; sync again from the beginning.
  case syncNotFound
  /// No link of the app's route table matches.
  case noMatchingLink(url: String)
  /// The disk is full: nothing was saved, and restores go on.
  case storageFull(remedy: String)
  /// The disk failed: whether the call was carried out is unknown until the next one that is answered.
  case storageFailed(reason: String, remedy: String)

  /// There is no daemon at the socket, or it went away and did not come back in time.
  ///
  /// A call that changes something may have been carried out where `reason` speaks of a reply.
  case unavailable(socket: String, reason: String)
  /// The daemon did not answer in time: whether the call was carried out is unknown.
  case timedOut
  /// The caller's task was cancelled; a call that was sent already may be carried out.
  case cancelled
  /// The state that was restored does not decode as the type asked for.
  ///
  /// It is still saved: an older release may read it. `revision` is 0 where it has none.
  case undecodable(reason: String, revision: Int)
  /// The daemon answered what the interface does not know: a newer or a defective one.
  case unexpectedReply(String)
}

extension RestoreError {
  /// The words of the interface.
  package init(_ error: InterfaceError) {
    switch error {
    case .sceneNotFound(_, let scene): self = .sceneNotFound(scene: scene)
    case .revisionNotFound(let scene, let revision): self = .revisionNotFound(scene: scene, revision: revision)
    case .revisionConflict(let scene, let expected, let actual):
      self = .revisionConflict(scene: scene, expected: expected, actual: actual)
    case .sceneExpired(let scene, let savedAt, let seconds):
      self = .sceneExpired(scene: scene, savedAt: savedAt, maximumAgeSeconds: seconds)
    case .invalidState(let path, let reason): self = .invalidState(path: path, reason: reason)
    case .invalidRoutes(let path, let reason): self = .invalidRoutes(path: path, reason: reason)
    case .limitExceeded(let limit, let maximum, let actual):
      self = .limitExceeded(limit: limit, maximum: maximum, actual: actual)
    case .quotaExceeded(let maximum, let actual, let remedy):
      self = .quotaExceeded(maximum: maximum, actual: actual, remedy: remedy)
    case .syncNotFound: self = .syncNotFound
    case .noMatchingLink(let url): self = .noMatchingLink(url: url)
    case .storageFull(let remedy): self = .storageFull(remedy: remedy)
    case .storageFailed(let reason, let remedy): self = .storageFailed(reason: reason, remedy: remedy)
    case .invalidRecord, .watchBehind: self = .unexpectedReply(error.name)
    }
  }

  /// An error reply.
  package init(name: String, parameters: ArraySlice<UInt8>) {
    if let error = InterfaceError(name: name, parameters: parameters) {
      self.init(error)
    } else if name == "org.varlink.service.InvalidParameter", var fields = try? FieldReader(parameters),
      let parameter = try? fields.string("parameter")
    {
      self = .invalidParameter(parameter)
    } else {
      self = .unexpectedReply(name)
    }
  }

  /// What happened to a connection.
  init(_ error: VarlinkClientError, socket: String) {
    switch error {
    case .timedOut: self = .timedOut
    case .malformedReply, .replyTooLarge: self = .unexpectedReply(error.sentence)
    default: self = .unavailable(socket: socket, reason: error.sentence)
    }
  }
}

extension RestoreError: CustomStringConvertible {
  /// What is wrong, where, and what to do about it.
  public var description: String {
    switch self {
    case .sceneNotFound(let scene):
      "there is no scene \"\(scene)\": scenes() lists those that there are, scenes(closed: true) the closed ones"
    case .revisionNotFound(let scene, 0):
      "no launch of scene \"\(scene)\" is there to be confirmed: restore it with launch: true first"
    case .revisionNotFound(let scene, let revision):
      "scene \"\(scene)\" has no revision \(revision): history() lists those that it has"
    case .revisionConflict(let scene, let expected, 0):
      "there is no scene \"\(scene)\", so not revision \(expected) of it: save with ifRevision: 0"
    case .revisionConflict(let scene, let expected, let actual):
      "scene \"\(scene)\" is at revision \(actual), not \(expected): restore it, and save again"
    case .sceneExpired(let scene, let savedAt, let seconds):
      "scene \"\(scene)\" was saved at \(savedAt), more than \(seconds) s ago: restore it with expired: true"
    case .invalidState(let path, let reason): "the state is wrong at \"\(path)\": \(reason)"
    case .invalidRoutes(let path, let reason): "the route table is wrong at \"\(path)\": \(reason)"
    case .invalidParameter(let name): "\(name) is empty, or holds a control character: choose another"
    case .limitExceeded(let limit, let maximum, let actual):
      "over a limit: \(LimitWords.amount(actual, of: limit)), at most \(maximum): give less"
    case .quotaExceeded(let maximum, let actual, let remedy): "\(actual) bytes of \(maximum) are in use: \(remedy)"
    case .noMatchingLink(let url): "no link of the route table matches \(url): set a table that has one, or follow none"
    case .storageFull(let remedy): "the disk is full, nothing was saved: \(remedy)"
    case .storageFailed(let reason, let remedy): "\(reason): \(remedy)"
    case .syncNotFound: "the sync has lapsed: sync again from the beginning"
    case .unavailable(let socket, let reason): Self.unavailable(socket, reason)
    case .timedOut:
      "no reply within the time given: whether it was done is unknown: call again, or give the client a longer timeout"
    case .cancelled: "the task was cancelled: a call that was sent may still be carried out"
    case .undecodable(let reason, let revision):
      "revision \(revision) does not decode: \(reason): it stays saved; begin anew, or read it as another type"
    case .unexpectedReply(let what):
      "the daemon's reply is not understood: \(what): see in restorectl status whether it is newer than this app"
    }
  }

  private static func unavailable(_ socket: String, _ reason: String) -> String {
    let place = reason.contains(socket) ? "" : "\(socket): "
    return "\(place)\(reason): where no daemon runs, start one: " + SocketPath.starting(socket)
  }
}
