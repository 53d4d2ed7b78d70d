import TestSupport
import Testing

/// The database across an upgrade of systemd from 252, to whom a user's state is configuration, to 257.
@Suite(
  .enabled(if: Machine.newerObstacle.reason == nil, Comment(rawValue: Machine.newerObstacle.reason ?? "")),
  .timeLimit(.minutes(2))
)
struct UpgradeTests {
  @Test("what was saved under this release is found under the next, at the same place")
  func sameDatabase() throws {
    let old = try Machine.own.get()
    let new = try Machine.newer.get()
    old.logIn(.fay)
    old.succeeds("restorectl", "save", as: .fay, input: App.state)
    old.logOut(.fay)
    let archive = old.kept.file("home.tar")
    old.succeeds("tar", "-C", "/home", "-cf", "/kept/home.tar", "fay")
    #expect(Finished("cp", [archive, new.kept.path]).ending == .exit(0))
    new.succeeds("tar", "-C", "/home", "-xf", "/kept/home.tar")
    new.logIn(.fay)
    #expect(new.succeeds("restorectl", "restore", as: .fay) == App.state)
    #expect(
      new.run(["find", "/home/fay", "-name", "restored.sqlite3"]).text == Machine.User.fay.state + "/restored.sqlite3\n"
    )
    new.logOut(.fay)
  }
}
