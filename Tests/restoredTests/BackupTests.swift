import Foundation
import RestoreInterface
import Synchronization
import TestSupport
import Testing
import Varlink

/// The drill of docs/BACKUP.md: back up with the sqlite3 shell under load, put the copy in place, and look.
@Suite("Backups by SQLite's own means")
struct BackupTests {
  private static let writers = 4

  @Test(
    "all that was acknowledged before a backup under load began is there when it was put in place, each scene whole",
    arguments: ["VACUUM INTO", ".backup"]
  )
  func drill(command: String) throws {
    let daemon = DaemonProcess()
    try daemon.client().put("page", (0..<5_000).map { "p\($0)" })
    // `.backup` begins anew when someone writes, so that only a pause gives it its end: docs/BACKUP.md says so.
    let load = command == "VACUUM INTO" ? Load(daemon, writers: Self.writers) : nil
    if load == nil {
      for writer in 0..<Self.writers { try daemon.client().save(Load.state(writer, 1), scene: "w\(writer)") }
    }
    load?.wait(until: 20)
    let before = load?.acknowledged ?? [Int](repeating: 1, count: Self.writers)

    let copy = daemon.folder.file("copy.sqlite3")
    let arguments = [daemon.database, command == ".backup" ? ".backup '\(copy)'" : "VACUUM INTO '\(copy)'"]
    let shell = Finished("/bin/sh", ["-c", #"umask 077; exec sqlite3 "$@""#, "sh"] + arguments)
    #expect(shell.ending == .exit(0), "\(shell.errors)")
    load?.wait(until: (before.max() ?? 0) + 5)
    load?.stop()

    putBack(copy, of: daemon)
    let client = try daemon.client()
    #expect(try client.call(GetStatus.self, GetStatus.Parameters()).health == .ok)
    for writer in 0..<Self.writers {
      let restored = try client.restore(scene: "w\(writer)").text
      let number = try #require(Load.number(in: restored, of: writer), "\(restored)")
      #expect(number >= before[writer])
    }
    #expect(try client.call(ListKinds.self, AppAddress(app: "app")).kinds.map(\.count) == [5_000])
    // And it goes on.
    #expect(try client.save(Load.state(0, 1_000_000), scene: "w0").changed)
  }

  @Test(
    "with the daemon stopped, its one file is the whole database: also where nothing was saved since its start",
    arguments: [false, true]
  )
  func oneFile(killed: Bool) throws {
    let daemon = DaemonProcess()
    if killed {
      try daemon.client().save(#"{"values":{"n":1}}"#, scene: "main")
      daemon.kill()
      daemon.start()
    }
    #expect(daemon.stop() == .exit(0))
    let copy = TemporaryFolder()
    copy.write(Files.read(daemon.database), to: "restored.sqlite3")
    let check = Finished(DaemonProcess.program, ["--check", "--state-dir", copy.path])
    #expect(check.ending == .exit(0), "\(check.errors)")
    #expect(check.text.contains(killed ? "1 scene, 1 revision," : "0 scenes"), "\(check.text)")
    #expect(!FileManager.default.fileExists(atPath: daemon.database + "-wal"))
  }

  /// Puts a copy in the place of the database, as docs/BACKUP.md says, and starts the daemon on it.
  private func putBack(_ copy: String, of daemon: DaemonProcess) {
    #expect(daemon.stop() == .exit(0))
    let script = #"mv "$1" "$1.before" && rm -f "$1-wal" "$1-shm" && install -m 600 "$2" "$1""#
    let put = Finished("/bin/sh", ["-c", script, "sh", daemon.database, copy])
    #expect(put.ending == .exit(0), "\(put.errors)")
    let check = Finished(DaemonProcess.program, ["--check", "--state-dir", daemon.folder.file("state")])
    #expect(check.ending == .exit(0), "\(check.errors)")
    daemon.start()
  }

  /// Clients that save, each its own scene, one number after the other.
  private final class Load {
    private final class Shared: Sendable {
      let numbers: Locked<[Int]>
      let isStopping = Atomic(false)
      init(_ count: Int) { numbers = Locked([Int](repeating: 0, count: count)) }
    }
    private let shared: Shared
    private let running = DispatchGroup()

    init(_ daemon: DaemonProcess, writers: Int) {
      shared = Shared(writers)
      for writer in 0..<writers {
        let shared = shared
        let socket = daemon.socket
        let running = running
        running.enter()
        Thread.detachNewThread {
          defer { running.leave() }
          guard let client = try? VarlinkClient(path: socket, timeoutMilliseconds: 30_000) else { return }
          for number in 1...1_000_000 where !shared.isStopping.load(ordering: .relaxed) {
            guard (try? client.save(Load.state(writer, number), scene: "w\(writer)")) != nil else { return }
            shared.numbers.withLock { $0[writer] = number }
          }
        }
      }
    }

    /// The number that each client was last answered for.
    var acknowledged: [Int] {
      // A copy of its own: by the count of references alone, by which the storage is shared and then not, the thread
      // sanitizer does not see who comes after whom.
      shared.numbers.withLock { $0.map { $0 } }
    }

    /// Waits until each client was answered for `number`.
    func wait(until number: Int) {
      while acknowledged.contains(where: { $0 < number }) { Thread.sleep(forTimeInterval: 0.001) }
    }

    func stop() {
      shared.isStopping.store(true, ordering: .relaxed)
      running.wait()
    }

    static func state(_ writer: Int, _ number: Int) -> String {
      #"{"values":{"writer":\#(writer),"n":\#(number),"x":"\#(String(repeating: "x", count: number % 50))"}}"#
    }

    /// The number of a whole state of a client; nil: it is none that the client sent.
    static func number(in text: String, of writer: Int) -> Int? {
      let parts = text.split(separator: ",")
      guard parts.count == 3, let number = Int(parts[1].dropFirst(4)) else { return nil }
      return state(writer, number) == text ? number : nil
    }
  }
}
