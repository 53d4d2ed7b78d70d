import FoundationEssentials
import Glibc
import RestoreClient
import TestSupport
import Testing

@Suite("The Boards example, on a terminal", .serialized) struct BoardsExampleTests {
  private let daemon = DaemonProcess()

  private var environment: [String: String] {
    ["RESTORED_SOCKET": daemon.socket, "BOARDS_FILE": daemon.folder.file("boards.json"), "HOME": daemon.folder.path]
  }

  private func boards(
    _ arguments: String...,
    crashOn card: String? = nil,
    noColor: Bool = false,
    columns: Int = 80,
    rows: Int = 24
  ) -> PseudoTerminal {
    var environment = environment
    if let card { environment["BOARDS_CRASH_ON"] = card }
    if noColor { environment["NO_COLOR"] = "1" }
    return PseudoTerminal(
      Files.products + "/boards",
      arguments,
      environment: environment,
      columns: columns,
      rows: rows
    )
  }

  /// Presses keys one after the other, each when the screen shows the text before it.
  private func walk(_ app: PseudoTerminal, _ steps: [(shown: String, keys: String)]) throws {
    for step in steps {
      try #require(app.screen(with: step.shown) != nil, "\(step.shown) is not on \(app.screen.joined(separator: "\n"))")
      app.type(step.keys)
    }
  }

  /// Waits until a scene is saved with all of these texts in it.
  private func waitUntilSaved(_ texts: String..., scene: String = "window-1") throws {
    let watch = try WatchStream(daemon, app: "org.example.Boards", after: 0)
    while true {
      // Every save is told, so the last one is not missed.
      _ = try watch.next()
      guard let reply = try? daemon.client().restore(app: "org.example.Boards", scene: scene) else { continue }
      if texts.allSatisfy(reply.text.contains) { return }
    }
  }

