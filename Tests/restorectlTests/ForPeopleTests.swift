import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@testable import restorectl

/// What commands show to people, against the real daemon, on terminals and off them.
@Suite struct ForPeopleTests {
  private let daemon = DaemonProcess()

  private func run(_ arguments: String..., input: String = "") -> Tool.Result {
    Tool.run(arguments, socket: daemon.socket, input: input)
  }

  private func terminal(
    _ line: String,
    columns: Int = 80,
    stream: Int = 1,
    _ environment: [String: String] = ["TERM": "xterm"]
  ) -> Tool.Result {
    Tool.runOnTerminal(line, socket: daemon.socket, columns: columns, stream: stream, environment: environment)
  }

  private static let state = #"""
    {"stacks":{"a":[{"card":{"boardID":"gone","id":"gone","listIDs":["l1","gone","l2"],"bordID":"b1"}},
    {"name":"List","params":{"id":"l1"}}],"日本語":["👩‍👩‍👧"]},"selectedTab":"a",
    "modals":{"sheet":[{"list":"gone"},{"card":{"id":"c1"}},{"card":{"id":"gone"}}]}}
    """#

  private func fill() {
    for (kind, id) in [("board", "b1"), ("card", "c1"), ("list", "l1")] { _ = run("entities", "put", kind, id) }
    _ = run("entities", "put", "list", "l2")
    #expect(run("save", input: Self.state).exit == 0)
  }

  @Test("show tells of each reference whether it is there, also behind one that is missing")
  func show() {
    fill()
    let lines = run("show").text.split(separator: "\n").dropFirst()
    #expect(
      lines == [
        "a (selected tab)",
        #"├─ card: boardID "gone" (missing), id "gone" (missing), listIDs "l1" (present) "gone" (missing) "#
          + #""l2" (present), bordID "b1" (unchecked) [stale: no entity board "gone"]"#,
        #"└─ List: id "l1" (present)"#, "日本語", "└─ 👩‍👩‍👧", "sheet (modal)",
        #"└─ list: "gone" (missing) [stale: no entity list "gone"]"#, #"   ├─ card: id "c1" (present)"#,
        #"   └─ card: id "gone" (missing)"#,
        "6 routes, 2 stale; references: 4 present, 5 missing, 1 unchecked",
        "unchecked: kind bord was never declared; did you mean board?",
      ]
    )
    #expect(run("show", "--json").text.contains(#""reason":"entityMissing""#))
  }

  @Test("show reads an older revision, and says that it is one")
  func showRevision() {
    fill()
    _ = run("save", input: #"{"stacks":{"b":["x"]}}"#)
    let header = run("show", "--revision", "5").text.split(separator: "\n").first
    #expect(header?.hasPrefix("scene main of app default, revision 5 (newest: 6), saved ") == true)
    #expect(run("show").text.contains("revision 6, the newest, saved "))
    #expect(run("show", "--revision", "99").exit == 66)
  }

  @Test("while a sync runs, what is not there is unchecked, and why is said")
  func syncing() throws {
    fill()
    _ = try daemon.client().call(BeginSync.self, BeginSync.Parameters(app: "default", kind: "board"))
    let text = run("show").text
    #expect(text.contains(#"boardID "gone" (unchecked), id "gone" (missing)"#))
    #expect(text.contains("unchecked: a sync of kind board is under way"))
  }

  @Test("no line of show, history and scenes is wider than the terminal", arguments: [40, 60, 200])
  func widths(columns: Int) {
    fill()
    _ = run("save", "--scene", String(repeating: "長い", count: 30), input: Self.state)
    for command in ["show", "history", "scenes", "scenes --all-apps", "entities kinds"] {
      let lines = terminal("\(command) --no-color", columns: columns).text.split(separator: "\n").dropFirst()
      #expect(!lines.isEmpty)
      for line in lines { #expect(DisplayWidth.of(String(line)) <= columns, "\(command): \(line)") }
    }
    // $COLUMNS goes before what the terminal says.
    let told = terminal("show", columns: 200, ["COLUMNS": "40", "TERM": "dumb"]).text
    // But for the first line, which says how many seconds ago it was saved.
    let lines = terminal("show", columns: 40, ["TERM": "dumb"]).text.split(separator: "\n").dropFirst()
    #expect(!lines.isEmpty && told.split(separator: "\n").dropFirst() == lines)
  }

  @Test("colour only on a terminal that takes it, and only if it is wanted")
  func colour() {
    fill()
    for command in ["show", "history", "scenes", "entities kinds", "status"] {
      #expect(terminal(command).text.contains("\u{1B}["), "\(command)")
      #expect(!terminal("\(command) --no-color").text.contains("\u{1B}"), "\(command)")
      #expect(!terminal(command, ["NO_COLOR": "1", "TERM": "xterm"]).text.contains("\u{1B}"), "\(command)")
      #expect(!terminal(command, ["TERM": "dumb"]).text.contains("\u{1B}"), "\(command)")
      #expect(!Tool.run(command.split(separator: " ").map(String.init), socket: daemon.socket).text.contains("\u{1B}"))
    }
  }

  @Test("history marks the newest, confirmed and quarantined, and on a terminal says how to go on")
  func history() {
    for route in ["good", "bad"] {
      _ = run("save", "--scene", "a b", input: #"{"stacks":{"t":["\#(route)"]}}"#)
      for _ in 0..<3 { _ = run("restore", "--launch", "--scene", "a b") }
      if route == "good" { _ = run("confirm", "--scene", "a b") }
    }
    let fourth = run("restore", "--launch", "--scene", "a b")
    #expect(
      fourth.error == """
        restorectl: the older revision 1 was served: launches without confirm have quarantined revision 2
        restorectl: to read one: restorectl restore --app default --scene 'a b' --revision 2
        restorectl: to launch it again: restorectl rollback --app default --scene 'a b' --revision 2

