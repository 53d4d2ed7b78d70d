import TestSupport
import Testing

/// A daemon of each user's own, under real user managers.
///
/// Each test has a user to itself.
@Suite(
  .enabled(if: Machine.obstacle.reason == nil, Comment(rawValue: Machine.obstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct UserServiceTests {
  private let machine: Machine

  init() throws { machine = try Machine.own.get() }

  @Test("the first call starts it; its files and its socket are the user's alone, in the one place")
  func activation() throws {
    machine.logIn(.eve)
    #expect(machine.property("ActiveState", as: .eve) == "inactive")
    #expect(machine.succeeds("restorectl", "status", as: .eve).contains(Machine.User.eve.socket))
    try #require(machine.property("ActiveState", as: .eve) == "active")
    #expect(machine.property("Slice", as: .eve) == "session.slice")
    let files = [Machine.User.eve.state, Machine.User.eve.runtime + "/restored", Machine.User.eve.socket]
    #expect(machine.run(["stat", "-c", "%U %a"] + files).text == "eve 700\neve 700\neve 600\n")
    #expect(machine.run(["test", "-e", Machine.User.eve.state + "/restored.sqlite3"]).ending == .exit(0))
    let fields = "MESSAGE_ID,_SYSTEMD_USER_UNIT"
    let log = machine.journal("_PID=\(machine.mainPID(as: .eve))", fields: fields)
    #expect(log.contains("a2b76e8142874ad6a2c901859c671c33"), "\(log)")
    #expect(log.contains(#""_SYSTEMD_USER_UNIT":"restored.service""#), "\(log)")
    // Another user's, named outright.
    let other = machine.run(["restorectl", "--socket", Machine.User.eve.socket, "status"], as: .ben)
    #expect(other.ending == .exit(77), "\(other.errors)")
    machine.logOut(.eve)
  }

  @Test("what an app saves 0.4 s after it was told to end, at the end of the session, is there in the next one")
  func savesAtLogout() throws {
    machine.logIn(.cam)
    try #require(machine.isAnswered(as: .cam))
    machine.startApp(as: .cam, by: ["systemd-run", "--user", "--slice=app.slice"])
    machine.logOut(.cam)
    #expect(machine.succeeds("cat", "/kept/cam") == "revision 1")
    machine.logIn(.cam)
    #expect(machine.succeeds("restorectl", "restore", as: .cam) == App.state)
    machine.logOut(.cam)
  }

  @Test("crashes do not cost the socket, nor does a state folder that was removed, and nothing saved is lost")
  func crashes() throws {
    machine.logIn(.dan)
    machine.succeeds("restorectl", "save", as: .dan, input: App.state)
    for _ in 1...10 {
      let before = machine.mainPID(as: .dan)
      machine.succeeds("kill", "-KILL", before)
      try #require(machine.isAnswered(as: .dan))
      #expect(machine.mainPID(as: .dan) != before)
    }
    #expect(machine.succeeds("restorectl", "restore", as: .dan) == App.state)
    machine.succeeds("systemctl", "--user", "stop", "restored.service", as: .dan)
    machine.succeeds("rm", "-r", "/home/dan/.local")
    #expect(machine.isAnswered(as: .dan))
    machine.logOut(.dan)
  }
}
