import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("What keeps the daemon from starting is said, with an exit code of its own")
struct StartTests {
  private let folder = TemporaryFolder()
  private static let isRoot = getuid() == 0
  private static let canMount =
    isRoot && Finished("unshare", ["--mount", "true"]).ending == .exit(0)

  private func arguments(_ state: String) -> [String] {
    ["--socket", folder.file("run/io.restored"), "--state-dir", state]
  }

  private func start(_ state: String) -> Finished { Finished(DaemonProcess.program, arguments(state)) }

  private func start(_ state: String, as uid: Int) -> Finished {
    chmod(folder.path, 0o777)
    return Finished(
      "setpriv",
      ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", DaemonProcess.program] + arguments(state)
    )
  }

  @Test("a second daemon of one state folder names the first, and ends at once")
  func second() {
    let daemon = DaemonProcess()
    let second = Finished(
      DaemonProcess.program,
      ["--socket", folder.file("s"), "--state-dir", daemon.folder.file("state")]
    )
    #expect(second.ending == .exit(75))
    #expect(second.errors.contains("process \(daemon.process.pid)"))
    #expect(Finished("ls", [folder.path]).text == "", "it left no lock file either")
  }

  @Test("a state folder to which others may write is told of, and left as it is", arguments: [0o777, 0o770, 0o755])
  func sharedFolder(mode: Int) throws {
    mkdir(folder.file("state"), 0o700)
    chmod(folder.file("state"), mode_t(mode))
    let daemon = DaemonProcess(folder: folder)
    let text = "others may write to the state folder \(folder.file("state")) (mode \(String(mode, radix: 8)))"
    #expect(daemon.process.errors.contains(text) == (mode != 0o755))
    var status = stat()
    #expect(stat(folder.file("state"), &status) == 0 && status.st_mode & 0o777 == mode_t(mode))
    #expect(try daemon.client().save(#"{"values":{}}"#).changed)
  }