        """
    )
    let piped = run("history", "--scene", "a b")
    #expect(piped.error == "")
    let marks = piped.text.split(separator: "\n").map { $0.split(separator: "  ").last.map(String.init) ?? "" }
    #expect(marks.map { $0.drop { $0 == " " } } == ["MARKS", "newest, quarantined", "confirmed"])
    #expect(
      terminal("history --scene 'a b'").error == """
        restorectl: look at one with: restorectl show --scene 'a b' --revision 2
        restorectl: save one again as the newest with: restorectl rollback --scene 'a b' --revision 2

        """
    )
    let back = run("rollback", "--scene", "a b", "--revision", "2")
    #expect(back.error.hasSuffix("has that state already; it was quarantined, and is no more\n"))
  }

  @Test("rollback says from which revision to which")
  func rollback() {
    for route in ["one", "two", "two", "three"] { _ = run("save", input: #"{"stacks":{"t":["\#(route)"]}}"#) }
    let back = run("rollback", "--revision=1")
    #expect(back.text == "revision 4\n")
    #expect(back.error.hasPrefix("restorectl: rolled back from revision 3 to revision 1, saved "))
    #expect(back.error.hasSuffix(", which is revision 4 now\n"))
    let same = run("rollback", "--revision=4")
    #expect(same.text == "revision 4\n")
    #expect(same.error == "restorectl: nothing to roll back: revision 4, the newest, has that state already\n")
    #expect(run("rollback", "--quiet").error == "")
  }

  @Test("scenes tells of unconfirmed launches only where there are any, and when a scene was closed")
  func scenes() {
    fill()
    #expect(!run("scenes").text.contains("UNCONFIRMED"))
    _ = run("restore", "--launch")
    _ = run("save", "--scene", "other", input: Self.state)
    let lines = run("scenes").text.split(separator: "\n")
    #expect(lines[0].hasSuffix("UNCONFIRMED") && lines[1].hasSuffix(" -") && lines[2].hasSuffix(" 1"))
    _ = run("close", "--scene", "other")
    let closed = terminal("scenes --closed", columns: 40, ["TERM": "dumb"])
    #expect(closed.text.split(separator: "\n").first.map(String.init) == "SCENE  REVISION  SAVED  CLOSED  TAB")
    #expect(closed.error == "restorectl: reopen one with: restorectl reopen --scene ID\n")
  }

  @Test("check draws what would be dropped on a terminal, and prints the state as restore does")
  func check() {
    fill()
    let folder = TemporaryFolder()
    folder.write(Self.state.utf8, to: "s")
    let piped = run("check", folder.file("s"))
    #expect(piped.error.hasPrefix("restorectl: dropped /stacks/a/0: card: no entity board \"gone\"\n"))
    let shown = terminal("check --no-color \(folder.file("s"))", columns: 200, stream: 2)
    #expect(shown.bytes == piped.bytes)
    #expect(shown.error.hasPrefix("a (selected tab)\n├─ card: boardID \"gone\" (missing), id \"gone\" (missing), "))
    #expect(shown.error.contains("[dropped: no entity board \"gone\"]\n"))
    #expect(terminal("check --exit-code --stale=keep \(folder.file("s"))", stream: 2).error.contains("[stale: "))
    #expect(terminal("check --quiet --exit-code \(folder.file("s"))", stream: 2).error == "")
    #expect(terminal("check --quiet --exit-code \(folder.file("s"))", stream: 2).exit == 1)
    #expect(
      terminal("check --json \(folder.file("s"))", stream: 2).text == run("check", "--json", folder.file("s")).text
    )
  }

  @Test("watch writes each change as it happens, also into a pipe, and ends when its reader does")
  func watch() {
    fill()
    let line = "restorectl watch --after 0 | head -n 2; echo ${PIPESTATUS[0]}"
    let lines = Tool.shell(line, socket: daemon.socket).text.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].contains("  ready  revision ") && lines[2] == "141")
    let json = Tool.shell("restorectl watch --after 0 --json | head -n 3", socket: daemon.socket)
    #expect(json.text.split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"event":{"type":""#) && $0.hasSuffix("}}") })
  }

  @Test("in a locale without UTF-8, the tree is drawn in ASCII")
  func ascii() {
    fill()
    let shown = Tool.run(["show"], socket: daemon.socket, environment: ["LC_ALL": "C", "LANG": "en_US.UTF-8"])
    #expect(shown.text.contains("\n`- List: id \"l1\" (present)\n"))
    let usual = Tool.run(["show"], socket: daemon.socket, environment: ["LANG": "en_US.UTF-8"])
    #expect(usual.text.contains("\n└─ List"))
  }
}
