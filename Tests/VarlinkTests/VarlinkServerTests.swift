import CLinux
import Glibc
import Testing

@testable import Varlink

@Suite struct VarlinkServerTests {
  @Test("a call is answered with its parameters, and the caller's ids are the kernel's")
  func echo() throws {
    let service = try ServiceFixture()
    let reply = try service.client().call("org.example.probe.Echo", #"{"text":"é\u0000\/"}"#.utf8)
    #expect(reply.error == nil)
    #expect(reply.text == #"{"text":"é\u0000\/"}"#)
    #expect(!reply.continues)
    #expect(service.onLoop { $0.probe.lastPeer } == Peer(uid: getuid(), gid: getgid(), pid: getpid()))
  }

  @Test("a reply is nothing but parameters, and continues only where it is true")
  func replyBytes() throws {
    #expect(ReplyFrame.make("{}".utf8) == Array("{\"parameters\":{}}\0".utf8))
    #expect(ReplyFrame.make("{}".utf8, continues: true) == Array("{\"parameters\":{},\"continues\":true}\0".utf8))
    #expect(
      ReplyFrame.make(.expectedMore)
        == Array("{\"error\":\"org.varlink.service.ExpectedMore\",\"parameters\":{}}\0".utf8)
    )
  }

  @Test("GetInfo and GetInterfaceDescription tell what is served")
  func introspection() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    #expect(
      try client.call("org.varlink.service.GetInfo").text
        == #"{"vendor":"Example","product":"probe","version":"1","url":"https://example.org","#
        + #""interfaces":["org.varlink.service","org.example.probe"]}"#
    )
    let description = try client.call(
      "org.varlink.service.GetInterfaceDescription",
      #"{"interface":"org.example.probe"}"#.utf8
    )
    #expect(description.text.contains("interface org.example.probe"))
    let unknown = try client.call("org.varlink.service.GetInterfaceDescription", #"{"interface":"a.b"}"#.utf8)
    #expect(unknown.error == "org.varlink.service.InterfaceNotFound")
    #expect(unknown.text == #"{"interface":"a.b"}"#)
  }

  @Test(
    "a call that leads nowhere is told where, and the connection stays",
    arguments: [
      ("org.example.none.Echo", "{}", "InterfaceNotFound", #"{"interface":"org.example.none"}"#),
      ("org.example.probe.Nothing", "{}", "MethodNotFound", #"{"method":"org.example.probe.Nothing"}"#),
      ("org.example.probe.echo", "{}", "MethodNotFound", #"{"method":"org.example.probe.echo"}"#),
      ("org.example.probe.Missing", "{}", "MethodNotImplemented", #"{"method":"org.example.probe.Missing"}"#),
      ("org.example.probe.Watch", "{}", "ExpectedMore", "{}"),
      ("org.example.probe.Echo", "[]", "InvalidParameter", #"{"parameter":"parameters"}"#),
      ("org.varlink.service.GetInfo", #"{"x":1}"#, "InvalidParameter", #"{"parameter":"x"}"#),
      ("org.varlink.service.GetInterfaceDescription", "{}", "InvalidParameter", #"{"parameter":"interface"}"#),
      ("org.example.probe.Forget", "{}", "MethodNotImplemented", #"{"method":"Forget"}"#),
    ]
  )
  func errors(method: String, parameters: String, error: String, expected: String) throws {
    let service = try ServiceFixture()
    let client = try service.client()
    let reply = try client.call(method, parameters.utf8)
    #expect(reply.error == "org.varlink.service.\(error)")
    #expect(reply.text == expected)
    #expect(try client.call("org.example.probe.Echo").error == nil)
  }

  @Test("10,000 calls sent ahead are answered in order")
  func pipelining() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    for number in 0..<10_000 { try client.send("org.example.probe.Echo", #"{"n":\#(number)}"#.utf8) }
    for number in 0..<10_000 { try #require(try client.receive().text == #"{"n":\#(number)}"#) }
  }

  @Test("the next call waits for an answer put off, and is begun then")
  func oneInFlight() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Later")
    try client.send("org.example.probe.Note", #"{"n":1}"#.utf8)
    try client.send("org.example.probe.Later")
    try service.wait("the first call begun") { $0.probe.pending.count == 1 }
    #expect(service.onLoop { $0.probe.notes } == [])
    service.onLoop { $0.probe.pending.removeFirst().reply(#"{"answer":1}"#.utf8) }
    #expect(try client.receive().text == #"{"answer":1}"#)
    #expect(try client.receive().text == "{}")
    try service.wait("the third call begun") { $0.probe.pending.count == 1 }
    service.onLoop { $0.probe.pending.removeFirst().fail(.permissionDenied) }
    #expect(try client.receive().error == "org.varlink.service.PermissionDenied")
  }

  @Test("an answer put off and then forgotten is an error, not silence")
  func forgottenPendingReply() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Later")
    try service.wait("the call begun") { $0.probe.pending.count == 1 }
    service.onLoop { $0.probe.pending = [] }
    #expect(try client.receive().error == "org.varlink.service.MethodNotImplemented")
  }

  @Test("oneway gets no reply, not even an error")
  func oneway() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Note", #"{"n":1}"#.utf8, oneway: true)
    try client.send("org.example.probe.Missing", oneway: true)
    try client.send("org.example.probe.Nothing", oneway: true)
    try client.send("a.b.C", oneway: true)
    try client.send("org.example.probe.Echo", "[]".utf8, oneway: true)
    try client.send("org.example.probe.Watch", more: true, oneway: true)
    #expect(try client.call("org.example.probe.Echo", #"{"last":true}"#.utf8).text == #"{"last":true}"#)
    #expect(service.onLoop { $0.probe.notes } == [#"{"n":1}"#])
  }

  @Test("oneway calls of a peer that closes right away are all done, also behind one that takes time")
  func onewayThenGone() throws {
    let service = try ServiceFixture()
    do {
      let client = try service.client()
      try client.send("org.example.probe.Later", oneway: true)
      for number in 0..<100 { try client.send("org.example.probe.Note", #"{"n":\#(number)}"#.utf8, oneway: true) }
    }
    try service.wait("the first call begun") { $0.probe.pending.count == 1 }
    #expect(service.onLoop { $0.probe.notes.count } == 0)
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    try service.wait("the connection done") { $0.server.connectionCount == 0 }
    #expect(service.onLoop { $0.probe.notes } == (0..<100).map { #"{"n":\#($0)}"# })
  }

  @Test("a stream carries replies until it is finished; the next call follows")
  func stream() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Watch", more: true)
    try client.send("org.example.probe.Echo")
    try service.wait("the stream open") { $0.probe.streams.count == 1 }
    service.onLoop { service in
      for number in 0..<3 { service.probe.streams[0].send(#"{"n":\#(number)}"#.utf8) }
    }
    for number in 0..<3 {
      let reply = try client.receive()
      #expect(reply.continues)
      #expect(reply.text == #"{"n":\#(number)}"#)
    }
    service.onLoop { $0.probe.streams.removeFirst().finish("{}".utf8) }
    let last = try client.receive()
    #expect(!last.continues && last.text == "{}")
    #expect(try client.receive().error == nil)
    #expect(service.onLoop { $0.probe.closedStreams } == 0)
  }

  @Test("a stream is told when its peer goes, and lives on when the peer only ends its own sending")
  func streamEnds() throws {
    let service = try ServiceFixture()
    do {
      let client = try service.client()
      try client.send("org.example.probe.Watch", more: true)
      client.finishSending()
      try service.wait("the stream open") { $0.probe.streams.count == 1 }
      service.onLoop { $0.probe.streams[0].send(#"{"n":1}"#.utf8) }
      #expect(try client.receive().text == #"{"n":1}"#)
    }
    try service.wait("the stream told") { $0.probe.closedStreams == 1 }
    #expect(service.onLoop { $0.probe.streams[0].isClosed && $0.server.connectionCount == 0 })
  }

  @Test("a peer that ends its sending gets the replies to all it sent, then the end")
  func halfClose() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Later")
    for number in 0..<100 { try client.send("org.example.probe.Echo", #"{"n":\#(number)}"#.utf8) }
    client.finishSending()
    try service.wait("the first call begun") { $0.probe.pending.count == 1 }
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    #expect(try client.receive().text == "{}")
    for number in 0..<100 { #expect(try client.receive().text == #"{"n":\#(number)}"#) }
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    try service.wait("the connection closed") { $0.server.connectionCount == 0 }
  }

  @Test("a peer that goes while its call is worked on is forgotten, and its answer goes nowhere")
  func goneInFlight() throws {
    let service = try ServiceFixture()
    do { try service.client().send("org.example.probe.Later") }
    try service.wait("the call begun") { $0.probe.pending.count == 1 }
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    try service.wait("the connection closed") { $0.server.connectionCount == 0 }
    #expect(try service.client().call("org.example.probe.Echo").error == nil)
  }

  @Test("a socket that is connected already is served")
  func connectedSocket() throws {
    let service = try ServiceFixture()
    var pair: [Int32] = [-1, -1]
    try #require(clinux_unix_pair(&pair) == 0)
    let client = VarlinkClient(Descriptor(owning: pair[0]))
    let other = pair[1]
    service.onLoop { service in try? service.server.serve(Descriptor(owning: other)) }
    #expect(try client.call("org.example.probe.Echo", #"{"a":1}"#.utf8).text == #"{"a":1}"#)
  }
}