  @Test("a start that may open too few files says so, and none is lost of what is there")
  func fewFiles() throws {
    let daemon = DaemonProcess()
    let saved = try daemon.client().save(#"{"values":{"n":1}}"#).revision
    daemon.kill()
    // At the socket, the loop, the lock and the database.
    for limit in 4...12 {
      let start = "ulimit -n \(limit); exec \"$0\" --socket \"$1\" --state-dir \"$2\""
      let limited = Finished(
        "sh",
        ["-c", start, DaemonProcess.program, daemon.socket, daemon.folder.file("state")]
      )
      #expect(limited.ending == .exit(73), "\(limit)")
      #expect(limited.errors.contains("let it open more files (ulimit -n"), "\(limit): \(limited.errors)")
    }
    daemon.start()
    #expect(try daemon.client().restore().revision == saved)
  }

  @Test("a second daemon of one socket leaves it to the first")
  func secondSocket() throws {
    let daemon = DaemonProcess()
    let second = Finished(DaemonProcess.program, ["--socket", daemon.socket, "--state-dir", folder.file("state")])
    #expect(second.ending == .exit(75))
    #expect(second.errors.contains(daemon.socket))
    #expect(Finished("ls", [folder.path]).text == "", "it made nothing")
    #expect(access(daemon.socket + ".lock", F_OK) == 0, "the first one's lock is where it was")
    #expect(try daemon.client().call(GetStatus.self, GetStatus.Parameters()).health == .ok)
  }

  @Test("a second daemon of a state folder, with a socket in a folder that is missing, makes none of its own")
  func secondMakesNoFolder() {
    let daemon = DaemonProcess()
    let state = daemon.folder.file("state")
    let second = Finished(DaemonProcess.program, ["--socket", folder.file("run/deeper/s"), "--state-dir", state])
    #expect(second.ending == .exit(75))
    #expect(Finished("ls", [folder.path]).text == "")
  }

  @Test("a daemon whose socket another program has leaves nothing")
  func socketOfAnother() throws {
    let other = try UnixSocket.listen(path: folder.file("s"), mode: 0o600)
    let second = Finished(DaemonProcess.program, ["--socket", folder.file("s"), "--state-dir", folder.file("state")])
    #expect(second.ending == .exit(75))
    #expect(Finished("ls", [folder.path]).text == "s\n")
    #expect(other.number >= 0)
  }

  @Test("of daemons that start at once on one socket one serves, and the others leave nothing")
  func atOnce() throws {
    let children = (0..<6).map { number in
      ChildProcess(
        DaemonProcess.program,
        ["--socket", folder.file("run/deeper/s"), "--state-dir", folder.file("state-\(number)")]
      )
    }
    let socket = folder.file("run/deeper/s")
    var client: VarlinkClient?
    while client == nil {
      client = try? VarlinkClient(path: socket)
      usleep(1_000)
    }
    let holder = String(decoding: Files.read(socket + ".lock"), as: UTF8.self)
    let serving = try #require(children.first { "\($0.pid)\n" == holder })
    for child in children where child !== serving { #expect(child.wait() == .exit(75)) }
    #expect(Finished("ls", [folder.path]).text.split(separator: "\n").count == 2, "one state folder, and run")
    #expect(Finished("ls", [folder.file("run/deeper")]).text == "s\ns.lock\n")
  }

  @Test("a file in the place of the state folder", arguments: ["state", "state/deeper"])
  func file(_ name: String) {
    folder.write("no folder".utf8, to: "state")
    let result = start(folder.file(name))
    #expect(result.ending == .exit(73))
    #expect(result.errors.contains(folder.file("state")) && result.errors.contains("choose a state folder"))
  }

  @Test("a state folder that this user may not write", .enabled(if: isRoot, "needs root to be another user"))
  func notWritable() {
    mkdir(folder.file("closed"), 0o755)
    let result = start(folder.file("closed/state"), as: 12_001)
    #expect(result.ending == .exit(73))
    #expect(result.errors.contains("Permission denied") && result.errors.contains("closed"))
  }

  @Test("a state folder of another user", .enabled(if: isRoot, "needs root to be another user"))
  func foreign() {
    mkdir(folder.file("state"), 0o777)
    chmod(folder.file("state"), 0o777)
    let result = start(folder.file("state"), as: 12_001)
    #expect(result.ending == .exit(73))
    #expect(result.errors.contains("belongs to uid 0") && result.errors.contains("chown"))
  }

  @Test("a state folder on a disk that is read-only", .enabled(if: canMount, "needs root and a mount name space"))
  func readOnly() {
    mkdir(folder.file("disk"), 0o755)
    let command = #"mount -t tmpfs -o ro none "$1" && shift && exec "$@""#
    let result = Finished(
      "unshare",
      ["--mount", "sh", "-c", command, "sh", folder.file("disk"), DaemonProcess.program]
        + arguments(folder.file("disk/state"))
    )
    #expect(result.ending == .exit(74))
    #expect(result.errors.contains("Read-only file system") && result.errors.contains("mount"))
  }

  @Test("the soft limit on descriptors is raised to the hard one")
  func descriptors() {
    let notify = Notifications(in: folder)
    let child = ChildProcess(
      "prlimit",
      ["--nofile=256:2048", DaemonProcess.program] + arguments(folder.file("state")),
      environment: ["NOTIFY_SOCKET": notify.path]
    )
    #expect(notify.isReady(child))
    let limits = String(decoding: Files.read("/proc/\(child.pid)/limits"), as: UTF8.self)
    let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    #expect(line?.split(separator: " ").dropFirst(3).prefix(2) == ["2048", "2048"])
  }

  @Test("--check looks at every revision, beside the daemon and without it, and changes nothing")
  func check() throws {
    let daemon = DaemonProcess()
    for scene in ["left", "right"] { try daemon.client().save(#"{"values":{"is":"the-\#(scene)-one"}}"#, scene: scene) }
    let state = daemon.folder.file("state")
    let beside = Finished(DaemonProcess.program, ["--check", "--state-dir", state])
    #expect(beside.ending == .exit(0) && beside.text.contains("2 scenes, 2 revisions, all sound"))
    #expect(daemon.stop() == .exit(0))
    let bytes = Files.read(daemon.database)
    #expect(Finished(DaemonProcess.program, ["--check", "--state-dir", state]).ending == .exit(0))
    #expect(Files.read(daemon.database) == bytes)

    let needle = Array("the-left-one".utf8)
    let place = try #require(
      (0..<bytes.count - needle.count).first { bytes[$0..<$0 + needle.count].elementsEqual(needle) }
    )
    var damaged = bytes
    damaged[place] ^= 1
    daemon.folder.write(damaged, to: "state/restored.sqlite3")
    let found = Finished(DaemonProcess.program, ["--check", "--state-dir", state])
    #expect(found.ending == .exit(74))
    #expect(found.text.contains("revision 1 of scene left of app app is damaged") && !found.text.contains("right"))
    for empty in [folder.path, folder.file("nowhere")] {
      let misspelt = Finished(DaemonProcess.program, ["--check", "--state-dir", empty])
      #expect(misspelt.ending == .exit(73))
      #expect(misspelt.errors.contains("there is no database at \(empty)/restored.sqlite3; name the folder of one"))
    }
  }

  @Test("a stop under load answers all that was received, and what was answered is what is on disk")
  func stopUnderLoad() throws {
    let daemon = DaemonProcess()
    let clients = try (0..<4).map { _ in try daemon.client() }
    let saves = 600
    for (number, client) in clients.enumerated() {
      try client.save(#"{"values":{}}"#, app: "a", scene: "s\(number)")
      for save in 0..<saves {
        let state = #"{"app":"a","scene":"s\#(number)","state":{"values":{"n":\#(save)}}}"#
        try client.send(Save.fullName, state.utf8)
      }
    }
    let clock = ContinuousClock()
    let took = clock.measure { #expect(daemon.stop() == .exit(0)) }
    #expect(took < .seconds(5))
    var acknowledged = [Int](repeating: 0, count: clients.count)
    for (number, client) in clients.enumerated() {
      while let reply = try? client.receive(), reply.error == nil { acknowledged[number] += 1 }
    }
    // On a disk that takes this long for twenty commits the rest is left unanswered, and so unacknowledged.
    if took < .milliseconds(800) { #expect(acknowledged.allSatisfy { $0 == saves }, "\(acknowledged) in \(took)") }
    print("a stop behind \(clients.count) x \(saves) saves took \(took)")
    #expect(access(daemon.socket, F_OK) != 0, "its socket is gone")
    daemon.start()
    for (number, count) in acknowledged.enumerated() where count > 0 {
      let newest = try daemon.client().restore(app: "a", scene: "s\(number)").text
      // What was not answered may be there all the same.
      #expect((count - 1..<saves).contains { newest == #"{"values":{"n":\#($0)}}"# }, "\(count): \(newest)")
    }
  }
}
