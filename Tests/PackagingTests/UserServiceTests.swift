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

/// The end of a session on a machine that is shut down whole.
@Suite(
  .enabled(if: Machine.obstacle.reason == nil, Comment(rawValue: Machine.obstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct ShutdownTests {
  @Test("what an app of any session saves 0.4 s after it was told to end, while the machine shuts down, is taken")
  func savesAtShutdown() throws {
    let machine = try Machine()
    try #require(machine.isAnswered(as: .ann))
    machine.startApp(as: .ann, by: ["systemd-run", "--slice=user-61001.slice", "--uid=ann"])
    machine.shutDown()
    #expect(String(decoding: machine.kept.read("ann"), as: UTF8.self) == "revision 1\n")
  }
}

/// An app that saves only when it is told to end, and takes its time.
enum App {
  static let state = #"{"stacks":{"boards":["home"]}}"#
}

extension Machine {
  /// Starts it by a `systemd-run` and waits until it listens for the signal; what its save printed is /kept/USER.
  fileprivate func startApp(as user: User, by launcher: [String]) {
    let script = """
      exec 3>/kept/\(user.name)
      trap 'sleep 0.4; echo '\\''\(App.state)'\\'' | restorectl save >&3; exit' TERM
      systemd-notify --ready
      while :; do sleep 0.05; done
      """
    succeeds("install", "-m", "666", "/dev/null", "/kept/\(user.name)")
    let isUser = launcher.contains("--user")
    let command = launcher + ["--unit=app.service", "-p", "Type=notify", "-p", "NotifyAccess=all", "sh", "-c", script]
    let result = run(command, as: isUser ? user : nil)
    if result.ending != .exit(0) { report(command, result) }
  }
}
