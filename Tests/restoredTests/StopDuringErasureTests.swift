import Foundation
import RestoreInterface
import TestSupport
import Testing
import Varlink

@testable import RestoreStore

/// In each of these the erasure would go on for minutes if it were let.
@Suite("A daemon that is at an erasure when it is told to stop, or killed", .timeLimit(.minutes(10)))
struct StopDuringErasureTests {
  private static let secret = "the secret draft"
  private static let scenes = 30
  /// Where a test has the daemon end: in the first half of the VACUUM, in its second, and in the checkpoint after it.
  private static let places = ["first", "copying", "emptying"]

  private static func state(_ text: String) -> String {
    #"{"values":{"is":"\#(text)","x":"\#(String(repeating: "x", count: 100_000))"}}"#
  }

  /// A daemon with some megabytes, whose erasures slow down at `place`, which is told.
  private func filled(slowAt place: String) throws -> (DaemonProcess, Notifications) {
    let folder = TemporaryFolder()
    let reached = Notifications(in: folder)
    let daemon = DaemonProcess(
      environment: ["SLOW_ERASURE": "\(place):\(reached.path)"],
      folder: folder,
      program: Files.products + "/crashing-daemon"
    )
    let client = try daemon.client()
    for scene in 0..<Self.scenes { try client.save(Self.state("scene \(scene)"), scene: "s\(scene)") }
    try client.save(Self.state(Self.secret), scene: "forgotten")
    return (daemon, reached)
  }

  /// Sends a forget, and waits until the erasure is slow.
  private func forget(_ daemon: DaemonProcess, until reached: Notifications) throws -> VarlinkClient {
    let client = try daemon.client()
    try client.send(ForgetScene.fullName, #"{"app":"app","scene":"forgotten"}"#.utf8)
    try #require(reached.isReady(daemon.process), "the erasure did not come so far")
    return client
  }

  /// Waits for the reply of a forget that was broken off.
  private func expectTold(_ client: VarlinkClient) throws {
    let reply = try client.receive()
    let error = try #require(InterfaceError(name: reply.error ?? "", parameters: reply.parameters), "\(reply)")
    guard case .storageFailed(let reason, let remedy) = error else { throw error }
    #expect(reason.contains("deleted, not yet scrubbed") && remedy.contains("by itself"))
  }

  /// Starts the daemon that is shipped on the folder: it saves at once, and says when it has erased what was left.
  private func expectErased(_ folder: TemporaryFolder, saved: [String] = []) throws {
    let daemon = DaemonProcess(folder: folder)
    let client = try daemon.client()
    try client.save(Self.state("at once"), scene: "at once")
    #expect(throws: InterfaceError.sceneNotFound(app: "app", scene: "forgotten")) {
      try client.restore(scene: "forgotten")
    }
    #expect(daemon.process.says("is erased from the files now"), "\(daemon.process.errors)")
    for scene in 0..<Self.scenes {
      #expect(try client.restore(scene: "s\(scene)").text == Self.state("scene \(scene)"))
    }
    for scene in saved + ["at once"] { #expect(try client.restore(scene: scene).text == Self.state(scene)) }
    expectNothingLeft(in: folder)
    #expect(daemon.stop() == .exit(0))
    expectNothingLeft(in: folder)
  }

  private func expectNothingLeft(in folder: TemporaryFolder) {
    for name in Finished("ls", [folder.file("state")]).text.split(separator: "\n") {
      let found = Data(folder.read("state/\(name)")).range(of: Data(Self.secret.utf8))
      #expect(found == nil, "\(name)")
    }
  }

  @Test("every call that was received is answered, it ends, and the next start makes up for it", arguments: places)
  func stopped(_ place: String) throws {
    let (daemon, reached) = try filled(slowAt: place)
    let forgetting = try forget(daemon, until: reached)
    let waiting = (0..<4).map { "waiting \($0)" }
    let savers = try waiting.map { scene in
      let client = try daemon.client()
      try client.send(Save.fullName, #"{"app":"app","scene":"\#(scene)","state":\#(Self.state(scene))}"#.utf8)
      return client
    }
    // Each in a turn of the loop's after those saves came.
    for _ in 0..<2 { #expect(try daemon.client().restore(scene: "s0").text == Self.state("scene 0")) }
    daemon.process.send(SIGTERM)
    for client in savers { #expect(try client.receive().error == nil) }
    try expectTold(forgetting)
    #expect(daemon.ended() == .exit(0))
    try expectErased(daemon.folder, saved: waiting)
  }

  @Test("killed, it leaves what the next start makes up for", arguments: places)
  func killed(_ place: String) throws {
    let (daemon, reached) = try filled(slowAt: place)
    _ = try forget(daemon, until: reached)
    daemon.kill()
    try expectErased(daemon.folder)
  }

  @Test("killed again in the erasure that the next start makes up for, it leaves as much to the one after it")
  func killedAgain() throws {
    let (daemon, reached) = try filled(slowAt: "copying")
    _ = try forget(daemon, until: reached)
    daemon.kill()
    #expect(daemon.startIfItLives())
    #expect(reached.isReady(daemon.process), "the erasure of the start came to that place too")
    daemon.kill()
    try expectErased(daemon.folder)
  }

  @Test("a save that comes during the erasure that a start makes up for does not wait for its end")
  func saveAfterStart() throws {
    let (daemon, reached) = try filled(slowAt: "first")
    _ = try forget(daemon, until: reached)
    daemon.kill()
    #expect(daemon.startIfItLives())
    #expect(reached.isReady(daemon.process))
    try daemon.client().save(Self.state("meanwhile"), scene: "meanwhile")
    #expect(daemon.stop() == .exit(0))
    try expectErased(daemon.folder, saved: ["meanwhile"])
  }

  @Test("told to stop while another process reads the database and keeps the log, it does not wait for that one")
  func foreignReader() throws {
    let (daemon, reached) = try filled(slowAt: "emptying")
    let other = try Connection(path: daemon.database)
    let reading = try Transaction(.reading, on: other)
    #expect(try other.integer("SELECT count(*) FROM revisions") > 0)
    let forgetting = try forget(daemon, until: reached)
    daemon.process.send(SIGTERM)
    try expectTold(forgetting)
    #expect(daemon.ended() == .exit(0))
    _ = consume reading
    _ = consume other
    try expectErased(daemon.folder)
  }
}
