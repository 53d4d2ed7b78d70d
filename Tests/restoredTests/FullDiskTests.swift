import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

/// The real daemon on a small disk that is filled to the brim.
@Suite(.enabled(if: SmallDisk.isRoot, "needs root to mount a disk"))
struct FullDiskTests {
  private func state(_ number: Int, bytes: Int) -> String {
    #"{"values":{"n":\#(number),"x":"\#(String(repeating: "x", count: bytes))"}}"#
  }

  private func status(_ client: VarlinkClient) throws -> GetStatus.Reply {
    try client.call(GetStatus.self, GetStatus.Parameters())
  }

  @Test(
    "saves are refused with what to do, restores go on, the status says so, and with space again all is well, unasked",
    .enabled(if: SmallDisk.isAllowed, "cannot here: mounting is not allowed")
  )
  func fillsUp() throws {
    let folder = TemporaryFolder()
    let disk = try #require(SmallDisk(folder.file("state"), bytes: 4 << 20))
    let daemon = DaemonProcess(folder: folder)
    let pid = daemon.process.pid
    let client = try daemon.client()
    try client.save(state(0, bytes: 2_000))
    for round in 1...3 {
      let kept = try client.restore().text
      disk.fill()
      let error = #expect(throws: InterfaceError.self) { try client.save(state(round, bytes: 300_000)) }
      guard case .storageFull(let remedy) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(remedy.contains("free some space"))
      #expect(try client.restore().text == kept)
      let launched = try client.call(Launch.self, Launch.Parameters(app: "app", scene: "main"))
      #expect(launched.state.bytes.elementsEqual(kept.utf8))
      #expect(try status(client).health == .degraded)
      #expect(try status(client).problems.contains { $0.contains("full") })
      disk.free()
      try client.save(state(round, bytes: 300_000))
      #expect(try client.restore().text == state(round, bytes: 300_000))
      #expect(try status(client).health == .ok)
    }
    #expect(daemon.process.pid == pid)
    daemon.kill()
    daemon.start()
    #expect(try daemon.client().restore().text == state(3, bytes: 300_000))
    daemon.stop()
  }

  @Test(
    "calls that are answered without a write do not end the fault of a full disk",
    .enabled(if: SmallDisk.isAllowed, "cannot here: mounting is not allowed")
  )
  func answersWithoutWriting() throws {
    let folder = TemporaryFolder()
    let disk = try #require(SmallDisk(folder.file("state"), bytes: 4 << 20))
    let daemon = DaemonProcess(folder: folder)
    let client = try daemon.client()
    let kept = state(0, bytes: 2_000)
    let revision = try client.save(kept).revision
    try client.put("card", ["a"])
    try client.save(kept, scene: "closed")
    _ = try client.call(CloseScene.self, CloseScene.Parameters(app: "app", scene: "closed"))
    let table = SetRoutes.Parameters(app: "app", table: JSONObjectText(#"{"history":5}"#.utf8))
    _ = try client.call(SetRoutes.self, table)
    disk.fill()
    #expect(throws: InterfaceError.self) { try client.save(state(1, bytes: 300_000)) }
    #expect(try !client.save(kept).changed)
    _ = try client.call(Rollback.self, Rollback.Parameters(app: "app", scene: "main", revision: revision))
    _ = try client.call(CloseScene.self, CloseScene.Parameters(app: "app", scene: "closed"))
    _ = try client.call(ReopenScene.self, ReopenScene.Parameters(app: "app", scene: "main"))
    _ = try client.call(SetRoutes.self, table)
    try client.put("card", ["a"])
    try client.delete("card", ["b"])
    _ = try client.call(ForgetKind.self, ForgetKind.Parameters(app: "app", kind: "none"))
    _ = try client.call(ResetApp.self, ResetApp.Parameters(app: "none"))
    _ = try client.call(ImportRecords.self, ImportRecords.Parameters(records: []))
    #expect(try status(client).health == .degraded)
    #expect(!daemon.process.errors.contains("storage works again"))
    disk.free()
    try client.save(state(1, bytes: 300_000))
    #expect(try status(client).health == .ok)
  }

  @Test(
    "a daemon that was killed on a full disk serves again what it held as soon as there is space",
    .enabled(if: SmallDisk.isAllowed, "cannot here: mounting is not allowed")
  )
  func startsAfterwards() throws {
    let folder = TemporaryFolder()
    let disk = try #require(SmallDisk(folder.file("state"), bytes: 4 << 20))
    let daemon = DaemonProcess(folder: folder)
    let kept = state(0, bytes: 2_000)
    try daemon.client().save(kept)
    disk.fill()
    #expect(throws: InterfaceError.self) { try daemon.client().save(state(1, bytes: 300_000)) }
    daemon.kill()
    disk.fill()
    if daemon.startIfItLives() {
      #expect(try daemon.client().restore().text == kept)
      daemon.kill()
    } else {
      let errors = daemon.process.errors
      #expect(errors.contains("full") && errors.contains("free some space"))
      #expect(daemon.ended() == .exit(74))
    }
    disk.free()
    daemon.start()
    #expect(try daemon.client().restore().text == kept)
    try daemon.client().save(state(1, bytes: 300_000))
    daemon.stop()
  }
}

/// A disk of a few megabytes, mounted on a folder of its own and taken away when the test lets go of it.
final class SmallDisk {
  static let isRoot = geteuid() == 0
  /// Whether this root may mount.
  static let isAllowed: Bool = {
    let folder = TemporaryFolder()
    return SmallDisk(folder.file("try"), bytes: 1 << 20) != nil
  }()

  private let path: String
  private var filler: String { path + "/filler" }

  init?(_ path: String, bytes: Int) {
    self.path = path
    mkdir(path, 0o700)
    let mounted = Finished("mount", ["-t", "tmpfs", "-o", "size=\(bytes),mode=700", "none", path])
    if mounted.ending != .exit(0) { return nil }
  }

  deinit { _ = Finished("umount", ["--lazy", path]) }

  /// Leaves not a byte.
  func fill() {
    let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = [UInt8](repeating: 0x78, count: 4_096)
    while write(file, bytes, bytes.count) > 0 {}
  }

  /// Gives back what `fill` took.
  func free() { unlink(filler) }
}
