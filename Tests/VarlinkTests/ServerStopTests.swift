import Testing

@testable import Varlink

@Suite struct ServerStopTests {
  /// Stops the service; what is returned says whether it is drained.
  private func stop(_ service: ServiceFixture, within milliseconds: Int = 60_000)
    -> @Sendable (ServiceFixture.Service) -> Bool
  {
    service.onLoop { $0.server.stop(within: milliseconds) {} }
    return { $0.server.isDrained }
  }

  @Test("with nobody there it is done at once, and nobody gets in any more")
  func idle() throws {
    let service = try ServiceFixture()
    let isDrained = stop(service)
    #expect(service.onLoop(isDrained))
    #expect(throws: VarlinkClientError.refused(path: service.path)) { try service.client() }
  }

  @Test("calls received are answered, also those behind one that takes time; then comes the end")
  func pendingCalls() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    let idle = try service.client()
    try client.send("org.example.probe.Later")
    for number in 0..<100 { try client.send("org.example.probe.Note", #"{"n":\#(number)}"#.utf8) }
    try service.wait("the first call begun") { $0.probe.pending.count == 1 && $0.server.connectionCount == 2 }
    let isDrained = stop(service)
    #expect(throws: VarlinkClientError.closed) { try idle.receive() }
    #expect(!service.onLoop(isDrained))
    service.onLoop { $0.probe.pending.removeFirst().reply() }
    for _ in 0...100 { #expect(try client.receive().error == nil) }
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    try service.wait("drained", until: isDrained)
    #expect(service.onLoop { $0.probe.notes.count } == 100)
  }

  @Test("streams end, half a call is let go")
  func streamsAndHalves() throws {
    let service = try ServiceFixture()
    let watcher = try service.client()
    let half = try service.client()
    try watcher.send("org.example.probe.Watch", more: true)
    try half.send(frame: Array(#"{"method":"#.utf8))
    try service.wait("the stream open") { $0.probe.streams.count == 1 && $0.server.connectionCount == 2 }
    let isDrained = stop(service)
    #expect(watcher.isAtEnd())
    #expect(half.isAtEnd())
    try service.wait("drained", until: isDrained)
    #expect(service.onLoop { $0.probe.closedStreams } == 1)
  }

  @Test("a call that takes longer than the time given is answered all the same, one behind it is not begun")
  func slowCall() throws {
    let service = try ServiceFixture()
    let client = try service.client()
    try client.send("org.example.probe.Later")
    try client.send("org.example.probe.Note")
    try service.wait("the call begun") { $0.probe.pending.count == 1 }
    let isDrained = stop(service, within: 0)
    try service.wait("the time over") { $0.server.isOverdue }
    #expect(!service.onLoop(isDrained))
    service.onLoop { $0.probe.pending.removeFirst().reply(#"{"late":true}"#.utf8) }
    #expect(try client.receive().text == #"{"late":true}"#)
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    try service.wait("drained", until: isDrained)
    #expect(service.onLoop { $0.probe.notes.isEmpty })
  }

  @Test("a peer that never reads holds it up for the time given and no longer")
  func deafPeer() throws {
    let service = try ServiceFixture()
    let deaf = try service.client()
    try deaf.send("org.example.probe.Fill", #"{"bytes":4000000}"#.utf8)
    try service.wait("its reply made") { $0.server.unsentBytes > 0 }
    let isDrained = stop(service, within: 50)
    try service.wait("drained", until: isDrained)
  }
}
