import Glibc
import Testing

@testable import Varlink

@Suite struct ServerLimitsTests {
  private func policy(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerPolicy {
    var policy = ServerPolicy()
    change(&policy.limits)
    policy.beyond = { limit, maximum, actual in
      VarlinkError(
        "org.example.probe.Limit",
        parameters: Array(#"{"limit":"\#(limit)","maximum":\#(maximum),"actual":\#(actual)}"#.utf8)
      )
    }
    return policy
  }

  @Test("a message of 16 MiB is a call; one byte more is refused with a reply, then the connection closed")
  func messageSize() throws {
    let service = try ServiceFixture(policy())
    let envelope = #"{"method":"org.example.probe.Note","parameters":{"a":""}}"#.utf8.count
    let maximum = 16 << 20
    func message(_ size: Int) -> [UInt8] {
      Array(#"{"method":"org.example.probe.Note","parameters":{"a":""#.utf8)
        + [UInt8](repeating: UInt8(ascii: "x"), count: size - envelope) + Array("\"}}\0".utf8)
    }
    let client = try service.client()
    try client.send(frame: message(maximum))
    #expect(try client.receive().error == nil)
    try client.send(frame: message(maximum + 1))
    let reply = try client.receive()
    #expect(reply.error == "org.example.probe.Limit")
    #expect(reply.text == #"{"limit":"message","maximum":16777216,"actual":16777217}"#)
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    #expect(service.onLoop { $0.probe.notes.count } == 1)
  }

  @Test("a message without an end is refused once it is too large, and no memory is kept for it")
  func endlessMessage() throws {
    let service = try ServiceFixture(policy { $0.messageBytes = 1 << 20 })
    let client = try service.client()
    try client.send(frame: Array(#"{"method":"org.example.probe.Note","parameters":{"a":""#.utf8))
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
    #expect(throws: VarlinkClientError.closed) { while true { try client.send(frame: piece) } }
    #expect(try client.receive().error == "org.example.probe.Limit")
    #expect(client.isAtEnd())
  }

  @Test("replies that one user's peers do not read are bounded together, and those who read nothing are closed")
  func unreadReplies() throws {
    let service = try ServiceFixture(
      policy {
        $0.unsentBytesPerUser = 2 << 20
        $0.patienceMilliseconds = 300
      }
    )
    let deaf = try (0..<20).map { _ in try service.client() }
    for client in deaf { try client.send("org.example.probe.Fill", #"{"bytes":1000000}"#.utf8) }
    let reader = try service.client()
    #expect(try reader.call("org.example.probe.Fill", #"{"bytes":1000000}"#.utf8).parameters.count > 1_000_000)
    #expect(service.onLoop { $0.server.unsentBytes } < 4 << 20)
    #expect(throws: VarlinkClientError.self) { for client in deaf { _ = try client.receive() } }
    #expect(try reader.call("org.example.probe.Echo").error == nil)
  }

  @Test("a call that came while others waited is answered, also where a reply beyond the limit is taken at once")
  func callBehindLargeReply() throws {
    let service = try ServiceFixture(policy { $0.unreadBytes = 1_000 })
    let client = try service.client()
    let fill = #"{"method":"org.example.probe.Fill","parameters":{"bytes":5000}}"#
    try client.send(message: #"{"method":"org.example.probe.Later"}"# + "\0" + fill)
    try service.wait("the first begun") { $0.probe.pending.count == 1 }
    try client.send("org.example.probe.Echo")
    try service.wait("no more is wanted of it") { service in
      service.server.openConnections.allSatisfy { !$0.interest.contains(.readable) }
    }
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    for _ in 0..<3 { #expect(try client.receive().error == nil) }
  }

  @Test("a peer beyond the connections allowed is told so, and gets in once another has gone")
  func connections() throws {
    let service = try ServiceFixture(policy { $0.connections = 2 })
    let first = try service.client()
    var second: VarlinkClient? = try service.client()
    #expect(try first.call("org.example.probe.Echo").error == nil)
    #expect(try second?.call("org.example.probe.Echo").error == nil)
    let third = try service.client()
    #expect(try third.receive().text == #"{"limit":"connections","maximum":2,"actual":3}"#)
    #expect(third.isAtEnd())
    second = nil
    try service.wait("a place free") { $0.server.connectionCount == 1 }
    #expect(try service.client().call("org.example.probe.Echo").error == nil)
  }

  @Test("a user beyond the connections of one user is told so")
  func connectionsOfOneUser() throws {
    let service = try ServiceFixture(policy { $0.connectionsPerUser = 1 })
    let first = try service.client()
    #expect(try first.call("org.example.probe.Echo").error == nil)
    #expect(try service.client().receive().text == #"{"limit":"connectionsPerUser","maximum":1,"actual":2}"#)
  }

  @Test("a peer that the policy refuses is told why")
  func refusal() throws {
    var policy = policy()
    policy.refusal = { $0.uid == getuid() ? .permissionDenied : nil }
    let service = try ServiceFixture(policy)
    let client = try service.client()
    #expect(try client.receive().error == "org.varlink.service.PermissionDenied")
    #expect(client.isAtEnd())
    #expect(service.onLoop { $0.server.callCount } == 0)
  }

  @Test("beyond the bytes of unfinished calls of one user the largest is closed, and the others go on")
  func unfinishedBytes() throws {
    let service = try ServiceFixture(policy { $0.unfinishedBytesPerUser = 1 << 20 })
    let small = try service.client()
    let large = try service.client()
    try small.send(frame: Array(#"{"method":"org.example.probe.Note","#.utf8))
    try small.send(frame: [UInt8](repeating: UInt8(ascii: " "), count: 300 << 10))
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 10)
    #expect(throws: VarlinkClientError.closed) { for _ in 0..<20 { try large.send(frame: piece) } }
    try small.send(frame: Array("\"parameters\":{}}\0".utf8))
    #expect(try small.receive().error == nil)
  }

  @Test("a call that is whole and waits for the ones before it is among those of which the largest is closed")
  func unfinishedBytesBehindCalls() throws {
    let service = try ServiceFixture(policy { $0.unfinishedBytesPerUser = 1 << 20 })
    let text = String(repeating: "x", count: 500 << 10)
    let large = try (0..<2).map { _ in try service.client() }
    for client in large {
      try client.send("org.example.probe.Queue")
      // It may not overlap with the one before it.
      try client.send("org.example.probe.Note", #"{"a":"\#(text)"}"#.utf8)
    }
    try service.wait("all received") { service in
      service.server.openConnections.reduce(0) { $0 + $1.unfinishedBytes } > 1_000 << 10
    }
    let small = try service.client()
    try small.send(frame: Array(#"{"method":"org.example.probe.Note","#.utf8))
    try small.send(frame: [UInt8](repeating: UInt8(ascii: " "), count: 100 << 10))
    try service.wait("one closed") { $0.server.connectionCount == 2 }
    try small.send(frame: Array("\"parameters\":{}}\0".utf8))
    #expect(try small.receive().error == nil)
  }

  @Test("calls of one user beyond the bytes worked on wait until others are answered, and no reply is lost")
  func workingBytes() throws {
    let service = try ServiceFixture(policy { $0.workingBytesPerUser = 100_000 })
    let text = String(repeating: "x", count: 60_000)
    let clients = try (0..<4).map { _ in try service.client() }
    for (index, client) in clients.prefix(2).enumerated() {
      try client.send("org.example.probe.Later", #"{"a":"\#(text)"}"#.utf8)
      try service.wait("it begun") { $0.probe.pending.count == index + 1 }
    }
    try clients[2].send("org.example.probe.Later", #"{"a":"\#(text)"}"#.utf8)
    // Small calls wait too: what is bounded is all that is begun.
    try clients[3].send("org.example.probe.Note")
    try service.wait("the others connected") { $0.server.connectionCount == 4 }
    #expect(service.onLoop { $0.probe.pending.count == 2 && $0.probe.notes.isEmpty })
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    try service.wait("the third begun") { $0.probe.pending.count == 2 }
    service.onLoop { service in service.probe.pending.forEach { $0.reply() } }
    for client in clients { #expect(try client.receive().error == nil) }
  }

  @Test("an idle connection keeps no buffer, also after a large call and a large reply")
  func idleMemory() throws {
    let service = try ServiceFixture()
    let clients = try (0..<500).map { _ in try service.client() }
    let text = String(repeating: "x", count: 50_000)
    for client in clients { #expect(try client.call("org.example.probe.Echo", #"{"a":"\#(text)"}"#.utf8).error == nil) }
    #expect(service.onLoop { $0.server.bufferedBytes } == 0)
    #expect(service.onLoop { $0.server.connectionCount } == 500)
    withExtendedLifetime(clients) {}
  }
}
