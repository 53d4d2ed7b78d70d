import JSONText
import TestSupport
import Testing

@testable import restorectl

/// Where words go, and what is in them.
@Suite struct OutputTests {
  private static func restored(_ state: String, dropped: String = "[]") -> String {
    #"{"parameters":{"revision":5,"newest":6,"state":"# + state
      + #","savedAt":"2026-01-01T00:00:00.000Z","dropped":"# + dropped + #","emptied":[],"unverified":[]}}"#
  }

  @Test("restore prints the state's bytes and a line break, whatever is in them")
  func bytes() throws {
    let state = "{ \"a\" :\t1.0e5,\n\"\\u00e9\\/\":\"\u{7F}\u{9B}é\",\"n\":9007199254740993 }"
    let peer = try ScriptedPeer(replies: [Self.restored(state)])
    let result = Tool.run(["restore"], socket: peer.path)
    #expect(result.exit == 0)
    #expect(result.text == state + "\n")
    #expect(result.error == "")
  }

  @Test("on a terminal, no control character is printed raw")
  func terminal() throws {
    let state = "{\"a\":\"\u{7F}\u{9B}31m\u{202E}é日\"}"
    let peer = try ScriptedPeer(replies: [Self.restored(state)])
    let result = Tool.runOnTerminal("restore", socket: peer.path)
    #expect(result.text == "{\"a\":\"\\u007f\\u009b31m\\u202eé日\"}\n")
  }

