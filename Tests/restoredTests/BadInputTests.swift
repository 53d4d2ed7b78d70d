import CLinux
import Glibc
import JSONText
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("Bad input gets the error that names it, saves nothing, and keeps the connection")
struct BadInputTests {
  private let daemon = DaemonProcess()

  /// The error's name without its interface, and its parameters.
  private func error(_ client: VarlinkClient, _ method: String, _ parameters: String) throws -> String {
    let reply = try client.call(method.contains(".") ? method : "io.restored.\(method)", parameters.utf8)
    let name = reply.error?.split(separator: ".").last.map(String.init) ?? "none"
    return "\(name) \(String(decoding: reply.parameters, as: UTF8.self))"
  }

  private func save(_ state: String) -> String { #"{"app":"a","scene":"main","state":\#(state)}"# }

  private func expectNothingSaved(_ client: VarlinkClient) throws {
    #expect(try client.call(ListScenes.self, ListScenes.Parameters()).scenes.isEmpty)
    let status = try client.call(GetStatus.self, GetStatus.Parameters())
    #expect(status.revision == 0 && status.saves == 0)
  }

  /// Calls with one mistake each, and the error that names it.
  private static let mistakes: [(method: String, parameters: String, error: String)] = [
    ("Save", #"{"scene":"main","state":{"stacks":{}}}"#, #"InvalidParameter {"parameter":"app"}"#),
    ("Save", #"{"app":null,"scene":"main","state":{"stacks":{}}}"#, #"InvalidParameter {"parameter":"app"}"#),
    ("Save", #"{"app":"a","scene":7,"state":{"stacks":{}}}"#, #"InvalidParameter {"parameter":"scene"}"#),
    ("Save", #"{"app":"","scene":"main","state":{"stacks":{}}}"#, #"InvalidParameter {"parameter":"app"}"#),
    ("Save", #"{"app":"a","scene":"m\u001b","state":{"stacks":{}}}"#, #"InvalidParameter {"parameter":"scene"}"#),
    ("Save", #"{"app":"a","scene":"m\u0085","state":{"stacks":{}}}"#, #"InvalidParameter {"parameter":"scene"}"#),
    ("Save", #"{"app":"a","scene":"main","state":"{}"}"#, #"InvalidParameter {"parameter":"state"}"#),
    ("Save", #"{"app":"a","scene":"main","state":[]}"#, #"InvalidParameter {"parameter":"state"}"#),
    ("Save", #"{"app":"a","scene":"main"}"#, #"InvalidParameter {"parameter":"state"}"#),
    (
      "Save", #"{"app":"a","scene":"main","state":{"stacks":{}},"auto":true}"#,
      #"InvalidParameter {"parameter":"auto"}"#
    ),
    (
      "Save", #"{"app":"a","scene":"main","state":{"stacks":{}},"ifRevision":-1}"#,
      #"InvalidParameter {"parameter":"ifRevision"}"#
    ),
    (
      "Save", #"{"app":"\#(String(repeating: "n", count: 256))","scene":"m","state":{"stacks":{}}}"#,
      #"LimitExceeded {"limit":"app","maximum":255,"actual":256}"#
    ),
    ("Restore", #"{"app":"a","scene":"m","stale":"burn"}"#, #"InvalidParameter {"parameter":"stale"}"#),
    ("ListEntities", #"{"app":"a","kind":"k","limit":0}"#, #"InvalidParameter {"parameter":"limit"}"#),
    ("PutEntities", #"{"app":"a","kind":"k","ids":[1]}"#, #"InvalidParameter {"parameter":"ids"}"#),
    ("PutEntities", #"{"app":"a","kind":"k","ids":[""]}"#, #"InvalidParameter {"parameter":"ids"}"#),
    ("PutEntities", #"{"app":"a","kind":"k","ids":["\u009f"]}"#, #"InvalidParameter {"parameter":"ids"}"#),
    (
      "Forget\u{212A}ind", #"{"app":"a","kind":"k"}"#, "MethodNotFound {\"method\":\"io.restored.Forget\u{212A}ind\"}"
    ),
    (
      "PutEntities", #"{"app":"a","kind":"k","ids":[],"version":"\#(String(repeating: "v", count: 4_097))"}"#,
      #"LimitExceeded {"limit":"version","maximum":4096,"actual":4097}"#
    ),
    (
      "EndSync", #"{"app":"a","sync":"\#(String(repeating: "s", count: 4_097))"}"#,
      #"LimitExceeded {"limit":"sync","maximum":4096,"actual":4097}"#
    ),
    ("Confirm", #"{"app":"a","scene":"m"}"#, #"SceneNotFound {"app":"a","scene":"m"}"#),
    ("Rollback", #"{"app":"a","scene":"m","revision":1}"#, #"SceneNotFound {"app":"a","scene":"m"}"#),
    ("EndSync", #"{"app":"a","sync":"s"}"#, #"SyncNotFound {"sync":"s"}"#),
    ("Nonsense", "{}", #"MethodNotFound {"method":"io.restored.Nonsense"}"#),
    ("org.example.Ping", "{}", #"InterfaceNotFound {"interface":"org.example"}"#),
  ]

  @Test("a parameter that is missing, mistyped, unknown or against the rule for names is named")
  func parameters() throws {
    let client = try daemon.client()
    for mistake in Self.mistakes {
      let found = try error(client, mistake.method, mistake.parameters)
      #expect(found == mistake.error, "\(mistake.method) \(mistake.parameters.prefix(200))")
    }
    try expectNothingSaved(client)
  }

  @Test("a state that breaks a rule is refused with the pointer to the place")
  func states() throws {
    let client = try daemon.client()
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    for (state, expected) in [
      ("{}", #"InvalidState {"path":"""#), (#"{"stacks":[1]}"#, "InvalidState"),
      (#"{"selectedtab":"x"}"#, #"InvalidState {"path":"/selectedtab","#),
      (#"{"stacks":{"a":[{"b":{"id":1,"id":2}}]}}"#, #"InvalidState {"path":"/stacks/a/0/b/id","#),
      (#"{"values":{"x":"\u0000"}}"#, #"InvalidState {"path":"/values/x","#),
      (#"{"values":{"x":"\ud800"}}"#, #"InvalidState {"path":"/values/x","#),
      (#"{"values":{"x":NaN}}"#, #"InvalidState {"path":"/values/x","#),
      (#"{"values":{"x":\#(deep)}}"#, "InvalidState"), (#"{"values":{"x":01}}"#, #"InvalidState {"path":"/values/x","#),
      (#"{"routes":[]}"#, "InvalidState"),
    ] {
      let found = try error(client, "Save", save(state))
      #expect(found.hasPrefix(expected), "\(state.prefix(60)) gave \(found.prefix(200))")
    }
    try expectNothingSaved(client)
  }

  @Test("invalid UTF-8 in a state is the state's fault, not the connection's")
  func invalidUTF8() throws {
    let client = try daemon.client()
    let bytes = Array(#"{"app":"a","scene":"m","state":{"values":{"x":""#.utf8) + [0xC3, 0x28] + Array(#""}}}"#.utf8)
    let reply = try client.call(Save.fullName, bytes)
    #expect(reply.error == "io.restored.InvalidState")
    try expectNothingSaved(client)
  }

  @Test("beyond a limit the reply names the limit, its value and the size")
  func limits() throws {
    let client = try daemon.client()
    let large = #"{"values":{"x":"\#(String(repeating: "x", count: 7 << 20))"}}"#
    #expect(
      try error(client, "Save", save(large))
        == #"LimitExceeded {"limit":"state","maximum":1048576,"actual":\#(large.utf8.count)}"#
    )
    let routes = #"{"stacks":{"a":[\#(String(repeating: "1,", count: 4_096))1]}}"#
    #expect(
      try error(client, "Save", save(routes)) == #"LimitExceeded {"limit":"routes","maximum":4096,"actual":4097}"#
    )
    let id = String(repeating: "i", count: 5_000)
    #expect(
      try error(client, "PutEntities", #"{"app":"a","kind":"k","ids":["\#(id)"]}"#)
        == #"LimitExceeded {"limit":"id","maximum":4096,"actual":5000}"#
    )
    let ids = String(repeating: #""i","#, count: 10_000) + #""i""#
    #expect(
      try error(client, "PutEntities", #"{"app":"a","kind":"k","ids":[\#(ids)]}"#)
        == #"LimitExceeded {"limit":"ids","maximum":10000,"actual":10001}"#
    )
    let tab = String(repeating: "t", count: 256)
    #expect(try error(client, "Save", save(#"{"stacks":{"\#(tab)":[]}}"#)).hasPrefix("LimitExceeded"))
    try expectNothingSaved(client)
  }

  @Test("a state of just the largest size is taken")
  func largest() throws {
    let client = try daemon.client()
    let frame = #"{"values":{"x":""}}"#
    let state = #"{"values":{"x":"\#(String(repeating: "x", count: (1 << 20) - frame.utf8.count))"}}"#
    #expect(try client.save(state).changed)
    #expect(try client.restore().text == state)
  }

  @Test("a message of more than 16 MiB is answered and the connection closed, and the others go on")
  func message() throws {
    let raw = try RawConnection(daemon.socket)
    let state = #"{"values":{"x":"\#(String(repeating: "x", count: 17 << 20))"}}"#
    raw.send(Array(#"{"method":"io.restored.Save","parameters":\#(save(state))}"#.utf8) + [0])
    let reply = raw.frame()
    #expect(reply.contains("io.restored.LimitExceeded") && reply.contains(#""limit":"message""#))
    #expect(raw.isClosedAfterReplies())
    try expectNothingSaved(try daemon.client())
  }

  @Test("half a frame holds nobody up, and what it would have saved is not saved")
  func halfFrame() throws {
    let half = try RawConnection(daemon.socket)
    half.send(Array(#"{"method":"io.restored.Save","parameters":{"app":"a","scene":"main","state":{"sta"#.utf8))
    try expectNothingSaved(try daemon.client())
    half.send(Array(#"cks":{"a":[1]}}}}"#.utf8) + [0])
    #expect(half.frame().contains(#""revision":1"#))
    half.send(Array(#"{"method":"io.restored.Forget"#.utf8))
    half.close()
    #expect(try daemon.client().call(GetStatus.self, GetStatus.Parameters()).scenes == 1)
  }

  @Test("a frame that is no call closes its connection alone")
  func noCalls() throws {
    let client = try daemon.client()
    for text in [
      "", "x", "[]", "7", "{}", #"{"method":7}"#, #"{"method":"io.restored.Save","parameters":{}}}"#,
      #"{"method":"io.restored.GetStatus"} {}"#, #"{"method":"io.restored.GetStatus","method":"io.restored.ResetApp"}"#,
      #"{"method":"io.restored.GetStatus","more":1}"#,
    ] {
      let raw = try RawConnection(daemon.socket)
      raw.send(Array(text.utf8) + [0])
      #expect(raw.isClosedAfterReplies(), "\(text)")
    }
    #expect(try client.call(GetStatus.self, GetStatus.Parameters()).connections >= 1)
  }

  @Test("ten thousand random and mutated frames get an error reply or a closed connection, and the process stays up")
  func randomFrames() throws {
    var random = SeededGenerator(seed: UInt64.random(in: 0 ... .max))
    let valid = Array(
      #"{"method":"io.restored.Save","parameters":{"app":"a","scene":"s","state":{"stacks":{"t":[{"b":{"id":1}}]}}}}"#
        .utf8
    )
    var raw = try RawConnection(daemon.socket)
    for _ in 0..<10_000 {
      var frame = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<frame.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: frame[place] = UInt8.random(in: 1...255, using: &random)
        case 1: frame.remove(at: place)
        default: frame.insert(valid[Int.random(in: 0..<valid.count, using: &random)], at: place)
        }
      }
      raw.send(frame + [0])
      if raw.frame().isEmpty { raw = try RawConnection(daemon.socket) }
    }
    #expect(try daemon.client().call(GetStatus.self, GetStatus.Parameters()).health == .ok, "seed \(random.seed)")
  }
}

@Suite("Calls of one connection")
struct ConnectionTests {
  private let daemon = DaemonProcess()

  @Test("take effect in order, also when they are sent before the first reply is read")
  func pipelining() throws {
    let client = try daemon.client()
    for number in 0..<500 {
      let state = #"{"app":"a","scene":"s","state":{"values":{"n":\#(number)}}}"#
      try client.send(Save.fullName, state.utf8)
      try client.send(Restore.fullName, Restore.Parameters(app: "a", scene: "s").encoded)
    }
    for number in 0..<500 {
      let saved = try Save.Reply(leniently: try client.receive().parameters)
      #expect(saved.revision == number + 1 && saved.changed)
      let restored = try Restore.Reply(leniently: try client.receive().parameters)
      #expect(restored.text == #"{"values":{"n":\#(number)}}"#)
    }
  }

  @Test("with oneway are carried out without a reply, not even an error")
  func oneway() throws {
    let client = try daemon.client()
    try client.send(Save.fullName, #"{"app":"a","scene":"s","state":{"values":{"n":1}}}"#.utf8, oneway: true)
    try client.send(Save.fullName, #"{"app":"a"}"#.utf8, oneway: true)
    try client.send("io.restored.Nonsense", "{}".utf8, oneway: true)
    #expect(try client.restore(app: "a", scene: "s").revision == 1)
  }

  @Test("are answered with the text of the interface and the names of both")
  func introspection() throws {
    let client = try daemon.client()
    let info = String(decoding: try client.call("org.varlink.service.GetInfo").parameters, as: UTF8.self)
    #expect(info.contains(#""interfaces":["org.varlink.service","io.restored"]"#))
    #expect(info.contains(#""url":"man:restored(8)""#))
    let reply = try client.call(
      "org.varlink.service.GetInterfaceDescription",
      #"{"interface":"io.restored"}"#.utf8
    )
    let document = try JSONDocument(Array(reply.parameters))
    let text = try #require(document.member(document.root, "description"))
    #expect(document.string(text) == RestoredInterface.text)
  }

  @Test("of every method get an answer: a reply, an error of its own, or that it is not built")
  func everyMethod() throws {
    let client = try daemon.client()
    for method in RestoredInterface.methods {
      let reply = try client.call(method.fullName, "{}".utf8)
      #expect(reply.error != "org.varlink.service.MethodNotFound", "\(method.name)")
    }
  }
}
