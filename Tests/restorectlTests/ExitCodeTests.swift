import JSONText
import RestoreInterface
import Testing

@testable import restorectl

@Suite struct ExitCodeTests {
  static let errors: [(InterfaceError, ExitCode)] = [
    (.sceneNotFound(app: "a", scene: "s"), .absent), (.revisionNotFound(scene: "s", revision: 3), .absent),
    (.sceneExpired(scene: "s", savedAt: "t", maximumAgeSeconds: 5), .absent),
    (.revisionConflict(scene: "s", expected: 1, actual: 2), .again), (.syncNotFound(sync: "x"), .again),
    (.watchBehind(revision: 3), .again), (.invalidState(path: "/stacks", reason: "r"), .input),
    (.invalidRoutes(path: "", reason: "r"), .input), (.invalidRecord(index: 1, reason: "r"), .input),
    (.limitExceeded(limit: "state", maximum: 1, actual: 2), .input),
    (.limitExceeded(limit: "connections", maximum: 1, actual: 2), .input), (.noMatchingLink(url: "u"), .input),
    (.quotaExceeded(maximum: 1, actual: 2, remedy: "r"), .storage), (.storageFull(remedy: "r"), .storage),
    (.storageFailed(reason: "r", remedy: "r"), .storage),
  ]

  @Test("every error of the interface has its exit code, its own words, and its JSON", arguments: errors.indices)
  func interface(_ place: Int) throws {
    let (error, exit) = Self.errors[place]
    let failure = ReplyFailure(
      name: error.name,
      parameters: error.parameters[...],
      method: "io.restored.Save",
      socket: "/s\u{1B}"
    ).failure
    #expect(failure.exit == exit)
    #expect(!failure.what.isEmpty && !failure.remedy.isEmpty)
    #expect(!failure.what.contains("\u{1B}") && !failure.remedy.contains("\u{1B}"))
    if exit == .absent { #expect(failure.what.contains("/s\\u001b")) }
    let json = try JSONDocument(try #require(failure.json))
    #expect(try json.string(#require(json.member(json.root, "error"))) == error.name)
    #expect(try Array(json.text(#require(json.member(json.root, "parameters")))) == error.parameters)
  }

  @Test(
    "errors of the protocol have theirs, and unknown ones break the interface",
    arguments: [
      ("org.varlink.service.InvalidParameter", #"{"parameter":"app"}"#, ExitCode.input),
      ("org.varlink.service.MethodNotImplemented", #"{"method":"x"}"#, .noDaemon),
      ("org.varlink.service.InterfaceNotFound", #"{"interface":"x"}"#, .noDaemon),
      ("org.varlink.service.PermissionDenied", "{}", .refused),
      ("org.varlink.service.ExpectedMore", "{}", .brokenReply),
      ("io.restored.Unheard", "{}", .brokenReply), ("", "{}", .brokenReply),
      ("io.restored.SceneNotFound", "{}", .brokenReply),
    ]
  )
  func service(_ name: String, _ parameters: String, _ exit: ExitCode) {
    let failure = ReplyFailure(name: name, parameters: Array(parameters.utf8)[...], method: "m", socket: "/s").failure
    #expect(failure.exit == exit)
    #expect(failure.what.contains("/s"))
  }
}
