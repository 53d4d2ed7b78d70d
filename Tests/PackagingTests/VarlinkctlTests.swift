import Foundation
import RestoreInterface
import TestSupport
import Testing

/// systemd's own Varlink client, of the next release, against the daemon under that release's systemd.
@Suite(
  .serialized,
  .enabled(if: Machine.newerObstacle.reason == nil, Comment(rawValue: Machine.newerObstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct VarlinkctlTests {
  private let machine: Machine
  private static let socket = "/run/restored/io.restored"

  init() throws { machine = try Machine.newer.get() }

  private func varlinkctl(_ arguments: String..., as user: Machine.User? = .ann) -> Finished {
    machine.run(["varlinkctl"] + arguments, as: user)
  }

  private func call(
    _ method: String,
    _ parameters: String,
    options: [String] = [],
    as user: Machine.User? = .ann
  ) -> Finished {
    let command =
      ["varlinkctl", "--json=short"] + options + ["call", Self.socket, "io.restored." + method, parameters]
    return machine.run(command, as: user)
  }

  /// What follows a member's name in a reply, up to the end of a number or a word.
  private func value(_ name: String, in reply: Finished) -> String {
    let rest = reply.text.components(separatedBy: "\"\(name)\":").dropFirst().first ?? ""
    return String(rest.drop { $0 == "\"" }.prefix { $0.isLetter || $0.isNumber || $0 == "-" })
  }

  @Test("it reads what the service is, its interfaces, and the text of each")
  func introspection() {
    let info = varlinkctl("info", Self.socket)
    #expect(info.ending == .exit(0) && info.text.contains("io.restored"), "\(info.errors)")
    let interfaces = varlinkctl("list-interfaces", Self.socket)
    #expect(interfaces.text == "io.restored\norg.varlink.service\n")
    let text = varlinkctl("introspect", Self.socket, "io.restored")
    #expect(text.ending == .exit(0) && text.text.contains("method Save("), "\(text.errors)")
    let file = varlinkctl("validate-idl", "/usr/share/varlink/io.restored.varlink")
    #expect(file.ending == .exit(0), "\(file.errors)")
  }

  /// Calls in an order in which each is valid; `SYNC` stands for what the last BeginSync gave, `REVISION` for the
  /// revision of the last Save.
  private static let calls: [(method: String, parameters: String)] = [
    ("Save", #"{"app":"v","scene":"main","state":{"stacks":{"t":[{"card":{"id":"c1"}}]}}}"#),
    ("Restore", #"{"app":"v","scene":"main"}"#),
    ("Launch", #"{"app":"v","scene":"main"}"#),
    ("Confirm", #"{"app":"v","scene":"main"}"#),
    ("Check", #"{"app":"v","state":{"stacks":{}}}"#),
    ("ListScenes", #"{"app":"v"}"#),
    ("ListRevisions", #"{"app":"v","scene":"main"}"#),
    ("Rollback", #"{"app":"v","scene":"main","revision":REVISION}"#),
    ("CloseScene", #"{"app":"v","scene":"main"}"#),
    ("ReopenScene", #"{"app":"v"}"#),
    ("PutEntities", #"{"app":"v","kind":"card","ids":["c1","c2"],"version":"1"}"#),
    ("DeleteEntities", #"{"app":"v","kind":"card","ids":["c1"]}"#),
    ("BeginSync", #"{"app":"v","kind":"card"}"#),
    ("EndSync", #"{"app":"v","sync":"SYNC"}"#),
    ("ListEntities", #"{"app":"v","kind":"card"}"#),
    ("ListKinds", #"{"app":"v"}"#),
    ("SetRoutes", #"{"app":"v","table":{"tabs":["t"],"links":[{"link":"v://t","state":{"stacks":{}}}]}}"#),
    ("GetRoutes", #"{"app":"v"}"#),
    ("ResolveLink", #"{"app":"v","url":"v://t"}"#),
    ("ImportRecords", #"{"records":[]}"#),
    ("GetStatus", "{}"),
    ("ForgetKind", #"{"app":"v","kind":"card"}"#),
    ("ForgetScene", #"{"app":"v","scene":"main"}"#),
    ("ResetApp", #"{"app":"v"}"#),
  ]
  /// Methods that stream, and the one that only root may call, have tests of their own.
  private static let others = ["Watch", "ExportRecords", "ForgetUser"]

  /// Whether a call was answered, if only by saying that a later release builds the method.
  private func isAnswered(_ reply: Finished) -> Bool {
    reply.ending == .exit(0) || reply.errors.contains("MethodNotImplemented")
  }

  @Test("every method answers a valid call")
  func everyMethod() {
    var sync = "", revision = ""
    for (method, parameters) in Self.calls {
      let reply = call(
        method,
        parameters.replacing("SYNC", with: sync).replacing("REVISION", with: revision)
      )
      #expect(isAnswered(reply), "\(method): \(reply.errors)")
      if method == "Save" { revision = value("revision", in: reply) }
      if method == "BeginSync" { sync = value("sync", in: reply) }
    }
    let forgotten = call("ForgetUser", #"{"uid":61006}"#, as: nil)
    #expect(isAnswered(forgotten), "\(forgotten.errors)")
    let declared = RestoredInterface.text.matches(of: /\nmethod ([A-Za-z]+)\(/).map { String($0.1) }
    #expect(Set(declared) == Set(Self.calls.map(\.method) + Self.others))
  }

  @Test("streams are read with --more, and refused without")
  func streams() {
    #expect(isAnswered(call("ExportRecords", "{}", options: ["--more"])))
    for method in ["ExportRecords", "Watch"] {
      let once = call(method, "{}")
      #expect(once.errors.contains("ExpectedMore") || once.errors.contains("MethodNotImplemented"), "\(once.errors)")
    }
    // A watch has no end: it is left once something has come.
    let script = """
      varlinkctl --json=short --more call \(Self.socket) io.restored.Watch '{}' >/tmp/watched 2>&1 &
      until [ -s /tmp/watched ]; do sleep 0.05; done
      kill $!
      cat /tmp/watched
      """
    let watched = machine.run(["sh", "-c", script], as: .ann)
    #expect(watched.text.contains(#""ready""#) || watched.text.contains("MethodNotImplemented"), "\(watched.text)")
  }

  @Test("an error comes with its name and its parameters")
  func errors() {
    let absent = call("Restore", #"{"app":"v","scene":"none"}"#)
    #expect(absent.ending != .exit(0) && absent.errors.contains("io.restored.SceneNotFound"), "\(absent.errors)")
    let wrong = call("Restore", #"{"app":"v","scene":7}"#)
    #expect(wrong.errors.contains("InvalidParameter"), "\(wrong.errors)")
    let unknown = call("Nothing", "{}")
    #expect(unknown.errors.contains("MethodNotFound"), "\(unknown.errors)")
  }

  @Test("a daemon that it starts itself, with a socket that is connected already, answers and ends with it")
  func exec() {
    let command = ["varlinkctl", "--json=short", "call", "exec:/usr/libexec/restored", "io.restored.GetStatus", "{}"]
    let reply = machine.run(["env", "RESTORED_STATE_DIR=/tmp/exec-state"] + command)
    #expect(reply.ending == .exit(0) && reply.text.contains(#""health":"ok""#), "\(reply.errors)")
    // It has closed its database: nobody else's lock is in the way of the next.
    let again = machine.run(["env", "RESTORED_STATE_DIR=/tmp/exec-state"] + command)
    #expect(again.ending == .exit(0), "\(again.errors)")
  }
}
