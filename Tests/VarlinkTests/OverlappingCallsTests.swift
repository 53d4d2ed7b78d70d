import Testing

@testable import Varlink

@Suite struct OverlappingCallsTests {
  /// Sends so many calls of the method that may overlap, and waits until `begun` of them have begun.
  private func queue(_ count: Int, begun: Int, _ service: ServiceFixture) throws -> VarlinkClient {
    let client = try service.client()
    for _ in 0..<count { try client.send("org.example.probe.Queue") }
    try service.wait("\(begun) calls begun") { $0.probe.pending.count == begun }
    return client
  }

  private func answer(_ number: Int, _ service: ServiceFixture) {
    service.onLoop { $0.probe.pending[number].reply(#"{"n":\#(number)}"#.utf8) }
  }

  @Test("replies come in the order of the calls, in whatever order they are answered")
  func order() throws {
    let service = try ServiceFixture()
    let client = try queue(5, begun: 5, service)
    for number in [3, 1, 4, 0, 2] { answer(number, service) }
    for number in 0..<5 { #expect(try client.receive().text == #"{"n":\#(number)}"#) }
  }

  @Test("a call that may not overlap waits for all before it, and those behind it wait too")
  func barrier() throws {
    let service = try ServiceFixture()
    let client = try queue(2, begun: 2, service)
    try client.send("org.example.probe.Note", "{}".utf8)
    try client.send("org.example.probe.Queue")
    answer(1, service)
    #expect(service.onLoop { $0.probe.notes.isEmpty && $0.probe.pending.count == 2 })
    answer(0, service)
    try service.wait("the last begun") { $0.probe.pending.count == 3 }
    #expect(service.onLoop { $0.probe.notes.count } == 1)
    answer(2, service)
    for expected in [#"{"n":0}"#, #"{"n":1}"#, "{}", #"{"n":2}"#] { #expect(try client.receive().text == expected) }
  }

  @Test("no more of them are begun than the limit says")
  func limit() throws {
    let limit = ServerLimits().overlappingCalls
    let service = try ServiceFixture()
    let client = try queue(limit + 3, begun: limit, service)
    for number in 0..<3 {
      answer(number, service)
      try service.wait("the next begun") { $0.probe.pending.count == limit + 1 + number }
    }
    for number in 3..<limit + 3 { answer(number, service) }
    for number in 0..<limit + 3 { #expect(try client.receive().text == #"{"n":\#(number)}"#) }
  }

  @Test("what is no call, and a method that does not exist, are answered after the calls before them")
  func faults() throws {
    let service = try ServiceFixture()
    let client = try queue(2, begun: 2, service)
    try client.send("org.example.probe.Absent")
    try client.send(message: #"{"method":7}"#)
    answer(1, service)
    answer(0, service)
    #expect(try client.receive().text == #"{"n":0}"#)
    #expect(try client.receive().text == #"{"n":1}"#)
    #expect(try client.receive().error == "org.varlink.service.MethodNotFound")
    #expect(try client.receive().error == "org.varlink.service.InvalidParameter")
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
  }

  @Test("a message that is too long is refused after the calls before it were answered")
  func tooLong() throws {
    var policy = ServerPolicy()
    policy.limits.messageBytes = 200_000
    let service = try ServiceFixture(policy)
    let client = try queue(2, begun: 2, service)
    try client.send(
      "org.example.probe.Note",
      ArraySlice("{\"text\":\"\(String(repeating: "x", count: 199_000))\"}".utf8)
    )
    try client.send(frame: Array(#"{"method":"org.example.probe.Note","parameters":{"t":""#.utf8))
    answer(0, service)
    answer(1, service)
    #expect(try client.receive().text == #"{"n":0}"#)
    #expect(try client.receive().text == #"{"n":1}"#)
    #expect(try client.receive().text == "{}")
    try client.send(frame: Array(repeating: UInt8(ascii: "x"), count: 200_001))
    #expect(try client.receive().error == "org.varlink.service.PermissionDenied")
    #expect(service.onLoop { $0.probe.notes.count } == 1)
  }

  @Test("a peer that sent its last call is answered, and one that is gone has its calls done")
  func ends() throws {
    let service = try ServiceFixture()
    let client = try queue(2, begun: 2, service)
    client.finishSending()
    answer(1, service)
    answer(0, service)
    #expect(try client.receive().text == #"{"n":0}"#)
    #expect(try client.receive().text == #"{"n":1}"#)
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    do {
      let gone = try service.client()
      for _ in 0..<2 { try gone.send("org.example.probe.Queue") }
      try gone.send("org.example.probe.Note", "{}".utf8)
    }
    try service.wait("both begun") { $0.probe.pending.count == 4 }
    answer(2, service)
    answer(3, service)
    try service.wait("all done") { $0.server.connectionCount == 0 && $0.probe.notes.count == 1 }
  }

  @Test("a stop answers the calls that have begun and those behind them")
  func stop() throws {
    let service = try ServiceFixture()
    let client = try queue(3, begun: 3, service)
    try client.send("org.example.probe.Note", "{}".utf8)
    service.onLoop { $0.server.stop(within: 60_000) {} }
    for number in [2, 0, 1] { answer(number, service) }
    for number in 0..<3 { #expect(try client.receive().text == #"{"n":\#(number)}"#) }
    #expect(try client.receive().text == "{}")
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    try service.wait("drained") { $0.server.isDrained }
  }
}
