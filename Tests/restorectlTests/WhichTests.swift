import RestoreInterface
import TestSupport
import Testing

@testable import restorectl

/// What is suggested is about the same daemon, app and scene as what failed.
@Suite struct WhichTests {
  private static let which = Which { [.socket: "/run/a/s", .app: "notes", .scene: "main"][$0] }

  /// The command lines in a text, each up to its first comma, semicolon or line break.
  private func commandLines(_ text: String) -> [[String]] {
    text.split(separator: "restorectl ", omittingEmptySubsequences: false).dropFirst().map { line in
      line.prefix { !",;\n".contains($0) }.split(separator: " ").map(String.init)
    }
  }

  /// Whether a command line is one that restorectl takes, and whether it names the daemon where it has one.
  private func expect(_ words: [String], _ comment: Comment) throws {
    // What stands for something that only a person knows.
    let typed = words.map { ["N": "1", "[ID...]": "x"][$0] ?? $0 }
    guard case .run(let invocation) = try Parser.parse(typed) else { return }
    #expect(invocation.verb == .routesCheck || invocation.value(.socket) == "/run/a/s", comment)
  }

  @Test(
    "each command line that an error of the daemon suggests can be given as it is",
    arguments: ExitCodeTests.errors.indices
  )
  func errors(_ place: Int) throws {
    let (error, _) = ExitCodeTests.errors[place]
    let failure = ReplyFailure(
      name: error.name,
      parameters: error.parameters[...],
      method: "m",
      socket: "/run/a/s",
      which: Self.which
    ).failure
    for words in commandLines(failure.remedy) { try expect(words, "\(failure.remedy)") }
  }

  @Test(
    "and so can those of limits, and of a daemon of another release",
    arguments: [
      ("io.restored.LimitExceeded", #"{"limit":"kinds","maximum":1,"actual":2}"#, 2),
      ("org.varlink.service.MethodNotFound", #"{"method":"x"}"#, 1), ("io.restored.Unheard", "{}", 1),
      ("io.restored.SceneNotFound", #"{"app":"a","scene":""}"#, 1),
      ("io.restored.RevisionNotFound", #"{"scene":"a","revision":0}"#, 1),
    ]
  )
  func others(_ name: String, _ parameters: String, _ count: Int) throws {
    let failure = ReplyFailure(
      name: name,
      parameters: Array(parameters.utf8)[...],
      method: "m",
      socket: "/run/a/s",
      which: Self.which
    ).failure
    let lines = commandLines(failure.remedy)
    #expect(lines.count == count)
    for words in lines { try expect(words, "\(failure.remedy)") }
  }

  @Test("what was not given is not named: the environment says it there too")
  func unsaid() {
    #expect(Which.unsaid == Which { _ in nil } && Which.unsaid.scene == "")
    #expect(Which { $0 == .app ? "my app" : nil }.scene == " --app 'my app'")
  }

  @Test("the daemon that was named is named again")
  func daemon() throws {
    let daemon = DaemonProcess()
    let socket = daemon.socket
    func said(_ words: String..., input: String = "") -> String {
      let result = Tool.run(words + ["--socket", socket], input: input)
      return result.error + result.text
    }
    #expect(
      said("restore", "--app", "x").contains(": restorectl scenes --socket \(socket) --all-apps, and with --closed\n")
    )
    #expect(said("routes", "check", "-", input: "{").contains("then: restorectl routes set --socket \(socket) FILE\n"))
    let state = #"{"stacks":{"a":[{"card":{"cardID":"1"}}]}}"#
    #expect(said("save", "--app", "x", input: state) == "revision 1\n")
    #expect(said("show", "--app", "x").contains("restorectl entities put --socket \(socket) --app x KIND"))
    for _ in 0..<3 { _ = said("restore", "--launch", "--app", "x") }
    let served = said("restore", "--launch", "--app", "x")
    #expect(served.contains("restorectl restore --socket \(socket) --app x --scene main --revision 1\n"))
    #expect(served.contains("restorectl rollback --socket \(socket) --app x --scene main --revision 1\n"))
    let both = said("restore", "--launch", "--revision", "1", "--scene", "s")
    #expect(both.contains("first: restorectl rollback --socket \(socket) --scene s --revision N\n"))
    #expect(said("import", input: "{}\n").contains("restorectl import --socket \(socket)\n"))
  }

  @Test("of closed scenes of all apps, the app that one is of is to be named")
  func closed() {
    let daemon = DaemonProcess()
    _ = Tool.run(["save", "--app", "x"], socket: daemon.socket, input: #"{"values":{}}"#)
    _ = Tool.run(["save", "--app", "x"], socket: daemon.socket, input: #"{"values":{"a":1}}"#)
    _ = Tool.run(["close", "--app", "x"], socket: daemon.socket)
    let all = Tool.runOnTerminal("scenes --closed --all-apps", socket: daemon.socket)
    #expect(all.error.contains("reopen one with: restorectl reopen --app ID --scene ID"))
    let one = Tool.runOnTerminal("scenes --closed --app x", socket: daemon.socket)
    #expect(one.error.contains("reopen one with: restorectl reopen --app x --scene ID"))
  }

  @Test("a time-out suggests to look at the daemon that did not reply")
  func timedOut() throws {
    let peer = try ScriptedPeer {
      _ = $0.nextCall(); _ = $0.nextCall()
    }
    let result = Tool.run(["save", "--timeout", "0.2", "--socket", peer.path], input: #"{"values":{"a":1}}"#)
    #expect(result.exit == 75)
    #expect(result.error.contains("look with: restorectl history --socket \(peer.path); or repeat"))
  }
}
