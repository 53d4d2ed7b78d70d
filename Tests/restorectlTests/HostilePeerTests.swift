import TestSupport
import Testing

@testable import restorectl

/// What restorectl makes of a peer that is no daemon, or a broken one.
@Suite struct HostilePeerTests {
  private static let save = ["save"]
  private static let state = #"{"stacks":{"a":["home"]}}"#

  @Test(
    "a reply that breaks the interface is exit 70, and names the socket",
    arguments: [
      "", "x", "{", "[]", "null", #"{"parameters":[]}"#, #"{"parameters":{}}"#, #"{"parameters":{"revision":"5"}}"#,
      #"{"parameters":{"revision":5}}"#, #"{"parameters":{"revision":1.5,"savedAt":"x","changed":true}}"#,
      #"{"parameters":{"revision":5,"savedAt":"x","changed":true}"#, #"{"error":5}"#, #"{"error":""}"#,
      #"{"error":"io.restored.Unheard","parameters":{}}"#, #"{"error":"io.restored.SceneNotFound"}"#,
      #"{"parameters":{"revision":5,"savedAt":"x","changed":true,"more":[}]}}"#,
      #"{"parameters":{"revision":5,"revision":6,"savedAt":"x","changed":true}}"#,
    ]
  )
  func broken(_ reply: String) throws {
    let peer = try ScriptedPeer(replies: [reply])
    let result = Tool.run(Self.save, socket: peer.path, input: Self.state)
    #expect(result.exit == 70, "\(result.error)")
    #expect(result.bytes.isEmpty)
    #expect(result.error.hasPrefix("restorectl: ") && result.error.contains(peer.path))
  }

  @Test("a state that is no JSON inside is exit 70, and nothing of it is printed")
  func brokenState() throws {
    let peer = try ScriptedPeer(replies: [
      #"{"parameters":{"state":{"a":tru},"revision":5,"newest":5,"savedAt":"","dropped":[],"emptied":[],"unverified":[]}}"#
    ])
    let result = Tool.run(["restore"], socket: peer.path)
    #expect(result.exit == 70)
    #expect(result.bytes.isEmpty)
  }

  @Test("a reply with members that are not known yet is taken")
  func newer() throws {
    let peer = try ScriptedPeer(replies: [
      #"{"future":1,"parameters":{"revision":5,"savedAt":"x","changed":true,"future":{"a":[1]}}}"#
    ])
    let result = Tool.run(Self.save, socket: peer.path, input: Self.state)
    #expect(result.exit == 0)
    #expect(result.text == "revision 5\n")
  }

  @Test("a peer that closes instead of replying is exit 69, and says that the outcome is unknown")
  func closes() throws {
    let peer = try ScriptedPeer { connection in _ = connection.nextCall() }
    let result = Tool.run(Self.save, socket: peer.path, input: Self.state)
    #expect(result.exit == 69)
    #expect(result.error.contains(peer.path) && result.error.contains("unknown"))
  }

  @Test("a peer that closes half-way through a reply is no reply")
  func closesHalfWay() throws {
    let peer = try ScriptedPeer { connection in
      _ = connection.nextCall()
      connection.send(Array(#"{"parameters":{"revision":5,"#.utf8))
    }
    #expect(Tool.run(Self.save, socket: peer.path, input: Self.state).exit == 69)
  }

  @Test("a peer that does not reply is exit 75 after the timeout")
  func hangs() throws {
    let peer = try ScriptedPeer { connection in while connection.nextCall() != nil {} }
    let result = Tool.run(["save", "--timeout", "0.2"], socket: peer.path, input: Self.state)
    #expect(result.exit == 75)
    #expect(result.error.contains("timed out") && result.error.contains("0.2 s"))
  }

  @Test("a reply without an end is given up at its limit")
  func endless() throws {
    let peer = try ScriptedPeer { connection in
      _ = connection.nextCall()
      let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
      for _ in 0..<70 { connection.send(piece) }
    }
    let result = Tool.run(Self.save, socket: peer.path, input: Self.state)
    #expect(result.exit == 70)
  }

  @Test(
    "after a time-out, what may have been done is looked at by a command that shows it, and what is read is asked again",
    arguments: [
      (["status"], "nothing was changed; try again, or wait longer"), (["restore"], "nothing was changed; "),
      (["entities", "list", "card"], "nothing was changed; "), (["restore", "--launch"], "history --app a;"),
      (["save"], "history --app a;"), (["entities", "put", "card", "c1"], "entities kinds --app a;"),
      (["routes", "set", "-"], "routes show --app a;"), (["forget"], "scenes --app a, and with --closed;"),
      (["import"], "scenes --all-apps;"),
    ]
  )
  func looks(_ words: [String], _ remedy: String) throws {
    let peer = try ScriptedPeer { connection in while connection.nextCall() != nil {} }
    let takesApp = words != ["status"]
    let input = words == ["import"] ? #"{"type":"routes","app":"a","table":{}}"# : Self.state
    let options = ["--timeout", "0.05"] + (takesApp ? ["--app", "a"] : [])
    let result = Tool.run(words + options, socket: peer.path, input: input)
    #expect(result.exit == 75)
    #expect(result.error.contains(remedy), "\(result.error)")
  }

  @Test("a path without a socket, a file that is none, and a socket that nobody listens at are exit 69")
  func nobody() throws {
    let peer = try ScriptedPeer(replies: [])
    for path in [peer.path + "-not", "/nowhere/at/all"] {
      let result = Tool.run(["status", "--socket", path])
      #expect(result.exit == 69)
      #expect(result.error.contains(path) && result.error.contains("start one with: restored --socket"))
    }
    for path in ["/etc/passwd", "/etc"] {
      let result = Tool.run(["status", "--socket", path])
      #expect(result.exit == 69)
      #expect(result.error.contains("no daemon at \(path): it is no socket") && !result.error.contains("start one"))
    }
    #expect(Tool.run(["status", "--socket", String(repeating: "x", count: 200)]).exit == 64)
  }

  @Test("an error of the daemon is a sentence on stderr, and with --json also itself on stdout")
  func errors() throws {
    let error = #"{"error":"io.restored.SceneNotFound","parameters":{"app":"a","scene":"s\u001b[2J"}}"#
    let peer = try ScriptedPeer { connection in
      while connection.nextCall() != nil { connection.reply(error) }
    }
    let plain = Tool.run(["restore"], socket: peer.path)
    #expect(plain.exit == 66)
    #expect(plain.bytes.isEmpty)
    #expect(plain.error.contains(#"no scene "s\u001b[2J" of app "a""#) && plain.error.contains(peer.path))
    let json = Tool.run(["restore", "--json"], socket: peer.path)
    #expect(json.exit == 66)
    #expect(json.text == error + "\n")
    #expect(!json.error.isEmpty)
  }

  @Test("every command that asks a daemon answers one that has nothing of it with exit 69, and none crashes")
  func notImplemented() throws {
    let peer = try ScriptedPeer { connection in
      while connection.nextCall() != nil {
        connection.reply(#"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"x"}}"#)
      }
    }
    for verb in Verb.allCases where verb != .completions && verb != .routesCheck {
      var words = verb.rawValue.split(separator: " ").map(String.init)
      for operand in verb.command.operands where operand.count == .one {
        words.append(operand.name == "UID" ? "7" : "-")
      }
      let result = Tool.run(words, socket: peer.path, input: Self.state)
      #expect(result.exit == 69, "\(verb): \(result.error)")
      #expect(result.error.hasPrefix("restorectl: "))
    }
  }
}
