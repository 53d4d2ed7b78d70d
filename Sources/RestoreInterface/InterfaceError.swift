import JSONText

/// An error of the interface, with its parameters.
///
/// What each means, and what the state is afterwards, is in the text of the interface.
package enum InterfaceError: Error, Hashable, Sendable {
  /// The app has no such scene.
  case sceneNotFound(app: String, scene: String)
  /// The scene's history has no such revision.
  case revisionNotFound(scene: String, revision: Int)
  /// Another revision is the newest; `actual` is 0 where there is no such scene.
  case revisionConflict(scene: String, expected: Int, actual: Int)
  /// The state is older than the app's maximum age.
  case sceneExpired(scene: String, savedAt: String, maximumAgeSeconds: Int)
  /// The state is refused; `path` is the JSON Pointer into it.
  case invalidState(path: String, reason: String)
  /// The route table is refused; `path` is the JSON Pointer into it.
  case invalidRoutes(path: String, reason: String)
  /// A record is refused; none of its call was taken.
  case invalidRecord(index: Int, reason: String)
  /// A named limit was passed; nothing was changed.
  case limitExceeded(limit: String, maximum: Int, actual: Int)
  /// The user's quota is used up; nothing was saved.
  case quotaExceeded(maximum: Int, actual: Int, remedy: String)
  /// The sync has lapsed or never was.
  case syncNotFound(sync: String)
  /// No link pattern of the route table matches.
  case noMatchingLink(url: String)
  /// The watcher did not read fast enough; watch again after `revision`.
  case watchBehind(revision: Int)
  /// The disk is full; nothing was saved, and reads go on.
  case storageFull(remedy: String)
  /// The disk failed; what came of the call is unknown.
  case storageFailed(reason: String, remedy: String)

  /// The full name, as replies carry it.
  package var name: String {
    switch self {
    case .sceneNotFound: "io.restored.SceneNotFound"
    case .revisionNotFound: "io.restored.RevisionNotFound"
    case .revisionConflict: "io.restored.RevisionConflict"
    case .sceneExpired: "io.restored.SceneExpired"
    case .invalidState: "io.restored.InvalidState"
    case .invalidRoutes: "io.restored.InvalidRoutes"
    case .invalidRecord: "io.restored.InvalidRecord"
    case .limitExceeded: "io.restored.LimitExceeded"
    case .quotaExceeded: "io.restored.QuotaExceeded"
    case .syncNotFound: "io.restored.SyncNotFound"
    case .noMatchingLink: "io.restored.NoMatchingLink"
    case .watchBehind: "io.restored.WatchBehind"
    case .storageFull: "io.restored.StorageFull"
    case .storageFailed: "io.restored.StorageFailed"
    }
  }

  /// The parameters as the text of one JSON object.
  package var parameters: [UInt8] {
    var fields = JSONWriter()
    fields.beginObject()
    switch self {
    case .sceneNotFound(let app, let scene):
      fields.write("app", app)
      fields.write("scene", scene)
    case .revisionNotFound(let scene, let revision):
      fields.write("scene", scene)
      fields.write("revision", revision)
    case .revisionConflict(let scene, let expected, let actual):
      fields.write("scene", scene)
      fields.write("expected", expected)
      fields.write("actual", actual)
    case .sceneExpired(let scene, let savedAt, let maximumAgeSeconds):
      fields.write("scene", scene)
      fields.write("savedAt", savedAt)
      fields.write("maximumAgeSeconds", maximumAgeSeconds)
    case .invalidState(let path, let reason):
      fields.write("path", path)
      fields.write("reason", reason)
    case .invalidRoutes(let path, let reason):
      fields.write("path", path)
      fields.write("reason", reason)
    case .invalidRecord(let index, let reason):
      fields.write("index", index)
      fields.write("reason", reason)
    case .limitExceeded(let limit, let maximum, let actual):
      fields.write("limit", limit)
      fields.write("maximum", maximum)
      fields.write("actual", actual)
    case .quotaExceeded(let maximum, let actual, let remedy):
      fields.write("maximum", maximum)
      fields.write("actual", actual)
      fields.write("remedy", remedy)
    case .syncNotFound(let sync):
      fields.write("sync", sync)
    case .noMatchingLink(let url):
      fields.write("url", url)
    case .watchBehind(let revision):
      fields.write("revision", revision)
    case .storageFull(let remedy):
      fields.write("remedy", remedy)
    case .storageFailed(let reason, let remedy):
      fields.write("reason", reason)
      fields.write("remedy", remedy)
    }
    fields.endObject()
    return fields.bytes
  }

  /// Reads an error reply; nil where the name is none of the interface's or its parameters do not fit.
  package init?(name: String, parameters: ArraySlice<UInt8>) {
    guard name.hasPrefix("io.restored."), var fields = try? FieldReader(parameters) else { return nil }
    let name = name.dropFirst("io.restored.".utf8.count)
    do throws(WireFault) {
      if let error = try Self.notFound(name, &fields) {
        self = error
      } else if let error = try Self.refused(name, &fields) {
        self = error
      } else {
        return nil
      }
    } catch { return nil }
  }

  /// The errors about something that is not there, or not any more.
  private static func notFound(_ name: Substring, _ fields: inout FieldReader) throws(WireFault) -> Self? {
    switch name {
    case "SceneNotFound":
      return .sceneNotFound(app: try fields.string("app"), scene: try fields.string("scene"))
    case "RevisionNotFound":
      return .revisionNotFound(scene: try fields.string("scene"), revision: try fields.int("revision"))
    case "RevisionConflict":
      return .revisionConflict(
        scene: try fields.string("scene"),
        expected: try fields.int("expected"),
        actual: try fields.int("actual")
      )
    case "SceneExpired":
      return .sceneExpired(
        scene: try fields.string("scene"),
        savedAt: try fields.string("savedAt"),
        maximumAgeSeconds: try fields.int("maximumAgeSeconds")
      )
    case "SyncNotFound":
      return .syncNotFound(sync: try fields.string("sync"))
    case "NoMatchingLink":
      return .noMatchingLink(url: try fields.string("url"))
    case "WatchBehind":
      return .watchBehind(revision: try fields.int("revision"))
    default: return nil
    }
  }

  /// The errors about what was sent, or could not be stored.
  private static func refused(_ name: Substring, _ fields: inout FieldReader) throws(WireFault) -> Self? {
    switch name {
    case "InvalidState":
      return .invalidState(path: try fields.string("path"), reason: try fields.string("reason"))
    case "InvalidRoutes":
      return .invalidRoutes(path: try fields.string("path"), reason: try fields.string("reason"))
    case "InvalidRecord":
      return .invalidRecord(index: try fields.int("index"), reason: try fields.string("reason"))
    case "LimitExceeded":
      return .limitExceeded(
        limit: try fields.string("limit"),
        maximum: try fields.int("maximum"),
        actual: try fields.int("actual")
      )
    case "QuotaExceeded":
      return .quotaExceeded(
        maximum: try fields.int("maximum"),
        actual: try fields.int("actual"),
        remedy: try fields.string("remedy")
      )
    case "StorageFull":
      return .storageFull(remedy: try fields.string("remedy"))
    case "StorageFailed":
      return .storageFailed(reason: try fields.string("reason"), remedy: try fields.string("remedy"))
    default: return nil
    }
  }
}
