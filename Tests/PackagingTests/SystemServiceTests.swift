import RestoreInterface
import TestSupport
import Testing
import Varlink

/// One daemon for all users, under a real system manager.
@Suite(
  .serialized,
  .enabled(if: Machine.obstacle.reason == nil, Comment(rawValue: Machine.obstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct SystemServiceTests {
  private let machine: Machine

  init() throws {
    machine = try Machine.own.get()
    machine.succeeds("systemctl", "stop", "restored.service")
    machine.succeeds("systemctl", "start", "restored.socket")
  }

  private func save(_ state: String, as user: Machine.User) -> String {
    machine.succeeds("restorectl", "save", as: user, input: state)
  }

  private func restore(as user: Machine.User) -> Finished { machine.run(["restorectl", "restore"], as: user) }

  @Test("the first call starts it, as its own user, with its files its own")
  func activation() throws {
    #expect(machine.property("ActiveState") == "inactive")
    try #require(machine.isAnswered(as: .ann))
    #expect(machine.property("ActiveState") == "active")
    // Written a second after something changed, as here the first connection.
    while !machine.property("StatusText").contains(" scenes, ") {}
    #expect(machine.property("StatusText").contains(/[0-9]+ scenes, [0-9]+ connections, ok/))
    #expect(machine.succeeds("stat", "-c", "%U %a", "/var/lib/restored") == "restored 700")
    #expect(machine.succeeds("stat", "-c", "%U %a", "/var/lib/restored/restored.sqlite3") == "restored 600")
    #expect(machine.succeeds("stat", "-c", "%a", "/run/restored", "/run/restored/io.restored") == "755\n666")
    let process = machine.succeeds("cat", "/proc/\(machine.mainPID())/status", "/proc/\(machine.mainPID())/limits")
    #expect(process.contains("NoNewPrivs:\t1") && process.contains("CapEff:\t0000000000000000"))
    #expect(process.contains(/Max open files +8192 +8192/))
  }

  @Test("two users with scenes of one name see each their own, root neither's, and nobody is refused")
  func isolation() {
    _ = save(#"{"stacks":{"ann":["a"]}}"#, as: .ann)
    #expect(restore(as: .ben).ending == .exit(66))
    _ = save(#"{"stacks":{"ben":["b"]}}"#, as: .ben)
    #expect(restore(as: .ann).text == "{\"stacks\":{\"ann\":[\"a\"]}}\n")
    #expect(restore(as: .ben).text == "{\"stacks\":{\"ben\":[\"b\"]}}\n")
    #expect(machine.run(["restorectl", "restore"]).ending == .exit(66))
    let scenes = machine.succeeds("restorectl", "--json", "scenes", "--all-apps", as: .ann)
    #expect(scenes.contains(#""scene":"main""#) && scenes.ranges(of: #""scene":"#).count == 1, "\(scenes)")
    machine.succeeds("restorectl", "forget", as: .ben)
    #expect(restore(as: .ann).ending == .exit(0))
    #expect(restore(as: .nobody).ending == .exit(77))
  }

  @Test("a connection made while it is dead is served by the next one, with all that was saved")
  func killed() throws {
    _ = save(#"{"stacks":{"kill":["k"]}}"#, as: .ann)
    let before = machine.mainPID()
    machine.succeeds("kill", "-KILL", before)
    #expect(try machine.client().call(GetStatus.self, GetStatus.Parameters()).health == .ok)
    #expect(machine.mainPID() != before)
    #expect(restore(as: .ann).text == "{\"stacks\":{\"kill\":[\"k\"]}}\n")
  }

  @Test("the watchdog hears from it, and ends one that stands still; the next one serves who connected meanwhile")
  func watchdog() throws {
    machine.addDropIn("[Service]\nWatchdogSec=2s\n")
    defer { machine.removeDropIns() }
    try #require(machine.isAnswered(as: .ann))
    var heard: Set<String> = []
    while heard.count < 3, machine.property("NRestarts") == "0" {
      heard.insert(machine.property("WatchdogTimestampMonotonic"))
    }
    #expect(heard.count == 3)
    let before = machine.mainPID()
    machine.succeeds("kill", "-STOP", before)
    #expect(machine.isAnswered(as: .ann))
    #expect(machine.mainPID() != before)
    #expect(machine.journal("_PID=1", "UNIT=restored.service").contains("Watchdog timeout"))
  }

  @Test("what happens to it is in the journal, with ids and fields; what people save is not")
  func journal() throws {
    machine.addDropIn("[Service]\nEnvironment=RESTORED_LOG_LEVEL=debug\n")
    defer { machine.removeDropIns() }
    _ = save(#"{"stacks":{"hidden-tab":[{"card":{"id":"hidden-id"}}]}}"#, as: .ann)
    machine.succeeds("restorectl", "entities", "put", "card", "hidden-id", as: .ann)
    #expect(machine.run(["restorectl", "restore", "--scene", "none"], as: .ann).ending == .exit(66))
    let pid = machine.mainPID()
    let ids = machine.journal("_PID=\(pid)", fields: "MESSAGE_ID,SYSLOG_IDENTIFIER,_SYSTEMD_UNIT,PRIORITY")
    #expect(ids.contains(#""MESSAGE_ID":"a2b76e8142874ad6a2c901859c671c33""#), "\(ids)")
    #expect(ids.contains(#""SYSLOG_IDENTIFIER":"restored""#) && ids.contains(#""_SYSTEMD_UNIT":"restored.service""#))
    let failed = machine.journal("_PID=\(pid)", "RESTORED_ERROR=io.restored.SceneNotFound")
    #expect(failed.contains(#""RESTORED_PEER_UID":"61001""#) && failed.contains(#""PRIORITY":"7""#), "\(failed)")
    #expect(!machine.journal("_PID=\(pid)").contains("hidden"))
  }

  @Test("a user whose quota is used up is told so and can go on reading; others are not concerned; forgetting helps")
  func quota() {
    machine.addDropIn("[Service]\nEnvironment=RESTORED_USER_QUOTA=20000\n")
    defer { machine.removeDropIns() }
    machine.run(["restorectl", "reset"], as: .ann)
    let state = #"{"stacks":{},"values":{"draft":"\#(String(repeating: "x", count: 8_000))"}}"#
    for scene in ["one", "two"] { machine.succeeds("restorectl", "save", "--scene", scene, as: .ann, input: state) }
    let third = machine.run(["restorectl", "save", "--scene", "three"], as: .ann, input: state)
    #expect(third.ending == .exit(74), "\(third.errors)")
    #expect(machine.succeeds("restorectl", "restore", "--scene", "one", as: .ann) == state)
    machine.succeeds("restorectl", "save", "--scene", "three", as: .ben, input: state)
    machine.succeeds("restorectl", "forget", "--scene", "two", as: .ann)
    machine.succeeds("restorectl", "save", "--scene", "three", as: .ann, input: state)
    machine.succeeds("systemctl", "stop", "restored.service")
  }

  @Test("root, and nobody else, can erase what a user owns")
  func forgetUser() {
    let state = #"{"stacks":{"t":["a"]}}"#
    for user in [Machine.User.ann, .ben] { _ = save(state, as: user) }
    #expect(machine.run(["restorectl", "forget-user", "61001"], as: .ben).ending == .exit(77))
    #expect(restore(as: .ann).ending == .exit(0))
    machine.succeeds("restorectl", "forget-user", "61001")
    #expect(restore(as: .ann).ending == .exit(66))
    #expect(restore(as: .ben).text == state + "\n")
  }

  @Test("ten crashes in a row do not cost the socket")
  func crashLoop() throws {
    try #require(machine.isAnswered(as: .ann))
    for crash in 1...10 {
      let before = machine.mainPID()
      machine.succeeds("kill", "-KILL", before)
      try #require(machine.isAnswered(as: .ann), "crash \(crash)")
      #expect(machine.mainPID() != before)
    }
    #expect(machine.property("ActiveState", of: "restored.socket") == "active")
  }

  @Test("a clean stop closes the database, keeps the socket, and the next call starts it again")
  func cleanStop() throws {
    try #require(machine.isAnswered(as: .ann))
    machine.succeeds("systemctl", "stop", "restored.service")
    #expect(machine.property("Result") == "success" && machine.property("ExecMainStatus") == "0")
    #expect(machine.run(["test", "-e", "/var/lib/restored/restored.sqlite3-wal"]).ending == .exit(1))
    #expect(machine.property("SubState", of: "restored.socket") == "listening")
    #expect(machine.isAnswered(as: .ann))
    machine.succeeds("systemctl", "stop", "restored.socket")
    #expect(machine.property("ActiveState") == "inactive")
    #expect(machine.run(["test", "-e", "/run/restored/io.restored"]).ending == .exit(1))
    #expect(machine.run(["restorectl", "status"], as: .ann).ending == .exit(69))
  }

  @Test("of several sockets it takes the one with its name")
  func severalSockets() {
    let other = "[Socket]\nListenStream=/run/restored/other\nFileDescriptorName=another\nService=restored.service\n"
    machine.succeeds("tee", "/run/systemd/system/another.socket", input: other)
    machine.addDropIn("[Service]\nSockets=another.socket restored.socket\n")
    machine.succeeds("systemctl", "start", "another.socket")
    #expect(machine.isAnswered(as: .ann))
    machine.succeeds("systemctl", "stop", "another.socket", "restored.service")
    machine.succeeds("rm", "/run/systemd/system/another.socket")
    machine.removeDropIns()
  }

  @Test("a database from a newer release is left as it is, and tried until systemd gives up, not for ever")
  func newerDatabase() throws {
    let database = "/var/lib/restored/restored.sqlite3"
    try #require(machine.isAnswered(as: .ann))
    machine.succeeds("systemctl", "stop", "restored.service")
    let version = machine.succeeds("sqlite3", database, "PRAGMA user_version")
    machine.succeeds("sqlite3", database, "PRAGMA user_version = 9999")
    let sum = machine.succeeds("sha256sum", database)
    // Who waits is hung up on when the socket is given up.
    #expect(machine.run(["restorectl", "--timeout", "30", "status"], as: .ann).ending != .exit(0))
    #expect(machine.property("ExecMainStatus") == "78")
    #expect(machine.property("Result", of: "restored.socket") == "trigger-limit-hit")
    #expect(machine.succeeds("sha256sum", database) == sum)
    machine.succeeds("sqlite3", database, "PRAGMA user_version = \(version)")
    machine.succeeds("systemctl", "reset-failed", "restored.socket", "restored.service")
    machine.succeeds("systemctl", "restart", "restored.socket")
    #expect(machine.isAnswered(as: .ann))
  }
}
