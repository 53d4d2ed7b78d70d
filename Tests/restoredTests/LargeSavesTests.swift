import JSONText
import RestoreInterface
import TestSupport
import Testing
import Varlink

/// Large saves wait for one another; what is asked in an order is done in it all the same.
@Suite struct LargeSavesTests {
  private let daemon = DaemonProcess()

  private func state(_ number: Int, bytes: Int) -> String {
    #"{"values":{"n":\#(number),"pad":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  private func send(_ number: Int, bytes: Int, scene: String, over client: VarlinkClient) throws {
    let text = JSONObjectText(state(number, bytes: bytes).utf8)
    try client.send(Save.fullName, Save.Parameters(app: "app", scene: scene, state: text).encoded)
  }

  @Test("saves sent ahead over one connection are carried out in their order, whatever their size")
  func order() throws {
    let clients = try (0..<8).map { _ in try daemon.client() }
    // All are at it before any is waited for, so that there is always a large save in the way.
    for (index, client) in clients.enumerated() {
      try send(0, bytes: 700_000, scene: "scene \(index)", over: client)
      for number in 1...3 { try send(number, bytes: 10, scene: "scene \(index)", over: client) }
    }
    for (index, client) in clients.enumerated() {
      let revisions = try (0...3).map { _ in
        let reply = try client.receive()
        try #require(reply.error == nil)
        return try Save.Reply(leniently: reply.parameters).revision
      }
      #expect(revisions == revisions.sorted())
      #expect(try client.restore(scene: "scene \(index)").text == state(3, bytes: 10))
    }
  }

  @Test("large saves that wait when the daemon is stopped are answered, and are there after the next start")
  func stopped() throws {
    let clients = try (0..<20).map { _ in try daemon.client() }
    for (index, client) in clients.enumerated() {
      try send(index, bytes: 100_000, scene: "scene \(index)", over: client)
    }
    #expect(daemon.stop() == .exit(0))
    for client in clients { #expect(try client.receive().error == nil) }
    daemon.start()
    let client = try daemon.client()
    for index in clients.indices {
      #expect(try client.restore(scene: "scene \(index)").text == state(index, bytes: 100_000))
    }
  }

  @Test("large saves without a reply are there too, where their sender is gone when the daemon is stopped")
  func oneway() throws {
    var senders: [VarlinkClient] = []
    for index in 0..<20 {
      senders.append(try daemon.client())
      let text = state(index, bytes: 100_000)
      let call =
        #"{"method":"\#(Save.fullName)","oneway":true,"parameters":{"app":"app","scene":"scene \#(index)","state":\#(text)}}\#0"#
      try senders[index].send(frame: Array(call.utf8))
    }
    // What has not been accepted when the daemon is stopped is nobody's promise.
    let witness = try daemon.client()
    while try witness.openConnections() < 21 {}
    senders = []
    #expect(daemon.stop() == .exit(0))
    daemon.start()
    let client = try daemon.client()
    for index in 0..<20 {
      #expect(try client.restore(scene: "scene \(index)").text == state(index, bytes: 100_000))
    }
  }
}
