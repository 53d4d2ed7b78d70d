import Glibc
import TestSupport
import Testing

@testable import restorectl

/// What is refused before anything is sent.
@Suite struct InputTests {
  @Test(
    "what is not exactly one JSON object is exit 65 with line and column, and nothing is sent",
    arguments: [
      ("", "line 1, column 1"), (" \n ", "line 2, column 2"), ("\"\"", "line 1, column 1"),
      ("null", "line 1, column 1"),
      ("[]", "line 1, column 1"), ("{}}", "line 1, column 3"), ("{} {}", "line 1, column 4"),
      ("{}\u{0}", "line 1, column 3"), ("{\"stacks\":{\n\"é\":[", "line 2, column 6"),
      ("{\"a\":\n \"\u{1}\"}", "line 2, column 3"), ("{},\"oneway\":true", "line 1, column 3"),
    ]
  )
  func notOne(_ input: String, _ place: String) throws {
    let peer = try ScriptedPeer(replies: [])
    for command in ["save", "check"] {
      let result = Tool.run(
        [command, "--allow-empty"].filter { command == "save" || $0 == command },
        socket: peer.path,
        input: input
      )
      #expect(result.exit == 65)
      #expect(result.error.contains("standard input: \(place): "), "\(result.error)")
      #expect(result.bytes.isEmpty)
    }
    #expect(peer.calls.isEmpty)
  }

  @Test(
    "a state that names nothing is refused without --allow-empty",
    arguments: [#"{"selectedTab":null,"stacks":{}}"#, #"{"stacks":{}}"#, #"{"values":{}}"#]
  )
  func namesNothing(_ state: String) throws {
    let peer = try ScriptedPeer(replies: [#"{"parameters":{"revision":1,"savedAt":"","changed":true}}"#])
    let refused = Tool.run(["save"], socket: peer.path, input: state)
    #expect(refused.exit == 65)
    #expect(refused.error.contains("--allow-empty"))
    #expect(peer.calls.isEmpty)
    #expect(Tool.run(["save", "--allow-empty"], socket: peer.path, input: state).text == "revision 1\n")
  }

  @Test(
    "tabs that all stand at their roots are a state to be saved",
    arguments: [#"{"stacks":{"a":[],"b":[]},"selectedTab":"a"}"#, #"{"stacks":[0,[]]}"#, #"{"selectedTab":"a"}"#]
  )
  func atRoots(_ state: String) throws {
    let peer = try ScriptedPeer(replies: [#"{"parameters":{"revision":1,"savedAt":"","changed":true}}"#])
    #expect(Tool.run(["save"], socket: peer.path, input: state).text == "revision 1\n")
  }

  @Test("a file that cannot be read is exit 66 and named")
  func unreadable() {
    for path in ["/nowhere/state", "/"] {
      let result = Tool.run(["save", path], socket: "/nowhere/s")
      #expect(result.exit == 66)
      #expect(result.error.contains("cannot read \(path)"))
    }
  }

  @Test(
    "input that no message can hold is given up at once, in bounded memory",
    .enabled(if: getenv("RESTORED_SANITIZER") == nil, "cannot here: a sanitizer needs terabytes of address space")
  )
  func huge() throws {
    let peer = try ScriptedPeer(replies: [])
    let result = Tool.shell("ulimit -v 800000; yes | restorectl save", socket: peer.path)
    #expect(result.exit == 65)
    #expect(peer.calls.isEmpty)
  }

  @Test("arguments that are no UTF-8 are refused: they would name something else")
  func notUTF8() {
    #expect(Tool.shell("restorectl save --scene $'\\xff'", socket: "/nowhere/s").exit == 64)
  }

  @Test("a sync of no ids is refused without --allow-empty", arguments: ["", "\n\n", "\r\n"])
  func emptySync(_ input: String) throws {
    let peer = try ScriptedPeer(replies: [
      #"{"parameters":{"sync":"x"}}"#, #"{"parameters":{"added":0,"deleted":4,"count":0}}"#,
    ])
    let refused = Tool.run(["entities", "sync", "card"], socket: peer.path, input: input)
    #expect(refused.exit == 65)
    #expect(peer.calls.isEmpty)
    let done = Tool.run(["entities", "sync", "card", "--allow-empty"], socket: peer.path, input: input)
    #expect(done.text == "added 0, deleted 4, now 0\n")
  }
}
