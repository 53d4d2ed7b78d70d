import CLinux
import Foundation
import Glibc
import Testing

@testable import Varlink

@Suite struct VarlinkClientTests {
  private func folder() throws -> String {
    let folder = NSTemporaryDirectory() + "varlink-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// A client, and the other end of its connection.
  private func pair(timeoutMilliseconds: Int = 20_000) throws -> (client: VarlinkClient, other: Int32) {
    var pair: [Int32] = [-1, -1]
    try #require(clinux_unix_pair(&pair) == 0)
    return (VarlinkClient(Descriptor(owning: pair[0]), timeoutMilliseconds: timeoutMilliseconds), pair[1])
  }

  private func write(_ text: String, _ descriptor: Int32) {
    let bytes = Array(text.utf8)
    #expect(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  @Test("why there is no connection is told apart: missing, refused, too long a path")
  func connecting() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let missing = folder + "/none"
    #expect(throws: VarlinkClientError.missing(path: missing)) { try VarlinkClient(path: missing) }
    let dead = folder + "/dead"
    do { _ = try UnixSocket.listen(path: dead, mode: 0o600) }
    #expect(throws: VarlinkClientError.refused(path: dead)) { try VarlinkClient(path: dead) }
    let file = folder + "/file"
    try Data().write(to: URL(fileURLWithPath: file))
    #expect(throws: VarlinkClientError.refused(path: file)) { try VarlinkClient(path: file) }
    let long = folder + "/" + String(repeating: "x", count: 108)
    #expect(throws: VarlinkClientError.system(SystemFault("connect", long, code: ENAMETOOLONG))) {
      try VarlinkClient(path: long)
    }
  }

  @Test("a second listener at a path is refused, and the first goes on")
  func addressInUse() throws {
    let service = try ServiceFixture()
    let path = service.path
    #expect(throws: SystemFault("bind", path, code: EADDRINUSE)) { _ = try UnixSocket.listen(path: path, mode: 0o600) }
    #expect(try service.client().call("org.example.probe.Echo").error == nil)
  }

  @Test("a service that does not answer is given up in time, also while connecting")
  func timeouts() throws {
    let (client, other) = try pair(timeoutMilliseconds: 20)
    defer { close(other) }
    #expect(throws: VarlinkClientError.timedOut) { try client.call("a.b.C") }
    #expect(throws: VarlinkClientError.timedOut) { try client.send(frame: [UInt8](repeating: 32, count: 4 << 20)) }

    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let listener = try UnixSocket.listen(path: folder + "/full", mode: 0o600)
    listen(listener.number, 0)
    let only = try VarlinkClient(path: folder + "/full", timeoutMilliseconds: 20)
    #expect(throws: VarlinkClientError.timedOut) { try VarlinkClient(path: folder + "/full", timeoutMilliseconds: 20) }
    _ = only
  }

  @Test("replies are split at their NUL, however they come in")
  func splitting() throws {
    let (client, other) = try pair()
    defer { close(other) }
    write("{\"parameters\":{\"a\":1},\"continues\":true}\0{\"error\":\"a.b.E\"", other)
    let first = try client.receive()
    #expect(first.text == #"{"a":1}"# && first.continues && first.error == nil)
    write("}\0", other)
    let second = try client.receive()
    #expect(second.error == "a.b.E" && second.text == "{}" && !second.continues)
  }

  @Test("a service that closes is told from one that breaks the protocol")
  func badReplies() throws {
    for bad in ["", "x", "[]", #"{"parameters":[]}"#, #"{"error":1}"#, "{}}"] {
      let (client, other) = try pair()
      write(bad + "\0", other)
      close(other)
      #expect { try client.receive() } throws: { error in
        if case .malformedReply = error as? VarlinkClientError { true } else { false }
      }
    }
    let (client, other) = try pair()
    write(#"{"parameters":{"#, other)
    close(other)
    #expect(throws: VarlinkClientError.closed) { try client.receive() }
    #expect(throws: VarlinkClientError.closed) { try client.send("a.b.C") }
  }
}
