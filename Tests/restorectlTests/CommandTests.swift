import Glibc
import TestSupport
import Testing

@testable import restorectl

/// Each command against the real daemon.
@Suite struct CommandTests {
  private let daemon = DaemonProcess()

  private func run(_ arguments: String..., input: String = "") -> Tool.Result {
    Tool.run(arguments, socket: daemon.socket, input: input)
  }

  private static func state(_ route: String) -> String { #"{"stacks":{"a":["\#(route)"]},"selectedTab":"a"}"# }

  @Test("save prints the revision, and restore the bytes that were saved, without white space around them")
  func saveAndRestore() {
    let state = "{ \"stacks\" : {\"a\":[ \"h\\u00f6me\" ]},\n\"values\":{\"n\":1.0e2} }"
    #expect(run("save", input: "\n\t\(state)\r\n").text == "revision 1\n")
    #expect(run("restore").text == state + "\n")
    #expect(run("save", input: state).text == "revision 1\n")
    let folder = TemporaryFolder()
    folder.write(Self.state("file").utf8, to: "state")
    #expect(run("save", "--scene", "f", folder.file("state")).text == "revision 2\n")
    #expect(run("restore", "--scene=f").text == Self.state("file") + "\n")
    #expect(run("save", "--quiet", input: Self.state("x")).text == "")
  }

  @Test("a save with an old revision conflicts, but a repeated one does not")
  func ifRevision() {
    #expect(run("save", "--if-revision", "0", input: Self.state("one")).text == "revision 1\n")
    let conflict = run("save", "--if-revision", "0", input: Self.state("two"))
    #expect(conflict.exit == 75)
    #expect(conflict.error.contains("is at revision 1, not 0") && conflict.error.contains("--if-revision 1"))
    // The reply was lost, and the save is repeated as it was.
    let again = run("save", "--if-revision", "0", "--json", input: Self.state("one"))
    #expect(again.exit == 0)
    #expect(again.text.contains(#""revision":1,"#) && again.text.contains(#""changed":false"#))
  }

  @Test("history lists revisions newest first, and rollback saves the one before, or the one named")
  func history() {
    for route in ["one", "two", "three"] { _ = run("save", input: Self.state(route)) }
    let lines = run("history").text.split(separator: "\n").map { $0.split(separator: " ").first ?? "" }
    #expect(lines == ["REVISION", "3", "2", "1"])
    #expect(run("rollback").text == "revision 4\n")
    #expect(run("restore").text == Self.state("two") + "\n")
    #expect(run("rollback", "--revision", "1").text == "revision 5\n")
    #expect(run("restore").text == Self.state("one") + "\n")
    #expect(run("restore", "--revision", "3").text == Self.state("three") + "\n")
    let missing = run("rollback", "--revision", "99")
    #expect(missing.exit == 66)
    #expect(missing.error.contains("no revision 99") && missing.error.contains(daemon.socket))
    _ = run("save", "--scene", "single", input: Self.state("x"))
    #expect(run("rollback", "--scene", "single").exit == 66)
  }

  @Test("a command line that an error suggests names the app, the scene and the socket that were named")
  func suggested() {
    _ = run("save", "--app", "my app", "--scene", "s", input: Self.state("x"))
    let which = "--socket \(daemon.socket) --app 'my app' --scene s"
    let named = ["--socket", daemon.socket, "--app", "my app", "--scene", "s"]
    func error(_ words: String...) -> String { Tool.run(words + named).error }
    #expect(error("restore", "--revision", "9").hasSuffix("listed by: restorectl history \(which)\n"))
    #expect(error("rollback", "--revision", "9").hasSuffix("listed by: restorectl history \(which)\n"))
    #expect(error("confirm").hasSuffix("launch it first: restorectl restore \(which) --launch\n"))
    #expect(run("routes", "show", "--app", "other").error.hasSuffix("restorectl routes set --app other FILE\n"))
    #expect(run("link", "x://y", "--app", "other").error.hasSuffix("restorectl routes show --app other\n"))
    let empty = run("save", "--app", "other", input: #"{"stacks":{}}"#)
    #expect(empty.error.hasSuffix("to erase the scene: restorectl forget --app other\n"))
  }

  @Test("the fourth launch without confirm is served the confirmed revision, with a way out")
  func launches() {
    #expect(run("confirm").exit == 66)
    _ = run("save", input: Self.state("good"))
    #expect(run("restore", "--launch").text == Self.state("good") + "\n")
    #expect(run("confirm").text == "revision 1\n")
    _ = run("save", input: Self.state("bad"))
    for _ in 0..<3 { #expect(run("restore", "--launch", "--exit-code").exit == 0) }
    let fourth = run("restore", "--launch", "--exit-code")
    #expect(fourth.exit == 2)
    #expect(fourth.text == Self.state("good") + "\n")
    #expect(fourth.error.contains("quarantined revision 2"))
    #expect(run("history").text.contains("quarantined"))
    #expect(run("restore", "--revision", "2").text == Self.state("bad") + "\n")
    #expect(run("rollback", "--revision", "2").exit == 0)
    #expect(run("restore", "--launch", "--exit-code").text == Self.state("bad") + "\n")
  }

  @Test("scenes are listed last saved first, by app and closed ones apart")
  func scenes() {
    #expect(run("scenes").exit == 0)
    #expect(run("scenes").text == "" && run("scenes").error.contains(daemon.socket))
    _ = run("save", "--scene", "日本", input: Self.state("x"))
    _ = run("save", "--scene", "w", "--app", "other", input: Self.state("x"))
    _ = run("save", input: Self.state("x"))
    func names(_ arguments: String...) -> [Substring] {
      Tool.run(["scenes"] + arguments, socket: daemon.socket).text.split(separator: "\n").dropFirst()
        .map { $0.split(separator: " ").first ?? "" }
    }
    #expect(names() == ["main", "日本"])
    #expect(names("--all-apps") == ["default", "other", "default"])
    #expect(run("close").exit == 0)
    #expect(names() == ["日本"])
    #expect(names("--closed") == ["main"])
    #expect(run("reopen").text == "reopened main\n")
    #expect(names("--closed") == [])
  }

  @Test("forget and reset erase")
  func erasing() {
    for scene in ["a", "b", "c"] { _ = run("save", "--scene", scene, input: Self.state("x")) }
    _ = run("entities", "put", "card", "c1")
    #expect(run("forget", "--scene", "a").exit == 0)
    #expect(run("restore", "--scene", "a").exit == 66)
    #expect(run("reset", "--keep-entities").text == "forgot 2 scenes of default\n")
    #expect(run("entities", "list", "card").text == "c1\n")
    #expect(run("reset").text == "forgot 0 scenes of default\n")
    #expect(run("entities", "list", "card").text == "")
  }

  @Test("a kind that was never declared is told apart from one that has no ids, and the one meant is named")
  func undeclared() {
    _ = run("entities", "put", "card")
    #expect(run("entities", "list", "card").error == "" && run("entities", "delete", "card", "x").error == "")
    for words in [["list", "cards"], ["delete", "cards", "c1"]] {
      let result = Tool.run(["entities"] + words, socket: daemon.socket)
      #expect(result.exit == 0)
      #expect(result.error.contains(#"has declared no kind "cards" at \#(daemon.socket); did you mean card?"#))
      #expect(Tool.run(["entities"] + words + ["--quiet"], socket: daemon.socket).error == "")
    }
  }

  @Test("root is told which daemon forgets a user")
  func forgetUser() {
    let result = run("forget-user", "1")
    #expect(result.exit == 77)
    #expect(result.error.contains("run it as root, on a daemon that serves all users: restored --all-users"))
  }

  @Test("entities are put, deleted, synced, listed and forgotten, and it is said what changed")
  func entities() {
    #expect(run("entities", "put", "card", "c1", "c2", "é", "e\u{301}").text == "added 4\n")
    #expect(run("entities", "delete", "card", "c2", "c9").text == "deleted 1\n")
    #expect(
      run("entities", "sync", "card", "--version", "v7", input: "c1\nc3\nc4\nc5\n").text
        == "added 3, deleted 2, now 4\n"
    )
    #expect(run("entities", "list", "card").text == "c1\nc3\nc4\nc5\n")
    let kinds = run("entities", "kinds").text
    #expect(kinds == "KIND  COUNT  VERSION  SYNC\ncard      4  v7\n")
    #expect(run("entities", "forget", "card").text == "deleted 4\n")
    #expect(run("entities", "kinds").text == "")
  }

  @Test("25,000 ids are synced, listed page by page and deleted")
  func manyEntities() {
    let ids = (10_000..<35_000).map { "\($0)\n" }.joined()
    #expect(run("entities", "sync", "card", input: ids).text == "added 25000, deleted 0, now 25000\n")
    #expect(run("entities", "list", "card").text == ids)
    #expect(run("entities", "delete", "card", input: ids).text == "deleted 25000\n")
  }

  @Test("a stale route is dropped, reported, and shown as missing; check does the same to a state not saved")
  func stale() {
    let state = #"{"stacks":{"boards":["home",{"card":{"id":"c1"}},{"card":{"id":"c2"}}]},"selectedTab":"boards"}"#
    _ = run("entities", "put", "card", "c2")
    _ = run("save", input: state)
    let report = "restorectl: dropped /stacks/boards/1: card: no entity card \"c1\"\n"
    for result in [run("restore"), run("check", input: state)] {
      #expect(result.exit == 0)
      #expect(result.text == #"{"stacks":{"boards":["home",{"card":{"id":"c2"}}]},"selectedTab":"boards"}"# + "\n")
      #expect(result.error == report)
    }
    #expect(run("restore", "--exit-code").exit == 1)
    #expect(run("check", "--exit-code", input: state).exit == 1)
    let truncated = run("restore", "--stale=truncate")
    #expect(truncated.text == #"{"stacks":{"boards":["home"]},"selectedTab":"boards"}"# + "\n")
    #expect(truncated.error == report + "restorectl: dropped /stacks/boards/2: card: it stood above a dropped route\n")
    #expect(run("restore", "--stale", "keep").text == state + "\n")
    let shown = run("show").text.split(separator: "\n").dropFirst()
    #expect(
      shown == [
        "boards (selected tab)", "├─ home", "├─ card: id \"c1\" (missing) [stale: no entity card \"c1\"]",
        "└─ card: id \"c2\" (present)", "3 routes, 1 stale; references: 1 present, 1 missing",
      ]
    )
  }

  @Test("status names the socket and how things are")
  func status() {
    let result = run("status", "--exit-code")
    #expect(result.exit == 0)
    #expect(result.text.contains("socket          \(daemon.socket)\n"))
    #expect(result.text.contains("health          ok\n"))
  }

  @Test("after the daemon was killed and started again, everything acknowledged is there")
  func killed() {
    _ = run("save", input: Self.state("x"))
    _ = run("entities", "put", "card", "c1")
    daemon.kill()
    let gone = run("restore")
    #expect(gone.exit == 69)
    #expect(gone.error.contains("no daemon at \(daemon.socket)"))
    daemon.start()
    #expect(run("restore").text == Self.state("x") + "\n")
    #expect(run("entities", "list", "card").text == "c1\n")
  }

  /// Root is let in everywhere, so another user knocks.
  private static let asOther = getuid() == 0 ? "setpriv --reuid 12345 --clear-groups " : ""

  @Test(
    "a socket that is not open to the caller is exit 77 and named",
    .enabled(if: Tool.shell(asOther + "test -x \(Tool.program)").exit == 0, "no other user may run the program here")
  )
  func notPermitted() {
    #expect(chmod(daemon.socket, 0) == 0)
    chmod(daemon.folder.path, 0o711)
    chmod(daemon.folder.file("run"), 0o711)
    let result = Tool.shell("\(Self.asOther)restorectl status", socket: daemon.socket)
    #expect(result.exit == 77, "\(result.error)")
    #expect(result.error.contains(daemon.socket))
  }
}
