import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("Exports whose reader is slow")
struct SlowExportTests {
  private let daemon = DaemonProcess(["--durability", "normal"])
  private static let scenes = 24
  /// More together than a socket holds, and than is read ahead.
  private static let stateBytes = 500_000

  private func fill(_ client: VarlinkClient) throws {
    let large = String(repeating: "x", count: Self.stateBytes)
    for number in 0..<Self.scenes { try client.save(#"{"values":{"x":"\#(large)"}}"#, scene: "s\(number)") }
  }

  private func call(_ connection: RawConnection) {
    connection.send(Array(#"{"method":"io.restored.ExportRecords","more":true,"parameters":{}}"#.utf8) + [0])
  }

  /// Bytes of the daemon's memory that only it has.
  private var memory: Int {
    let lines = String(decoding: Files.read("/proc/\(daemon.process.pid)/status"), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("RssAnon:") } ?? ""
    return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) << 10
  }

  @Test("a reader that stops pins no transaction: what is forgotten meanwhile is scrubbed; then it gets the rest")
  func pinsNothing() throws {
    let client = try daemon.client()
    try fill(client)
    let slow = try RawConnection(daemon.socket)
    call(slow)
    #expect(slow.frame().contains(#""scene":"s0","first":true"#))
    // Emptying the log needs that nobody reads it: with a transaction open, this is StorageFailed.
    _ = try client.call(ForgetScene.self, SceneAddress(app: "app", scene: "s\(Self.scenes - 1)"))
    #expect(try client.call(GetStatus.self, GetStatus.Parameters()).walBytes < 1 << 20)
    try client.save(#"{"values":{"late":1}}"#, scene: "late")
    // A state is larger than a piece, so each comes alone; the last message has none.
    var scenes: [Substring] = []
    while case let frame = slow.frame(), frame.hasSuffix(#""continues":true}"#) {
      scenes.append(try #require(frame.split(separator: "\"", maxSplits: 16)[safe: 15]))
    }
    #expect(scenes == (1..<Self.scenes - 1).map { "s\($0)" }, "all that stayed and was there when it began")
  }

  @Test(
    "readers that stop cost a piece each, and a user has only so many at a time",
    .enabled(if: getenv("RESTORED_SANITIZER") == nil, "cannot here: a sanitizer's own memory would be counted")
  )
  func memoryIsBounded() throws {
    let client = try daemon.client()
    try fill(client)
    _ = try client.restore(scene: "s0")
    let before = memory
    var slow: [RawConnection] = []
    for _ in 0..<8 {
      let connection = try RawConnection(daemon.socket)
      call(connection)
      #expect(connection.frame().contains(#""continues":true"#))
      slow.append(connection)
    }
    let ninth = try RawConnection(daemon.socket)
    call(ninth)
    #expect(
      ninth.frame() == #"{"error":"io.restored.LimitExceeded","parameters":{"limit":"exports","maximum":8,"actual":9}}"#
    )
    // Each turn that the daemon had to read ahead in has passed once this is answered.
    for _ in 0..<200 { try client.save(#"{"values":{"n":1}}"#, scene: "other") }
    let grown = memory - before
    #expect(
      grown < 32 << 20,
      "grew by \(grown >> 20) MiB, all of them would have 8 times \(Self.scenes * Self.stateBytes >> 20)"
    )
    // One that goes makes room.
    slow[0].close()
    while true {
      let connection = try RawConnection(daemon.socket)
      call(connection)
      if !connection.frame().contains("LimitExceeded") { break }
    }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