  @Test("each dropped part is a line on stderr")
  func dropped() throws {
    let dropped = """
      [{"path":"/stacks/boards/1","reason":"entityMissing","route":"card","kind":"card","id":"c1"},\
      {"path":"/stacks/a~1b/0","reason":"unknownRoute","route":"old\\u001b"},\
      {"path":"/modals/sheet","reason":"malformedRoute"},\
      {"path":"/stacks/boards/2","reason":"aboveDropped","route":"x"},{"path":"/stacks/t","reason":"unknownTab"}]
      """
    let peer = try ScriptedPeer { connection in
      while connection.nextCall() != nil { connection.reply(Self.restored("{\"stacks\":{}}", dropped: dropped)) }
    }
    let result = Tool.run(["restore", "--exit-code"], socket: peer.path)
    #expect(result.exit == 1)
    #expect(result.text == "{\"stacks\":{}}\n")
    #expect(
      result.error == """
        restorectl: dropped /stacks/boards/1: card: no entity card "c1"
        restorectl: dropped /stacks/a~1b/0: old\\u001b: the route table has no such route
        restorectl: dropped /modals/sheet: not readable as a route
        restorectl: dropped /stacks/boards/2: x: it stood above a dropped route
        restorectl: dropped /stacks/t: the route table has no such tab

        """
    )
    #expect(Tool.run(["restore", "--quiet"], socket: peer.path).error == "")
    #expect(Tool.run(["restore"], socket: peer.path).exit == 0)
  }

  @Test("--json is the reply's parameters in one line, nothing else changed")
  func json() throws {
    let state = "{ \"a\" :\r\n 1.0 , \"b\\n\":\t[ ] }"
    let peer = try ScriptedPeer(replies: [Self.restored(state)])
    let result = Tool.run(["restore", "--json"], socket: peer.path)
    #expect(
      result.text == #"{"revision":5,"newest":6,"state":{ "a" : 1.0 , "b\n":"# + "\t[ ] }"
        + #","savedAt":"2026-01-01T00:00:00.000Z","dropped":[],"emptied":[],"unverified":[]}"# + "\n"
    )
  }

  @Test(
    "with --json, an error that restorectl itself finds is printed as one of the daemon's is, beside the words",
    arguments: [
      (["restore", "--json"], "NoDaemon", 69), (["save", "--json"], "WrongInput", 65),
      (["save", "--json", "/nowhere/state"], "NotFound", 66), (["svae", "--json"], "WrongUsage", 64),
      (["restore", "--json", "--timeout", "0"], "WrongUsage", 64), (["--json"], "WrongUsage", 64),
      (["completions", "csh", "--json"], "WrongUsage", 64),
      (["entities", "sync", "card", "--json"], "WrongInput", 65),
    ]
  )
  func ownErrors(_ arguments: [String], _ name: String, _ exit: Int32) throws {
    let result = Tool.run(arguments, socket: "/nowhere/io.restored")
    #expect(result.exit == exit)
    #expect(result.bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    let json = try JSONDocument(Array(result.bytes.dropLast()))
    func member(_ name: StaticString, of value: Int) throws -> Int { try #require(json.member(value, name)) }
    #expect(try json.string(member("error", of: json.root)) == "restorectl.\(name)")
    let parameters = try member("parameters", of: json.root)
    let lines = result.error.split(separator: "\n")
    #expect(try lines.first == "restorectl: \(json.string(member("reason", of: parameters)))")
    #expect(try lines.last == "restorectl: \(json.string(member("remedy", of: parameters)))")
  }

  @Test("an operand that is --json asks for nothing, and a reader that has gone is told nothing")
  func noJSON() {
    #expect(Tool.run(["save", "a", "--", "--json"]).text.isEmpty)
    #expect(Tool.run(["svae"]).text.isEmpty)
  }

  @Test("--state has the state's bytes alone in FILE, and the rest on stdout")
  func stateFile() throws {
    let folder = TemporaryFolder()
    folder.write("old".utf8, to: "f")
    let peer = try ScriptedPeer(replies: [Self.restored("{ }")])
    let result = Tool.run(["restore", "--state", folder.file("f")], socket: peer.path)
    #expect(result.exit == 0)
    #expect(folder.read("f") == Array("{ }".utf8))
    #expect(
      result.text == #"{"revision":5,"newest":6,"savedAt":"2026-01-01T00:00:00.000Z","#
        + #""dropped":[],"emptied":[],"unverified":[]}"# + "\n"
    )
  }

  @Test("a launch whose FILE cannot be written is not counted: nothing is sent")
  func stateFileUnwritable() throws {
    let peer = try ScriptedPeer(replies: [])
    let result = Tool.run(["restore", "--launch", "--state", "/nowhere/f"], socket: peer.path)
    #expect(result.exit == 74)
    #expect(Tool.run(["restore", "--launch", "--state", "-"], socket: peer.path).exit == 64)
    #expect(peer.calls.isEmpty)
  }

  @Test("a launch that the guard answered says what is quarantined, and is exit 2 with --exit-code")
  func guarded() throws {
    let launched =
      #"{"parameters":{"state":{"stacks":{}},"revision":3,"newest":6,"savedAt":"2026-01-01T00:00:00.000Z","#
      + #""dropped":[{"path":"/stacks/a/0","reason":"malformedRoute"}],"emptied":[],"unverified":[],"#
      + #""outcome":"fallback","unconfirmedLaunches":1,"quarantined":[5,6]}}"#
    let peer = try ScriptedPeer { connection in while connection.nextCall() != nil { connection.reply(launched) } }
    let result = Tool.run(["restore", "--launch", "--exit-code", "--scene", "w"], socket: peer.path)
    #expect(result.exit == 2)
    #expect(result.error.contains("quarantined revisions 5, 6"))
    #expect(result.error.contains("restorectl restore --app default --scene w --revision 6"))
    #expect(result.error.contains("restorectl rollback --app default --scene w --revision 6"))
    #expect(Tool.run(["restore", "--launch"], socket: peer.path).exit == 0)
  }

  @Test("show tells references by the app's route table, also those of a route inside another")
  func showByTable() throws {
    let state = #"{"stacks":{"a":[{"card":{"id":"p1","ownerID":"x"}},{"pay":{"_0":{"card":{"id":"p2"}},"n":1}}]}}"#
    let table = #"{"routes":{"card":{"entities":{"id":"project"}},"pay":{"routes":["_0"]}}}"#
    let kinds = #"[{"kind":"project","count":2,"syncing":false},{"kind":"card","count":0,"syncing":false}]"#
    let peer = try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        if call.contains("GetRoutes") {
          connection.reply(#"{"parameters":{"table":\#(table)}}"#)
        } else if call.contains("ListKinds") {
          connection.reply(#"{"parameters":{"kinds":\#(kinds)}}"#)
        } else {
          connection.reply(Self.restored(state))
        }
      }
    }
    let lines = Tool.run(["show"], socket: peer.path).text.split(separator: "\n").dropFirst()
    #expect(
      lines == [
        "a", #"├─ card: id "p1" (present), ownerID "x""#,
        #"└─ pay: {"card":{"id":"p2"}}, n 1, project "p2" (present)"#, "2 routes; references: 2 present",
      ]
    )
  }

  @Test("a full disk under stdout, and a closed one, are exit 74")
  func full() throws {
    let peer = try ScriptedPeer { connection in
      while connection.nextCall() != nil { connection.reply(Self.restored("{}")) }
    }
    for redirection in [">/dev/full", ">&-"] {
      let result = Tool.shell("restorectl restore \(redirection)", socket: peer.path)
      #expect(result.exit == 74, "\(redirection)")
      #expect(result.error.contains("standard output"))
    }
  }

  @Test("a reader that has gone ends the command without a word")
  func gone() throws {
    // More than a pipe holds, so that the writer is still at it.
    let state = "{\"a\":\"" + String(repeating: "x", count: 300_000) + "\"}"
    let peer = try ScriptedPeer(replies: [Self.restored(state)])
    let result = Tool.shell("restorectl restore | true; exit ${PIPESTATUS[0]}", socket: peer.path)
    #expect(result.exit == 141)
    #expect(result.error == "")
  }

  @Test("the calls are those of the interface, with what was asked and nothing else")
  func calls() throws {
    let peer = try ScriptedPeer { connection in while connection.nextCall() != nil { connection.reply("{}") } }
    let variables = ["RESTORECTL_SCENE": "s", "RESTORECTL_APP": "a"]
    _ = Tool.run(["restore"], socket: peer.path)
    _ = Tool.run(["restore", "--revision=3", "--stale=keep", "--expired"], socket: peer.path, environment: variables)
    _ = Tool.run(["scenes", "--all-apps", "--closed"], socket: peer.path, environment: variables)
    _ = Tool.run(["reopen"], socket: peer.path)
    _ = Tool.run(
      ["save", "--if-revision=0", "--autosave"],
      socket: peer.path,
      input: " \n{ \"stacks\":{\"a\":[1]} }\n\n"
    )
    #expect(
      peer.calls == [
        #"{"method":"io.restored.Restore","parameters":{"app":"default","scene":"main"}}"#,
        #"{"method":"io.restored.Restore","parameters":"#
          + #"{"app":"a","scene":"s","revision":3,"stale":"keep","expired":true}}"#,
        #"{"method":"io.restored.ListScenes","parameters":{"closed":true}}"#,
        #"{"method":"io.restored.ReopenScene","parameters":{"app":"default"}}"#,
        #"{"method":"io.restored.Save","parameters":{"app":"default","scene":"main","#
          + #""state":{ "stacks":{"a":[1]} },"ifRevision":0,"autosave":true}}"#,
      ]
    )
  }
}
