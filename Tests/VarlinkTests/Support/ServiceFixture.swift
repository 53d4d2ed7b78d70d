import Foundation
import Glibc
import Testing

@testable import Varlink

/// A real server with a `ProbeInterface` on a thread and a socket of its own, gone with the fixture.
final class ServiceFixture: Sendable {
  /// What lives on the loop's thread.
  final class Service {
    let loop: EventLoop
    let server: VarlinkServer
    let probe = ProbeInterface()
    var faults: [SystemFault] = []

    init(path: String, policy: ServerPolicy) throws {
      loop = try EventLoop()
      var policy = policy
      let sink = FaultSink()
      policy.onFault = { sink.faults.append($0) }
      server = try VarlinkServer(
        loop: loop,
        identity: ServiceIdentity(vendor: "Example", product: "probe", version: "1", url: "https://example.org"),
        interfaces: [probe],
        policy: policy
      )
      self.sink = sink
      try server.listen(on: UnixSocket.listen(path: path, mode: 0o600))
    }

    let sink: FaultSink
  }

  final class FaultSink { var faults: [SystemFault] = [] }

  /// Hands a value that lives on the loop's thread back to it.
  private struct Home<Value>: @unchecked Sendable { let value: Value }

  let path: String
  private let folder: String
  private let home: Home<Service>
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the service.
  ///
  /// `policy` is made on the calling thread and used on the loop's.
  init(_ policy: ServerPolicy = ServerPolicy()) throws {
    folder = NSTemporaryDirectory() + "varlink-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/socket"
    let home = Home(value: try Service(path: path, policy: policy))
    self.home = home
    let ended = ended
    Thread.detachNewThread {
      do { try home.value.loop.run() } catch { Issue.record("the loop ended: \(error)") }
      ended.signal()
    }
  }

  deinit {
    let home = home
    home.value.loop.mailbox.post {
      let service = home.value
      if service.server.isStopping {
        service.loop.stop()
      } else {
        service.server.stop(within: 0) { service.loop.stop() }
      }
      home.value.probe.streams = []
      home.value.probe.pending = []
    }
    #expect(ended.wait(timeout: .now() + 20) == .success, "the loop did not stop")
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs `body` on the loop's thread, at the beginning of a turn, and waits for it.
  @discardableResult
  func onLoop<Result: Sendable>(_ body: @escaping @Sendable (Service) -> Result) -> Result {
    let home = home
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    home.value.loop.mailbox.post {
      box.value = body(home.value)
      done.signal()
    }
    done.wait()
    return box.value!
  }

  private final class Box<Value>: @unchecked Sendable { var value: Value? }

  /// Holds the loop up while `body` runs, so that all that it sends is there when the loop goes on.
  func holdingLoop(_ body: () throws -> Void) rethrows {
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    home.value.loop.mailbox.post {
      isHeld.signal()
      mayGoOn.wait()
    }
    isHeld.wait()
    defer { mayGoOn.signal() }
    try body()
  }

  /// Waits until `condition` holds on the loop's thread; looks again after each turn of its own.
  func wait(_ what: Comment, until condition: @escaping @Sendable (Service) -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 60)
    while !onLoop(condition) {
      try #require(Date() < deadline, what)
      usleep(500)
    }
  }

  /// A client with a generous time-out.
  func client() throws -> VarlinkClient { try VarlinkClient(path: path, timeoutMilliseconds: 60_000) }
}

extension VarlinkReply {
  /// The parameters as text.
  var text: String { String(decoding: parameters, as: UTF8.self) }
}

extension VarlinkClient {
  /// Sends text and a NUL.
  func send(message: String) throws(VarlinkClientError) { try send(frame: Array(message.utf8) + [0]) }

  /// Whether the service has closed the connection, after whatever replies are left.
  func isAtEnd() -> Bool {
    do throws(VarlinkClientError) {
      while true { _ = try receive() }
    } catch { return error == .closed }
  }
}
