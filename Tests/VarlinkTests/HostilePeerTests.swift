import Glibc
import TestSupport
import Testing

@testable import Varlink

@Suite struct HostilePeerTests {
  @Test("a call that comes in byte by byte is answered")
  func byteByByte() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    for byte in Array(#"{"method":"org.example.probe.Echo","parameters":{"a":1}}"#.utf8) {
      try client.send(frame: [byte])
    }
    try client.send(frame: [0])
    #expect(try client.receive().text == #"{"a":1}"#)
  }

  @Test("half a call keeps nobody else waiting, and is forgotten with its peer")
  func halfCall() throws {
    let service = try ServiceFixture()
    do {
      let half = try service.client()
      try half.send(frame: Array(#"{"method":"org.example.probe.No"#.utf8))
      #expect(try service.client().call("org.example.probe.Echo").error == nil)
    }
    try service.wait("both connections closed") { $0.server.connectionCount == 0 }
    #expect(service.onLoop { $0.probe.notes } == [])
  }

  @Test(
    "a message that is no call closes the connection, after an error where one can be given",
    arguments: [
      ("", nil), ("null", nil), ("{}}", nil), ("{} {}", nil), ("GET / HTTP/1.1\r\n\r\n", nil),
      ("{}", "method"), (#"{"method":7}"#, "method"), (#"{"method":"Echo"}"#, "method"),
      (#"{"method":""}"#, "method"), (#"{"method":".Echo"}"#, "method"), (#"{"method":"\ud800.Echo"}"#, "method"),
      (#"{"method":"org.example.probe.Echo","more":"yes"}"#, "more"),
      (#"{"method":"org.example.probe.Echo","parameters":{},"parameters":{}}"#, "parameters"),
    ] as [(String, String?)]
  )
  func noCall(message: String, parameter: String?) throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send(message: message)
    if let parameter {
      let reply = try client.receive()
      #expect(reply.error == "org.varlink.service.InvalidParameter")
      #expect(reply.text == #"{"parameter":"\#(parameter)"}"#)
    }
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    #expect(try service.client().call("org.example.probe.Echo").error == nil)
  }

  @Test("a method's name that is no UTF-8 is answered, then the connection is closed")
  func invalidUTF8() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send(frame: Array(#"{"method":"org.example."#.utf8) + [0xC3, 0x28] + Array(#".Echo"}"#.utf8) + [0])
    #expect(try client.receive().error == "org.varlink.service.InvalidParameter")
    #expect(client.isAtEnd())
  }

  @Test("calls before a bad message are answered first")
  func answeredBeforeClosing() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send(frame: Array("{\"method\":\"org.example.probe.Echo\",\"parameters\":{\"n\":1}}\0\0{}\0".utf8))
    #expect(try client.receive().text == #"{"n":1}"#)
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
  }

  @Test("100,000 brackets in parameters cost no stack")
  func deepNesting() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(try client.call("org.example.probe.Note", #"{"a":\#(deep)}"#.utf8).error == nil)
    let reply = try client.call("org.varlink.service.GetInfo", #"{"a":\#(deep)}"#.utf8)
    #expect(reply.error == "org.varlink.service.InvalidParameter")
  }

  @Test("a peer that never reads is not worked for any more, and others are")
  func neverReads() throws {
    let service = try ServiceFixture()
    let deaf = try service.client()
    deaf.timeoutMilliseconds = 0
    // As many calls as the socket takes, each with a reply far larger than itself.
    let call = Array("{\"method\":\"org.example.probe.Fill\",\"parameters\":{\"bytes\":20000}}\0".utf8)
    var sent = 0
    while sent < 10_000, send(deaf.descriptor, call, call.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) > 0 {
      sent += 1
    }
    let total = UInt64(sent)
    try service.wait("the server gave up on it") { service in
      let before = service.server.callCount
      return before > 0 && service.server.unsentBytes > 0 && before < total
    }
    let other = try service.client()
    for _ in 0..<100 { #expect(try other.call("org.example.probe.Echo").error == nil) }
    // The limit, the one reply that passed it, and no more.
    #expect(service.onLoop { $0.server.unsentBytes } <= ServerLimits().unreadBytes + 2 * 20_100)
    deaf.timeoutMilliseconds = 20_000
    for _ in 0..<sent { try #require(try deaf.receive().parameters.count == 20_011) }
  }

  @Test("a stream whose peer never reads is cut off at its limit")
  func deafStream() throws {
    var policy = ServerPolicy()
    policy.limits.streamBytes = 1 << 20
    let service = try ServiceFixture(policy)
    let deaf = try service.client()
    try deaf.send("org.example.probe.Watch", more: true)
    try service.wait("the stream open") { $0.probe.streams.count == 1 }
    let event = #"{"text":"\#(String(repeating: "x", count: 10_000))"}"#
    try service.wait("the stream cut off") { service in
      for _ in 0..<100 where !service.probe.streams[0].isClosed { service.probe.streams[0].send(event.utf8) }
      return service.probe.closedStreams == 1
    }
    #expect(service.onLoop { $0.probe.streams[0].pendingBytes } == 0)
  }

  @Test("a slow reader's stream is told when all has gone out")
  func drain() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Watch", more: true)
    try service.wait("the stream open") { $0.probe.streams.count == 1 }
    service.onLoop { service in
      let stream = service.probe.streams[0]
      stream.onDrain = { [unowned stream] in stream.finish(#"{"drained":true}"#.utf8) }
      for _ in 0..<100 { stream.send(#"{"text":"\#(String(repeating: "x", count: 10_000))"}"#.utf8) }
    }
    for _ in 0..<100 { #expect(try client.receive().continues) }
    #expect(try client.receive().text == #"{"drained":true}"#)
  }

  @Test("100,000 random and mutated messages leave the service up, and each well-formed call answered")
  func mutated() throws {
    let service = try ServiceFixture()
    var random = SeededGenerator(seed: 20)
    let seed = Array(
      #"{"method":"org.example.probe.Echo","more":false,"oneway":false,"parameters":{"a":[1,"x"]}}"#.utf8
    )
    var client = try service.client()
    var sent = 0
    while sent < 100_000 {
      var batch: [UInt8] = []
      for _ in 0..<50 {
        batch += random.mutation(of: seed) + [0]
        sent += 1
      }
      do throws(VarlinkClientError) {
        try client.send(frame: batch)
        try client.send("org.varlink.service.GetInfo")
        while try !client.receive().text.hasPrefix(#"{"vendor""#) {}
      } catch {
        try #require(error == .closed)
        client = try service.client()
      }
    }
    #expect(try service.client().call("org.example.probe.Echo", #"{"up":true}"#.utf8).text == #"{"up":true}"#)
  }
}

extension SeededGenerator {
  /// The text with a few bytes changed, added, doubled or cut off; now and then noise instead.
  mutating func mutation(of text: [UInt8]) -> [UInt8] {
    if next() % 16 == 0 { return (0..<Int(next() % 64)).map { _ in UInt8.random(in: 1...255, using: &self) } }
    var bytes = text
    for _ in 0..<Int(next() % 4) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      let byte =
        next() % 2 == 0
        ? Array("{}[]\",:\\".utf8).randomElement(using: &self)! : UInt8.random(in: 0...255, using: &self)
      switch next() % 4 {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      case 2: bytes.insert(contentsOf: bytes[place..<min(place + 12, bytes.count)], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
