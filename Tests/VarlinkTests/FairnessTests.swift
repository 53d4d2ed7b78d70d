import Glibc
import Testing

@testable import Varlink

/// Who is served before whom.
///
/// Nothing is timed: the loop is held up until all has been sent, and the order is looked at.
@Suite struct FairnessTests {
  private static let note = "org.example.probe.Note"
  private static let work = "org.example.probe.Work"

  /// A service that takes no call for a long one, on however busy a machine.
  private func patientService(_ change: (inout ServerLimits) -> Void = { _ in }) throws -> ServiceFixture {
    var policy = ServerPolicy()
    policy.limits.quickMicroseconds = 10_000_000
    change(&policy.limits)
    return try ServiceFixture(policy)
  }

  /// A peer that has called before and waited for its replies.
  private func quickPeer(_ service: ServiceFixture) throws -> VarlinkClient {
    let client = try service.client()
    for _ in 0..<10 { #expect(try client.call("org.example.probe.Echo").error == nil) }
    return client
  }

  /// A service whose users may have calls of 100,000 bytes worked on, and a peer of which one of `bytes` is.
  private func working(on bytes: Int) throws -> (service: ServiceFixture, busy: VarlinkClient) {
    let service = try patientService { $0.workingBytesPerUser = 100_000 }
    let busy = try service.client()
    let text = String(repeating: "x", count: bytes)
    try busy.send("org.example.probe.Later", #"{"a":"\#(text)"}"#.utf8)
    try service.wait("it begun") { $0.probe.pending.count == 1 }
    return (service, busy)
  }

  /// Where in the order of all notes the one with this text came.
  private func place(_ text: String, _ service: ServiceFixture) -> Int? {
    service.onLoop { $0.probe.notes.firstIndex(of: text) }
  }

  @Test("who waits for each reply goes before thousands of calls sent ahead, which are all answered in their order")
  func sentAhead() throws {
    let service = try patientService()
    let quick = try quickPeer(service)
    let ahead = try service.client()
    let calls = (0..<1_000).map { "{\"method\":\"\(Self.note)\",\"parameters\":{\"n\":\($0)}}\0" }.joined()
    try service.holdingLoop {
      try ahead.send(frame: Array(calls.utf8))
      try quick.send(Self.note, #"{"quick":1}"#.utf8)
    }
    #expect(try quick.receive().error == nil)
    #expect(place(#"{"quick":1}"#, service) == 0)
    for _ in 0..<1_000 { try #require(try ahead.receive().error == nil) }
    #expect(service.onLoop { $0.probe.notes.dropFirst() } == ArraySlice((0..<1_000).map { #"{"n":\#($0)}"# }))
  }

  @Test("and before a crowd whose calls take long, and before all who connect meanwhile")
  func crowd() throws {
    let service = try patientService()
    let quick = try quickPeer(service)
    let crowd = try (0..<50).map { _ in try service.client() }
    var newcomers: [VarlinkClient] = []
    try service.holdingLoop {
      for client in crowd { try client.send(Self.work) }
      for _ in 0..<50 {
        newcomers.append(try service.client())
        try newcomers.last?.send(Self.note, #"{"new":1}"#.utf8)
      }
      try quick.send(Self.note, #"{"quick":1}"#.utf8)
    }
    #expect(try quick.receive().error == nil)
    #expect(place(#"{"quick":1}"#, service) == 0)
    for client in crowd + newcomers { #expect(try client.receive().error == nil) }
  }

  @Test("a newcomer does not wait behind all those whose calls are known to take long")
  func newcomer() throws {
    let service = try ServiceFixture()
    let crowd = try (0..<40).map { _ in try service.client() }
    for client in crowd { #expect(try client.call(Self.work).error == nil) }
    service.onLoop { $0.probe.notes = [] }
    var newcomer: VarlinkClient?
    try service.holdingLoop {
      for client in crowd { try client.send(Self.work) }
      newcomer = try service.client()
      try newcomer?.send(Self.note, #"{"new":1}"#.utf8)
    }
    #expect(try newcomer?.receive().error == nil)
    // One of theirs before it is let in, one before its call, and one of each for what else there may be.
    #expect(try #require(place(#"{"new":1}"#, service)) <= 8)
    for client in crowd { #expect(try client.receive().error == nil) }
  }

  @Test("nor behind all that a crowd has sent ahead")
  func newcomerBesideSentAhead() throws {
    let service = try patientService()
    let crowd = try (0..<40).map { _ in try service.client() }
    let call = Array("{\"method\":\"\(Self.note)\"}\0".utf8)
    // Half a call more each time: they never wait for a reply.
    for client in crowd {
      try client.send(frame: call + call.prefix(10))
      #expect(try client.receive().error == nil)
    }
    service.onLoop { $0.probe.notes = [] }
    let calls = call.dropFirst(10) + [[UInt8]](repeating: call, count: 49).joined()
    var newcomer: VarlinkClient?
    try service.holdingLoop {
      for client in crowd { try client.send(frame: Array(calls)) }
      newcomer = try service.client()
      try newcomer?.send(Self.note, #"{"new":1}"#.utf8)
    }
    #expect(try newcomer?.receive().error == nil)
    // Of two thousand; a few slices of theirs are before it.
    #expect(try #require(place(#"{"new":1}"#, service)) <= 600)
    for client in crowd { for _ in 0..<50 { try #require(try client.receive().error == nil) } }
  }

  @Test("peers of its own user that sent large calls ahead and never read keep no newcomer waiting")
  func newcomerBesideDeafCrowd() throws {
    let service = try patientService {
      $0.unsentBytesPerUser = 8 << 20
      $0.patienceMilliseconds = 600_000
    }
    let deaf = try (0..<20).map { _ in try service.client() }
    let call = Array("{\"method\":\"org.example.probe.Fill\",\"parameters\":{\"bytes\":1000000}}\0".utf8)
    for client in deaf { try client.send(frame: call + call) }
    try service.wait("no room for more of them") { $0.server.openConnections.count { $0.isWaitingForRoom } > 10 }
    for _ in 0..<20 { #expect(try service.client().call(Self.note).error == nil) }
    #expect(service.onLoop { $0.server.unsentBytes } <= 7 << 20)
    withExtendedLifetime(deaf) {}
  }

  @Test("of newcomers that wait for room the last one is first, and each fourth time the one that has waited longest")
  func waitingNewcomers() throws {
    let (service, busy) = try working(on: 90_000)
    defer { withExtendedLifetime(busy) {} }
    var waiting: [VarlinkClient] = []
    for number in 0..<12 {
      let client = try service.client()
      // The first one sends ahead, and has its share as well.
      let calls = (0..<(number == 0 ? 2 : 1)).map { _ in #"{"method":"\#(Self.note)","parameters":{"n":\#(number)}}"# }
      try client.send(message: calls.joined(separator: "\0"))
      waiting.append(client)
      try service.wait("it waiting") { $0.server.openConnections.count { $0.isWaitingForRoom } == number + 1 }
    }
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    for client in waiting { #expect(try client.receive().error == nil) }
    let order = service.onLoop { $0.probe.notes }
    let newest = [11, 10, 9], next = [8, 7, 6]
    #expect(order.prefix(3) == ArraySlice(newest.map { #"{"n":\#($0)}"# }))
    #expect(order.filter { $0 != #"{"n":0}"# }.dropFirst(3).prefix(3) == ArraySlice(next.map { #"{"n":\#($0)}"# }))
    #expect(try #require(order.firstIndex(of: #"{"n":0}"#)) < 8)
  }

  @Test("one that is closed while it waits for room is kept no longer")
  func closedWhileWaiting() throws {
    let (service, busy) = try working(on: 110_000)
    defer { withExtendedLifetime(busy) {} }
    let late = try service.client()
    try late.send(Self.note)
    try service.wait("it waiting") { $0.server.openConnections.contains(where: \.isWaitingForRoom) }
    let isCrowded = service.onLoop { service in
      let waiting = service.server.openConnections.first(where: \.isWaitingForRoom)
      waiting?.close()
      return waiting?.user.isCrowded
    }
    #expect(isCrowded == false)
    #expect(late.isAtEnd())
  }

  @Test("peers that never read cannot take the room of one that does")
  func deafCrowd() throws {
    let service = try patientService {
      $0.unsentBytesPerUser = 4 << 20
      $0.patienceMilliseconds = 600_000
    }
    let quick = try quickPeer(service)
    let deaf = try (0..<20).map { _ in try service.client() }
    for client in deaf { try client.send("org.example.probe.Fill", #"{"bytes":1000000}"#.utf8) }
    try service.wait("no room for more of them") { $0.server.unsentBytes > 3 << 20 }
    for _ in 0..<100 { #expect(try quick.call("org.example.probe.Fill", #"{"bytes":1000}"#.utf8).error == nil) }
    #expect(service.onLoop { $0.server.unsentBytes } <= 5 << 20)
    withExtendedLifetime(deaf) {}
  }

  @Test("one whose calls took long is served at once again after as many that did not")
  func standing() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    for _ in 0..<3 { #expect(try client.call(Self.work).error == nil) }
    func isQuick() -> Bool { service.onLoop { $0.server.openConnections.allSatisfy(\.isQuick) } }
    #expect(!isQuick())
    // On a machine that is busy enough a turn may be long by what else was in it: so as many as it takes.
    for _ in 0..<10_000 where !isQuick() { #expect(try client.call("org.example.probe.Echo").error == nil) }
    #expect(isQuick())
  }

  @Test("a call in which the kernel gave the processor to others is not held against its caller")
  func interrupted() throws {
    // Far beyond what a call takes of the processor, however slow the build, and below how long it lasts here.
    let service = try patientService { $0.quickMicroseconds = 20_000 }
    let client = try quickPeer(service)
    for _ in 0..<6 { #expect(try client.call("org.example.probe.Doze").error == nil) }
    #expect(service.onLoop { $0.server.openConnections.allSatisfy(\.isQuick) })
  }

  @Test("a connection that is put off and hangs up, or whose server stops, is let go")
  func hangingUp() throws {
    let service = try ServiceFixture()
    let crowd = try (0..<40).map { _ in try service.client() }
    for client in crowd { #expect(try client.call(Self.work).error == nil) }
    var short: [VarlinkClient] = []
    try service.holdingLoop {
      for client in crowd { try client.send(Self.work) }
      for _ in 0..<40 { short.append(try service.client()) }
      short = []
    }
    for client in crowd { #expect(try client.receive().error == nil) }
    try service.wait("those that hung up are gone") { $0.server.connectionCount == 40 }
    try service.holdingLoop { for client in crowd { try client.send(Self.work) } }
    service.onLoop { $0.server.stop(within: 60_000) {} }
    for client in crowd {
      #expect(try client.receive().error == nil)
      #expect(client.isAtEnd())
    }
  }
}