  @Test("navigate, SIGKILL, start again: the same screen, with its cursor, its sheet and what was typed into it")
  func killed() throws {
    let app = boards()
    try walk(app, [("> House (2)", "j"), ("> Garden (2)", "\r"), ("> Plant a tree", "j"), ("> Mow the lawn", "a")])
    try walk(app, [("New card on Garden", "Rake l")])
    let before = try #require(app.screen(with: "Title: Rake l_"))
    try waitUntilSaved(#""draft":"Rake l""#, #""board":{"id":"b2"}"#)
    app.send(SIGKILL)
    app.wait()

    let again = boards()
    #expect(again.screen { $0 == before } != nil, "\(again.screen.joined(separator: "\n"))")
    again.type("eaves\r")
    #expect(again.screen(with: "  Rake leaves") != nil)
  }

  @Test("delete the card elsewhere, start again: on its board, with a note")
  func deletedElsewhere() throws {
    let app = boards()
    try walk(app, [("> House (2)", "\r"), ("> Fix the door", "j"), ("> Paint the wall", "\r"), ("Card c2.", "")])
    try waitUntilSaved(#""cardID":"c2""#)
    app.send(SIGKILL)
    app.wait()
    #expect(Finished(Files.products + "/boards", ["delete-card", "c2"], environment: environment).ending == .exit(0))

    let again = boards()
    let screen = try #require(again.screen(with: "No longer there: card c2."))
    #expect(screen[1].contains("Boards > House"))
    #expect(screen.contains { $0.contains("> Fix the door") })
    #expect(!screen.contains { $0.contains("Paint the wall") })
  }

  @Test(
    "delete the card elsewhere while it is shown: it closes by itself in each window, with a note, and is not listed"
  )
  func deletedWhileShown() throws {
    let app = boards()
    try walk(app, [("> House (2)", "\r"), ("> Fix the door", "j"), ("> Paint the wall", "\r"), ("Card c2.", "n")])
    try walk(
      app,
      [("window 2 of 2", ""), ("> House (2)", "2"), ("> Garden: Mow the lawn", "jj"), ("> House: Paint", "\r")]
    )
    try walk(app, [("Card c2.", "")])
    #expect(Finished(Files.products + "/boards", ["delete-card", "c2"], environment: environment).ending == .exit(0))

    let second = try #require(app.screen(with: "No longer there: card c2."))
    #expect(second[0].contains("[2 Inbox]") && second.contains { $0.contains("> House: Fix the door") })
    #expect(!second.contains { $0.contains("Paint the wall") })
    app.type("w")
    let first = try #require(
      app.screen { $0[0].contains("window 1 of 2") && $0.contains { $0.contains("No longer there") } }
    )
    #expect(first[1].contains("Boards > House") && first.contains { $0.contains("> Fix the door") })
    #expect(!first.contains { $0.contains("Paint the wall") })
    // What this app writes from then on does not bring the card back.
    app.type("a")
    try walk(app, [("New card on House", "Sweep\r"), ("> Sweep", "q")])
    #expect(app.wait() == .exit(0))
    let left = String(decoding: Files.read(daemon.folder.file("boards.json")), as: UTF8.self)
    #expect(left.contains("Sweep") && !left.contains("Paint the wall"))
  }

  @Test("a card that crashes the app while it is restored does so three times; the fourth start leads out of it")
  func ledOut() throws {
    var app = boards()
    try walk(app, [("> House (2)", "\r"), ("> Fix the door", "q")])
    #expect(app.wait() == .exit(0))
    app = boards()
    // Quit in good order, what was shown at the start is confirmed.
    try walk(app, [("> Fix the door", "q")])
    #expect(app.wait() == .exit(0))
    app = boards()
    try walk(app, [("> Fix the door", "\r"), ("Card c1.", "q")])
    #expect(app.wait() == .exit(0))

    for _ in 0..<3 { #expect(boards(crashOn: "c1").wait() == .signal(SIGABRT)) }
    app = boards(crashOn: "c1")
    let screen = try #require(app.screen(with: "could not be brought back"))
    #expect(screen[1].contains("Boards > House") && !screen[1].contains("Fix the door"))
    app.type("q")
    #expect(app.wait() == .exit(0))
  }

  @Test("rule 66: at 80 by 24 and any larger size the screen is full, its tabs in sight and all keys on the help line")
  func sizes() throws {
    let app = boards()
    var size = (columns: 80, rows: 24)
    for next in [(80, 24), (133, 50), (100, 30), (80, 24)] {
      if next != size { app.resize(columns: next.0, rows: next.1) }
      size = next
      let screen = try #require(
        app.screen { $0.count == size.rows && $0.allSatisfy { $0.count == size.columns } && $0[4].contains("House") }
      )
      for tab in ["[1 Boards]", "2 Inbox", "3 Settings"] { #expect(screen[0].contains(tab)) }
      for key in ["open", "Esc", "tab", "a add", "d del", "o link", "win", "L ", "^Z", "q"] {
        #expect(screen[size.rows - 1].contains(key), "\(screen[size.rows - 1])")
      }
      #expect(screen[size.rows - 1].last == " " || size.columns == 80)
    }
  }

  @Test("with NO_COLOR set no colour is written, and what is selected is seen all the same")
  func noColor() throws {
    let colored = boards()
    try #require(colored.screen(with: "> House") != nil)
    #expect(String(decoding: colored.output, as: UTF8.self).contains("\u{1B}[30;46m"))
    let plain = boards(noColor: true)
    try #require(plain.screen(with: "> House") != nil)
    let codes = String(decoding: plain.output, as: UTF8.self).split(separator: "\u{1B}[").dropFirst()
      .filter { $0.prefix { !$0.isLetter }.count < 6 }.compactMap { part in
        part.first { $0.isLetter } == "m" ? String(part.prefix { $0 != "m" }) : nil
      }
    #expect(Set(codes).isSubset(of: ["0", "1", "7"]) && codes.contains("7"))
  }

  @Test("two windows come back, each where it was; a closed one does not")
  func windows() throws {
    var app = boards()
    try walk(app, [("> House (2)", "\r"), ("> Fix the door", "n"), ("window 2 of 2", "2"), ("> Garden: Mow", "n")])
    try walk(app, [("window 3 of 3", "3"), ("> Log out", "x"), ("window 2 of 2", "w"), ("window 1 of 2", "q")])
    #expect(app.wait() == .exit(0))
    app = boards()
    try walk(app, [(" of 2", "")])
    let first = try #require(app.screen { $0.contains { $0.contains(">") } })
    app.type("w")
    let second = try #require(app.screen { $0[0] != first[0] })
    let shown = [first, second].map { $0[1] }
    #expect(shown.contains { $0.contains("Boards > House") } && shown.contains { $0.contains("Inbox") })
  }

  @Test("a link is followed after the restore, and one for nobody waits for the login; a logout leaves nothing behind")
  func linksAndLogout() throws {
    var app = boards()
    try walk(app, [("> House (2)", "2"), ("Garden: Mow", "\r"), ("Card c4.", "q")])
    #expect(app.wait() == .exit(0))
    app = boards("boards://card/b1/c1")
    try walk(app, [("Card c1.", "2")])
    try walk(app, [("Card c4.", "L"), ("Logged out.", "")])
    app.send(SIGTERM)
    #expect(app.wait() == .signal(SIGTERM))
    #expect(String(decoding: app.output.suffix(8), as: UTF8.self) == "\u{1B}[?1049l", "the terminal is as it was")
    #expect(throws: (any Error).self) { try daemon.client().restore(app: "org.example.Boards", scene: "window-1") }
    app = boards("boards://board/b2")
    try walk(app, [("Press Enter to log in.", "\r"), ("> Plant a tree", "\u{1B}"), ("> House (2)", "q")])
    #expect(app.wait() == .exit(0))
  }

  @Test("a draft is not left by a slip: Escape asks, and a card is deleted only after a yes")
  func questions() throws {
    let app = boards()
    try walk(
      app,
      [("> House (2)", "\r"), ("> Fix the door", "a"), ("New card on House", "x"), ("Title: x_", "\u{1B}")]
    )
    try walk(app, [("Discard what you typed?", "n"), ("Title: x_", "\u{1B}"), ("Discard what you typed?", "y")])
    try walk(app, [("> Fix the door", "d"), ("Delete \"Fix the door\"?", "y"), ("> Paint the wall", "o")])
    try walk(app, [("Open a link", "nowhere\r"), ("No such place: boards://nowhere", "q")])
    #expect(app.wait() == .exit(0))
  }

  @Test("without a daemon the app works all the same")
  func noDaemon() throws {
    daemon.kill()
    let app = boards()
    try walk(app, [("Not restored:", "\r"), ("> Fix the door", "q")])
    #expect(app.wait() == .exit(0))
    daemon.start()
  }
}
