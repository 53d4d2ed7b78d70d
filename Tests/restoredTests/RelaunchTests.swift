import Glibc
import TestSupport
import Testing

@Suite("An app that is killed comes back where it was")
struct RelaunchTests {
  private let board = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"

  /// Starts the app, has it take `steps`, kills it, and answers what it said at start.
  private func run(_ daemon: DaemonProcess, _ steps: [String] = []) throws -> [String] {
    let notify = Notifications(in: daemon.folder)
    let app = ChildProcess(
      Files.products + "/relaunch-app",
      [daemon.socket] + steps,
      environment: ["NOTIFY_SOCKET": notify.path]
    )
    #expect(notify.isReady(app), "the app said \(String(decoding: app.output, as: UTF8.self))")
    app.send(SIGKILL)
    #expect(app.wait() == .signal(SIGKILL))
    return String(decoding: app.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("every stack, the tab and the sheet are there again after app and daemon were killed")
  func everythingComesBack() throws {
    let daemon = DaemonProcess()
    try daemon.client().put("board", [board], app: "boards")
    try daemon.client().put("card", ["c1"], app: "boards")
    let first = try run(
      daemon,
      [
        "push:boards:board:\(board)", "push:boards:card:\(board):c1", "push:inbox:search:plans", "select:inbox",
        "present:\(board)",
      ]
    )
    #expect(first.first == "fresh io.restored.SceneNotFound")
    daemon.kill()
    daemon.start()
    #expect(
      try run(daemon) == [
        "selected inbox", "boards: board \(board) > card \(board) c1", "inbox: search plans", "settings: ",
        "sheet: newCard \(board)",
      ]
    )
  }

  @Test("a deleted entity takes its route away, says so, and comes back with the entity")
  func deletedEntity() throws {
    let daemon = DaemonProcess()
    try daemon.client().put("board", [board], app: "boards")
    try daemon.client().put("card", ["c1"], app: "boards")
    _ = try run(daemon, ["push:boards:board:\(board)", "push:boards:card:\(board):c1", "present:\(board)"])
    try daemon.client().delete("card", ["c1"], app: "boards")
    daemon.kill()
    daemon.start()
    let second = try run(daemon)
    #expect(second.count == 6)
    #expect(second[0].hasPrefix("dropped /stacks/") && second[0].hasSuffix("/1 entityMissing card c1"))
    #expect(second[2] == "boards: board \(board)")
    #expect(second[5] == "sheet: newCard \(board)")

    // The app only restored: nothing it showed was saved, so all is still there for when the entities are.
    try daemon.client().delete("board", [board.lowercased()], app: "boards")
    let third = try run(daemon)
    #expect(third.filter { $0.hasPrefix("dropped") }.count == 3)
    #expect(third.contains("emptied boards"))
    #expect(third.contains("boards: ") && !third.contains { $0.hasPrefix("sheet") })

    try daemon.client().put("board", [board], app: "boards")
    try daemon.client().put("card", ["c1"], app: "boards")
    #expect(try run(daemon).contains("boards: board \(board) > card \(board) c1"))
  }

  @Test("what one process saved last is what the next one goes on from")
  func goesOn() throws {
    let daemon = DaemonProcess()
    _ = try run(daemon, ["push:inbox:search:one"])
    _ = try run(daemon, ["push:inbox:search:two"])
    daemon.kill()
    daemon.start()
    #expect(try run(daemon).contains("inbox: search one > search two"))
  }
}
