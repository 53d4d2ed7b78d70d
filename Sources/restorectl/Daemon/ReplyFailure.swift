import JSONText
import RestoreInterface

/// Puts the daemon's errors into words: what is wrong and where, and what to do about it.
struct ReplyFailure {
  let name: String
  let parameters: ArraySlice<UInt8>
  let method: String
  let socket: String
  /// What names the same daemon, app and scene in the command lines that are suggested.
  var which = Which.unsaid

  /// The failure, with the exit code of its name.
  var failure: Failure {
    let exit = ExitCode.of(error: name)
    let words: (what: String, remedy: String)
    if let error = InterfaceError(name: name, parameters: parameters) {
      words = self.words(for: error)
    } else if let service = serviceWords {
      words = service
    } else {
      return Self.broken("the error \(Shown.quoted(name)) to \(method)", socket: socket, which, json: json)
    }
    return Failure(exit, words.what, remedy: words.remedy, json: json)
  }

  /// A reply that breaks the interface.
  ///
  /// - Parameter what: what is wrong with it, to stand after "with".
  static func broken(_ what: String, socket: String, _ which: Which, json: [UInt8]? = nil) -> Failure {
    Failure(
      .brokenReply,
      "the reply from \(Shown.text(socket)) breaks the interface io.restored: \(what)",
      remedy:
        "see whether restored is what listens there, in the release of restorectl: restorectl status\(which.daemon)",
      json: json
    )
  }

  private var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.string(name)
    writer.key("parameters")
    writer.raw(parameters)
    writer.endObject()
    return writer.bytes
  }

  private var at: String { "(at \(Shown.text(socket)))" }

  // MARK: io.restored

  private func words(for error: InterfaceError) -> (what: String, remedy: String) {
    switch error {
    case .sceneNotFound(let app, ""):
      (
        "app \(Shown.quoted(app)) has no closed scene \(at)",
        "what there is, is listed by: restorectl scenes\(which.daemon) --all-apps, and with --closed"
      )
    case .sceneNotFound(let app, let scene):
      (
        "there is no scene \(Shown.quoted(scene)) of app \(Shown.quoted(app)) \(at)",
        "what there is, is listed by: restorectl scenes\(which.daemon) --all-apps, and with --closed"
      )
    case .revisionNotFound(let scene, 0):
      (
        "scene \(Shown.quoted(scene)) was not launched yet \(at)",
        "launch it first: restorectl restore\(which.scene) --launch"
      )
    case .revisionNotFound(let scene, let revision):
      (
        "scene \(Shown.quoted(scene)) has no revision \(revision) \(at)",
        "what there is, is listed by: restorectl history\(which.scene)"
      )
    case .revisionConflict(let scene, let expected, let actual):
      conflict(scene, expected, actual)
    case .sceneExpired(let scene, let savedAt, let seconds):
      (
        "scene \(Shown.quoted(scene)), saved at \(Shown.text(savedAt)), is older than "
          + "\(Time.span(seconds: seconds)) \(at)",
        "it is read all the same with: --expired"
      )
    case .invalidState(let path, let reason):
      ("invalid state \(place(path)): \(Shown.text(reason))", "correct the state; nothing was changed")
    case .invalidRoutes(let path, let reason):
      (
        "invalid route table \(place(path)): \(Shown.text(reason))",
        "correct the table; nothing was changed. Every fault at once: restorectl routes check FILE"
      )
    case .invalidRecord(let index, let reason):
      ("invalid record, the one of index \(index): \(Shown.text(reason))", "correct it; none of its call was taken")
    default: limitWords(for: error)
    }
  }

  private func limitWords(for error: InterfaceError) -> (what: String, remedy: String) {
    switch error {
    case .limitExceeded(let limit, let maximum, let actual):
      (
        "over a limit: \(LimitWords.amount(actual, of: Shown.text(limit))), at most \(maximum)", remedy(limit: limit)
      )
    case .quotaExceeded(let maximum, let actual, let remedy):
      ("over your quota: \(actual) bytes, at most \(maximum); nothing was saved \(at)", Shown.text(remedy))
    case .syncNotFound(let sync):
      (
        "the sync \(Shown.text(sync)) has lapsed: a newer one began, or it had no call for 10 minutes, or the daemon "
          + "was started again \(at)",
        "nothing was taken away; run the sync again"
      )
    case .noMatchingLink(let url):
      (
        "no link of the route table matches \(Shown.quoted(url)) \(at)",
        "the table is shown by: restorectl routes show\(which.app)"
      )
    case .watchBehind(let revision):
      ("the watch was not read fast enough \(at)", "go on with: restorectl watch\(which.scene) --after \(revision)")
    case .storageFull(let remedy):
      ("the daemon's disk is full; nothing was saved \(at)", Shown.text(remedy))
    case .storageFailed(let reason, let remedy):
      ("the daemon's storage failed: \(Shown.text(reason)) \(at)", Shown.text(remedy))
    default: ("\(method) failed: \(name)", "")
    }
  }

  private func conflict(_ scene: String, _ expected: Int, _ actual: Int) -> (what: String, remedy: String) {
    if actual == 0 {
      return (
        "there is no scene \(Shown.quoted(scene)) \(at), so not revision \(expected)", "save with: --if-revision 0"
      )
    }
    return (
      "scene \(Shown.quoted(scene)) is at revision \(actual), not \(expected) \(at)",
      "restore it, make the change to what it is now, and save with: --if-revision \(actual)"
    )
  }

  private func place(_ path: String) -> String { path.isEmpty ? "as a whole" : "at \(Shown.text(path))" }

  private func remedy(limit: String) -> String {
    switch limit {
    case "state": "save less in it; the limit is the daemon's: restored --max-state BYTES"
    case "message": "send less in one call"
    case "connections": "try again once others have ended theirs"
    case "scenes", "kinds", "apps":
      "forget what is no longer needed: restorectl scenes\(which.daemon) --all-apps, restorectl entities kinds\(which.app)"
    default: "give less; nothing was changed"
    }
  }

  // MARK: org.varlink.service

  private var serviceWords: (what: String, remedy: String)? {
    switch name {
    case "org.varlink.service.InvalidParameter":
      let name = self.parameter("parameter")
      return (
        "the daemon refuses the parameter \(name) of \(method) \(at)",
        "app, scene and kind are names of 1 to 255 bytes, an id has 1 to 4096, and none a control character"
      )
    case "org.varlink.service.MethodNotImplemented", "org.varlink.service.MethodNotFound":
      return (
        "the daemon at \(Shown.text(socket)) does not have \(method)",
        "use a release of restored that has it; the one that runs is named by: restorectl status\(which.daemon)"
      )
    case "org.varlink.service.InterfaceNotFound":
      return (
        "what listens at \(Shown.text(socket)) does not have the interface io.restored",
        "name the socket of restored with --socket"
      )
    case "org.varlink.service.PermissionDenied":
      return (
        "\(method) is not permitted to you \(at)",
        method == ForgetUser.fullName
          ? "run it as root, on a daemon that serves all users: restored --all-users"
          : "ask whoever runs the daemon, or run it as root"
      )
    default: return nil
    }
  }

  private func parameter(_ name: StaticString) -> String {
    guard var fields = try? FieldReader(parameters), let value = try? fields.string(name) else { return "?" }
    return Shown.quoted(value)
  }
}
