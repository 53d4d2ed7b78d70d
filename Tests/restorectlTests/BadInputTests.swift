import TestSupport
import Testing

@testable import restorectl

/// Inputs that broke other programs of this sort, against the real daemon.
@Suite struct BadInputTests {
  private let daemon = DaemonProcess()
  private static let good = #"{"stacks":{"a":["home"]}}"#

  private func run(_ arguments: String..., input: String = "") -> Tool.Result {
    Tool.run(arguments, socket: daemon.socket, input: input)
  }

  @Test("what is no state, and what is empty, is exit 65 and leaves what was saved as it was")
  func noState() {
    _ = run("save", input: Self.good)
    let inputs = [
      "", " \n\t", "\"\"", "null", "[]", "{\"stacks\":{\"a\":[", "{}}", "{} {}", "{}\u{0}", "{}",
      #"{"selectedTab":null,"stacks":{}}"#, #"{"stacks":{"a":["home"]}},"ifRevision":0"#, #"{"stack":{}}"#,
      #"{"stacks":{"a":5}}"#, #"{"stacks":{"a":[{"board":{"id":"good","id":"evil"}}]}}"#,
      #"{"stacks":{"a":["\ud800"]}}"#,
    ]
    for input in inputs {
      let result = run("save", input: input)
      #expect(result.exit == 65, "\(input): \(result.error)")
      #expect(result.error.hasPrefix("restorectl: "))
    }
    #expect(run("restore", "--json").text.contains(#""revision":1,"newest":1,"#))
    #expect(run("restore").text == Self.good + "\n")
  }

  @Test("an empty sync and a sync of what is no list leave the ids as they were")
  func noList() {
    _ = run("entities", "put", "card", "c1")
    #expect(run("entities", "sync", "card").exit == 65)
    #expect(run("entities", "sync", "card", input: "c2\n\u{1}\n").exit == 65)
    #expect(run("entities", "list", "card").text.hasPrefix("c1\n"))
    #expect(run("entities", "sync", "card", "--allow-empty").text.hasSuffix("now 0\n"))
  }

  @Test("what is over a limit is refused with the limit and its size")
  func limits() {
    let large = #"{"values":{"a":"\#(String(repeating: "x", count: 7_000_000))"}}"#
    let state = run("save", "--json", input: large)
    #expect(state.exit == 65)
    #expect(
      state.text == #"{"error":"io.restored.LimitExceeded","parameters":"#
        + #"{"limit":"state","maximum":1048576,"actual":\#(large.utf8.count)}}"# + "\n"
    )
    let routes = #"{"stacks":{"a":[\#(Array(repeating: "1", count: 200_000).joined(separator: ","))]}}"#
    let many = run("save", "--json", input: routes)
    #expect(many.exit == 65)
    #expect(many.text.contains(#"{"limit":"routes","maximum":4096,"actual":200000}"#))
    let id = run("entities", "put", "card", "c1", String(repeating: "x", count: 5000))
    #expect(id.exit == 65)
    #expect(id.error.contains("over a limit: id has 5000 bytes, at most 4096"))
    #expect(run("save", input: routes).error.contains("over a limit: 200000 routes, at most 4096"))
    #expect(id.error.contains("5000") && id.error.contains("4096") && id.error.contains("see the id \"xxx"))
    #expect(run("restore").exit == 66)
  }

  @Test("an unknown scene is exit 66 and names the socket; one whose routes are all stale is an empty stack")
  func stale() {
    let missing = run("restore", "--scene", "nope")
    #expect(missing.exit == 66)
    #expect(missing.error.contains("\"nope\"") && missing.error.contains(daemon.socket))
    _ = run("entities", "put", "card")
    _ = run("save", input: #"{"stacks":{"a":[{"card":{"id":"c1"}}]},"selectedTab":"a"}"#)
    let all = run("restore")
    #expect(all.exit == 0)
    #expect(all.text == #"{"stacks":{"a":[]},"selectedTab":"a"}"# + "\n")
    #expect(all.error == "restorectl: dropped /stacks/a/0: card: no entity card \"c1\"\n")
  }

  @Test("control characters are refused in names and ids, and never printed raw")
  func control() {
    #expect(run("save", "--scene", "a\u{1B}[2J", input: Self.good).exit == 65)
    #expect(run("save", "--app", "a\u{9B}31m", input: Self.good).exit == 65)
    #expect(run("entities", "put", "card", "a\u{7}").exit == 65)
    #expect(run("entities", "put", "ca\nrd", "a").exit == 65)
    _ = run("entities", "put", "card")
    let state = "{\"stacks\":{\"a\":[{\"card\":{\"id\":\"\\u001b]0;x\\u0007\u{9B}31m\"}}]},\"selectedTab\":\"a\"}"
    #expect(run("save", input: state).exit == 0)
    for words in ["scenes", "show", "history", "restore --stale keep", "restore --json"] {
      let result = Tool.runOnTerminal(words, socket: daemon.socket)
      #expect(result.exit == 0)
      let raw = (result.text + result.error).unicodeScalars.filter { Shown.isUnsafe($0) && $0 != "\n" }
      // Colours are restorectl's own.
      #expect(raw.allSatisfy { $0 == "\u{1B}" } && !(result.text + result.error).contains("\u{1B}]"))
    }
    #expect(Tool.runOnTerminal("show --no-color", socket: daemon.socket).text.contains("\\u009b31m"))
  }

  @Test("a variable that cannot be read is refused, and nothing is saved elsewhere", arguments: ["APP", "SCENE"])
  func unreadableVariable(name: String) {
    let line = "export RESTORECTL_\(name)=$'caf\\xe9'; echo '\(Self.good)' | restorectl save"
    let result = Tool.shell(line, socket: daemon.socket)
    #expect(result.exit == 64 && result.error.contains("RESTORECTL_\(name) is no UTF-8"))
    #expect(run("scenes", "--all-apps", "--json").text.contains("scene\":") == false)
  }

  @Test("ids that only look alike are two, and text of every script is kept byte for byte")
  func scripts() {
    _ = run("entities", "put", "card", "\u{E9}", "a\u{200D}b", "שלום", "𝔘")
    let state =
      "{\"stacks\":{\"a\":[{\"card\":{\"id\":\"e\u{301}\"}},{\"card\":{\"id\":\"é\"}},{\"card\":{\"id\":\"a\u{200D}b\"}},"
      + "{\"card\":{\"id\":\"שלום\"}},{\"card\":{\"id\":\"𝔘\"}}]}}"
    _ = run("save", input: state)
    let result = run("restore")
    let expected = state.utf8.split(separator: UInt8(ascii: ","), maxSplits: 1)
    #expect(result.bytes == Array("{\"stacks\":{\"a\":[".utf8) + Array(expected[1]) + [UInt8(ascii: "\n")])
    #expect(result.error.contains("dropped /stacks/a/0"))
  }
}
