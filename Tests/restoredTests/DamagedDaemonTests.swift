import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("Over a damaged database the daemon starts or goes on, keeps what was damaged, and says what it did")
struct DamagedDaemonTests {
  /// A daemon with scenes of about a page each, half of them with more than one revision; stopped in good order.
  private func stopped(scenes: Int = 30) throws -> DaemonProcess {
    let daemon = DaemonProcess()
    let client = try daemon.client()
    for scene in 0..<scenes {
      for round in 0...scene % 2 { try client.save(Self.state(scene, round), scene: "s\(scene)") }
    }
    #expect(daemon.stop() == .exit(0))
    return daemon
  }

  private static func state(_ scene: Int, _ round: Int) -> String {
    #"{"values":{"is":"scene-\#(scene)-\#(round).","x":"\#(String(repeating: "x", count: 1_500))"}}"#
  }

  private func write(_ bytes: [UInt8], _ daemon: DaemonProcess, _ suffix: String = "") {
    daemon.folder.write(bytes, to: "state/restored.sqlite3\(suffix)")
  }

  /// Where the only place of `text` is.
  private func place(of text: String, in bytes: [UInt8]) throws -> Int {
    let needle = Array(text.utf8)
    return try #require(
      (0..<bytes.count - needle.count).first { bytes[$0..<$0 + needle.count].elementsEqual(needle) }
    )
  }

  /// Overwrites a page, the first of which is 0.
  private func spoilPage(_ number: Int, in bytes: inout [UInt8]) {
    for index in number * 2_048..<(number + 1) * 2_048 { bytes[index] = 0xA5 }
  }

  /// Overwrites the page that holds `text`.
  private func spoilPage(of text: String, in bytes: inout [UInt8]) throws {
    spoilPage(try place(of: text, in: bytes) / 2_048, in: &bytes)
  }

  private func status(_ daemon: DaemonProcess) throws -> GetStatus.Reply {
    try daemon.client().call(GetStatus.self, GetStatus.Parameters())
  }

  private func aside(_ daemon: DaemonProcess) -> [String] {
    Finished("ls", [daemon.folder.file("state")]).text.split(separator: "\n").map(String.init)
      .filter { $0.contains(".damaged-") || $0.contains(".foreign-") }
  }

  /// How many of the scenes come back as they were saved; the others with an error of their own.
  private func restored(_ daemon: DaemonProcess, scenes: Int = 30) throws -> Int {
    let client = try daemon.client()
    var count = 0
    for scene in 0..<scenes {
      do {
        let text = try client.restore(scene: "s\(scene)").text
        #expect((0...scene % 2).contains { text == Self.state(scene, $0) }, "scene \(scene)")
        count += 1
      } catch let error as InterfaceError {
        #expect(error == .sceneNotFound(app: "app", scene: "s\(scene)"))
      }
    }
    return count
  }

  /// Waits until the database was recovered, which a watch from before hears of, whenever it comes.
  private func waitForGap(_ daemon: DaemonProcess) throws {
    while true {
      do {
        let watch = try WatchStream(daemon, after: 1)
        while try watch.nextEvent().type != .gap {}
        return
      } catch InterfaceError.storageFailed {
        // It met the damage itself, and so the recovery has begun.
      }
    }
  }

  private func expectRecovered(_ daemon: DaemonProcess, atLeast scenes: Int, of whole: Int = 30) throws {
    let found = try restored(daemon, scenes: whole)
    #expect(found >= scenes)
    let status = try status(daemon)
    let kept = try #require(aside(daemon).first)
    #expect(status.health == .degraded)
    #expect(status.problems.contains { $0.contains(kept) && $0.contains("rm -r") && $0.contains("\(found) scenes") })
    #expect(daemon.process.errors.contains(kept))
    let newest = try daemon.client().save(#"{"values":{}}"#, scene: "after").revision
    #expect(newest > 45)
    #expect(try daemon.client().restore(scene: "after").revision == newest)
  }

  @Test("payload bytes of the newest revision flipped: the one before is served, that is said, and saving works again")
  func payload() throws {
    let daemon = try stopped()
    var bytes = Files.read(daemon.database)
    bytes[try place(of: "scene-7-1.", in: bytes)] ^= 0x20
    write(bytes, daemon)
    daemon.start()
    let client = try daemon.client()
    #expect(try client.restore(scene: "s7").text == Self.state(7, 0))
    let status = try status(daemon)
    #expect(status.health == .degraded && status.problems.contains { $0.contains("scene s7") })
    #expect(try client.save(Self.state(7, 1), scene: "s7").changed)
    #expect(try client.restore(scene: "s7").text == Self.state(7, 1))
    #expect(aside(daemon) == [], "only a value is damaged, not the file")
  }

  @Test("SIGKILL, then the database or its log cut to nothing or to half", arguments: ["", "-wal"], [0, 2])
  func cut(_ suffix: String, _ part: Int) throws {
    let daemon = try stopped()
    daemon.start()
    let client = try daemon.client()
    try client.save(Self.state(3, 0), scene: "s3")
    // In the middle of saves that nobody waits for.
    for number in 0..<20 {
      try client.send(Save.fullName, #"{"app":"app","scene":"s0","state":{"values":{"n":\#(number)}}}"#.utf8)
    }
    daemon.kill()
    let whole = daemon.folder.read("state/restored.sqlite3\(suffix)")
    let cut = part == 0 ? [] : Array(whole.prefix(whole.count / part))
    write(cut, daemon, suffix)
    daemon.start()
    // A page that is missing while there is a log is found by the look at all pages, if not before.
    try waitForGap(daemon)
    let kept = aside(daemon).filter { !$0.hasSuffix(".txt") }
    #expect(kept.contains { daemon.folder.read("state/\($0)") == cut && $0.hasSuffix(suffix) }, "\(kept)")
    #expect(daemon.process.errors.contains("damaged-"))
    let status = try status(daemon)
    #expect(status.health == .degraded && status.problems.contains { $0.contains("damaged-") })
    let newest = try daemon.client().save(#"{"values":{}}"#, scene: "after").revision
    #expect(newest > 45)
    #expect(try daemon.client().restore(scene: "after").revision == newest)
  }

  @Test("a page, the header, or the whole beginning overwritten while the daemon was down")
  func overwritten() throws {
    for range in [0..<100, 0..<2_048, 0..<16_384] {
      let daemon = try stopped()
      var bytes = Files.read(daemon.database)
      for index in range { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
      write(bytes, daemon)
      daemon.start()
      try expectRecovered(daemon, atLeast: range.count > 2_048 ? 0 : 30)
      #expect(daemon.folder.read("state/\(try #require(aside(daemon).first))") == bytes)
    }
  }

  @Test("the look at all pages after the start finds what nobody asked for, and a watch hears of a gap")
  func background() throws {
    let daemon = try stopped()
    var bytes = Files.read(daemon.database)
    try spoilPage(of: "scene-11-1.", in: &bytes)
    write(bytes, daemon)
    daemon.start()
    let watch = try WatchStream(daemon)
    #expect(try watch.next().hasPrefix("ready"))
    let gap = try watch.nextEvent()
    #expect(gap.type == .gap && gap.revision > 45)
    try expectRecovered(daemon, atLeast: 29)
    #expect(try watch.next().hasPrefix("saved"), "the watch goes on")
    #expect(daemon.stop() == .exit(0))
    daemon.start()
    #expect(try restored(daemon) >= 29)
    #expect(try status(daemon).health == .degraded, "for as long as the damaged file is there")
    for name in aside(daemon) { unlink(daemon.folder.file("state/\(name)")) }
    #expect(try status(daemon).health == .ok)
  }

  @Test("a call that meets the damage is answered: a save in the new database, a read with an error that says so")
  func met() throws {
    let daemon = try stopped(scenes: 12)
    daemon.start()
    // No scene's rows are read at a start when something else changed last.
    try daemon.client().put("card", ["c1"])
    #expect(daemon.stop() == .exit(0))
    var bytes = Files.read(daemon.database)
    for text in ["scene-11-0.", "scene-11-1."] { try spoilPage(of: text, in: &bytes) }
    write(bytes, daemon)
    daemon.start()
    let watch = try WatchStream(daemon)
    #expect(try watch.next().hasPrefix("ready"))
    let reader = try daemon.client()
    do {
      _ = try reader.restore(scene: "s11")
    } catch let error as InterfaceError {
      guard case .storageFailed(let reason, let remedy) = error else {
        #expect(error == .sceneNotFound(app: "app", scene: "s11"), "recovered by then")
        return
      }
      #expect(reason.contains("damaged") && remedy.contains("recovered"))
    }
    let saved = try daemon.client().save(#"{"values":{"again":true}}"#, scene: "s11")
    #expect(saved.changed)
    #expect(try watch.next().hasPrefix("gap"))
    #expect(try reader.restore(scene: "s11").text == #"{"values":{"again":true}}"#)
    try expectRecovered(daemon, atLeast: 11, of: 11)
  }

  @Test("damage in the scene that was saved last, from which the user's counts are taken, is recovered by the start")
  func savedLast() throws {
    let daemon = try stopped(scenes: 12)
    var bytes = Files.read(daemon.database)
    try spoilPage(of: "scene-11-1.", in: &bytes)
    write(bytes, daemon)
    daemon.start()
    #expect(!aside(daemon).isEmpty)
    try expectRecovered(daemon, atLeast: 11, of: 12)
  }

  @Test("a text file in the database's place is kept as it is, and the daemon serves")
  func text() throws {
    let folder = TemporaryFolder()
    mkdir(folder.file("state"), 0o700)
    folder.write("this is no database, but it may be dear to somebody".utf8, to: "state/restored.sqlite3")
    let daemon = DaemonProcess(folder: folder)
    let kept = try #require(aside(daemon).first { !$0.hasSuffix(".txt") })
    #expect(kept.contains(".foreign-"))
    #expect(folder.read("state/\(kept)") == Array("this is no database, but it may be dear to somebody".utf8))
    try daemon.client().save(#"{"values":{}}"#)
    #expect(try status(daemon).problems.contains { $0.contains(kept) })
  }

  @Test("a database of a newer release is refused with exit 78, and not a byte is changed")
  func newer() throws {
    let daemon = try stopped(scenes: 2)
    var bytes = Files.read(daemon.database)
    bytes[63] = 99
    write(bytes, daemon)
    let result = Finished(
      DaemonProcess.program,
      ["--socket", daemon.socket, "--state-dir", daemon.folder.file("state")]
    )
    #expect(result.ending == .exit(78))
    #expect(result.errors.contains("schema 99"))
    #expect(Files.read(daemon.database) == bytes && aside(daemon) == [])
  }

  @Test("where there is no room for what can be recovered, nothing is changed, and the next start tries again")
  func noRoom() throws {
    let daemon = try stopped()
    var bytes = Files.read(daemon.database)
    spoilPage(0, in: &bytes)
    write(bytes, daemon)
    let result = Finished(
      "prlimit",
      ["--fsize=20000", DaemonProcess.program, "--socket", daemon.socket, "--state-dir", daemon.folder.file("state")],
      // Where there is such a folder, the thread sanitizer writes a file there at the start that is larger than may be.
      environment: ["TMPDIR": "/none"]
    )
    #expect(result.ending == .exit(74))
    #expect(result.errors.contains("could not be copied") && result.errors.contains("left as it is"))
    #expect(Files.read(daemon.database) == bytes && aside(daemon) == [])
    #expect(Finished("ls", [daemon.folder.file("state")]).text == "restored.lock\nrestored.sqlite3\n")
    daemon.start()
    try expectRecovered(daemon, atLeast: 30)
  }

  /// A daemon's folder with a database whose first page is damaged, and that page's bytes and all others.
  private func damaged(_ folder: TemporaryFolder = TemporaryFolder()) throws -> (DaemonProcess, [UInt8]) {
    let sound = try stopped()
    var bytes = Files.read(sound.database)
    spoilPage(0, in: &bytes)
    mkdir(folder.file("state"), 0o700)
    for name in ["restored.sqlite3", "restored.lock"] {
      folder.write(sound.folder.read("state/\(name)"), to: "state/\(name)")
    }
    folder.write(bytes, to: "state/restored.sqlite3")
    return (DaemonProcess(folder: folder, starting: false), bytes)
  }

  private static let isRoot = geteuid() == 0
  private static let canMount = isRoot && Finished("unshare", ["--mount", "true"]).ending == .exit(0)

  /// That a start which could not recover says why, and has changed nothing; and that the next one recovers.
  private func expectRefused(
    _ result: Finished,
    _ daemon: DaemonProcess,
    _ bytes: [UInt8],
    _ code: Int32,
    _ words: String
  )
    throws
  {
    #expect(result.ending == .exit(code), "\(result.errors)")
    #expect(
      result.errors.contains("could not be copied") && result.errors.contains("left as it is"),
      "\(result.errors)"
    )
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(Files.read(daemon.database) == bytes && aside(daemon) == [])
    let names = Finished("ls", [daemon.folder.file("state")]).text.split(separator: "\n").filter { $0 != "filler" }
    #expect(names == ["restored.lock", "restored.sqlite3"])
  }

  @Test(
    "where the state folder may not be written, nothing is changed, and the next start recovers",
    .enabled(if: isRoot, "needs root to be another user")
  )
  func closedFolder() throws {
    let (daemon, bytes) = try damaged()
    let state = daemon.folder.file("state")
    chmod(daemon.folder.path, 0o777)
    for name in ["/restored.sqlite3", "/restored.lock", ""] { chown(state + name, 12_001, 12_001) }
    let command =
      ["--reuid", "12001", "--regid", "12001", "--clear-groups", DaemonProcess.program]
      + ["--socket", daemon.socket, "--state-dir", state]
    chmod(state, 0o500)
    try expectRefused(Finished("setpriv", command), daemon, bytes, 73, "Permission denied")
    for name in ["", "/restored.sqlite3", "/restored.lock"] { chown(state + name, 0, 0) }
    chmod(state, 0o700)
    daemon.start()
    try expectRecovered(daemon, atLeast: 30)
  }

  @Test(
    "where the disk is read-only, nothing is changed, and the next start recovers",
    .enabled(if: canMount, "needs root and a mount name space")
  )
  func readOnlyDisk() throws {
    let (daemon, bytes) = try damaged()
    let command = #"mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@""#
    let state = daemon.folder.file("state")
    let result = Finished(
      "unshare",
      ["--mount", "sh", "-c", command, "sh", state, DaemonProcess.program, "--socket", daemon.socket]
        + ["--state-dir", state]
    )
    #expect(result.ending == .exit(74))
    #expect(result.errors.contains("Read-only file system") && result.errors.contains("mount"))
    #expect(Files.read(daemon.database) == bytes && aside(daemon) == [])
    daemon.start()
    try expectRecovered(daemon, atLeast: 30)
  }

  @Test(
    "where the disk is full, nothing is changed, and the next start recovers",
    .enabled(if: SmallDisk.isRoot, "needs root to mount a disk"),
    .enabled(if: SmallDisk.isAllowed, "cannot here: mounting is not allowed")
  )
  func fullDisk() throws {
    let folder = TemporaryFolder()
    let disk = try #require(SmallDisk(folder.file("state"), bytes: 2 << 20))
    let (daemon, bytes) = try damaged(folder)
    disk.fill()
    let arguments = ["--socket", daemon.socket, "--state-dir", folder.file("state")]
    try expectRefused(Finished(DaemonProcess.program, arguments), daemon, bytes, 74, "free some space")
    disk.free()
    daemon.start()
    try expectRecovered(daemon, atLeast: 30)
    daemon.stop()
  }

  @Test("--check says what a start would do, and changes nothing")
  func check() throws {
    let daemon = try stopped()
    var bytes = Files.read(daemon.database)
    spoilPage(0, in: &bytes)
    write(bytes, daemon)
    let check = Finished(DaemonProcess.program, ["--check", "--state-dir", daemon.folder.file("state")])
    #expect(check.ending == .exit(74))
    #expect(check.text.contains("a start keeps it aside, and recovers 30 scenes, 45 revisions"))
    #expect(Files.read(daemon.database) == bytes && aside(daemon) == [])
    daemon.start()
    let after = Finished(DaemonProcess.program, ["--check", "--state-dir", daemon.folder.file("state")])
    #expect(after.ending == .exit(0))
    let kept = try #require(aside(daemon).first)
    #expect(after.text.contains("all sound") && after.text.contains(kept))
  }
}
