import RestoreStore
import SceneModel
import Testing

@testable import RestoredService

/// Which commands go to the writer before which.
@Suite struct HeldCommandsTests {
  private func save(_ scene: String, bytes: Int, app: String = "app") throws -> WriteCommand {
    let text = #"{"values":{"x":"\#(String(repeating: "x", count: bytes))"}}"#
    let state = try SceneState(validating: Array(text.utf8))
    return WriteCommand(
      uid: 1,
      app: app,
      .save(scene: scene, state: StateContent(state), ifRevision: nil, autosave: false)
    )
  }

  /// The commands, each from the connection named, in the order in which a writer gets them that answers one at a time.
  private func order(_ commands: [(WriteCommand, connection: UInt64)]) -> [String] {
    let held = HeldCommands()
    var out: [WriteCommand] = []
    var order: [String] = []
    func hand(_ command: WriteCommand) {
      out.append(command)
      held.noteOut(weight: HeldCommands.weight(of: command), at: 0)
    }
    for (command, connection) in commands {
      if held.mustWait(command, from: connection, at: 0) {
        held.append(HeldCommands.Item(command: command, connection: connection) { _ in })
      } else {
        hand(command)
      }
    }
    while !out.isEmpty {
      let command = out.removeFirst()
      order.append(name(command))
      held.noteBack(weight: HeldCommands.weight(of: command), at: 0)
      while let item = held.next(at: 0) { hand(item.command) }
    }
    #expect(held.isEmpty)
    return order
  }

  private func name(_ command: WriteCommand) -> String {
    switch command.action {
    case .save(let scene, _, _, _): "\(command.app)/\(scene)"
    case .launch(let scene, _): "launch \(scene)"
    case .resetApp: "reset"
    default: "other"
    }
  }

  private let large = 700_000

  @Test("small saves, and launches, overtake all large ones but the one that the writer has")
  func overtaking() throws {
    let order = order([
      (try save("a", bytes: large), 1), (try save("b", bytes: large), 2), (try save("c", bytes: large), 3),
      (try save("d", bytes: 100), 4), (WriteCommand(uid: 1, app: "app", .launch(scene: "e")), 5),
    ])
    #expect(order == ["app/a", "app/d", "launch e", "app/b", "app/c"])
  }

  @Test("what came over one connection stays in its order, and so does what concerns one scene")
  func kept() throws {
    let order = order([
      (try save("a", bytes: large), 1), (try save("b", bytes: large), 2), (try save("c", bytes: 100), 2),
      (try save("b", bytes: 100), 3), (WriteCommand(uid: 1, app: "app", .launch(scene: "b")), 4),
      (try save("b", bytes: 100, app: "other"), 5), (try save("d", bytes: 100), 2), (try save("e", bytes: 100), 3),
    ])
    #expect(order == ["app/a", "other/b", "app/b", "app/c", "app/b", "launch b", "app/d", "app/e"])
  }

  @Test("what concerns a whole app or user overtakes nothing, and nothing of theirs overtakes it")
  func wide() throws {
    let reset = WriteCommand(uid: 1, app: "app", .resetApp(keepEntities: true))
    let some = order([
      (try save("a", bytes: large), 1), (try save("b", bytes: large), 2), (reset, 3), (try save("c", bytes: 100), 4),
      (try save("d", bytes: 100, app: "other"), 5),
    ])
    #expect(some == ["app/a", "other/d", "app/b", "reset", "app/c"])
    let all = order([
      (try save("a", bytes: large), 1), (try save("b", bytes: large), 2),
      (WriteCommand(uid: 1, app: "", .forgetUser), 3), (try save("d", bytes: 100, app: "other"), 5),
    ])
    #expect(all == ["app/a", "app/b", "other", "other/d"])
  }

  @Test("as many large ones go together as make 1 MiB, and one that is larger goes alone")
  func together() throws {
    let held = HeldCommands()
    for _ in 0..<10 {
      let command = try save("a", bytes: 100_000)
      #expect(!held.mustWait(command, from: 1, at: 0))
      held.noteOut(weight: HeldCommands.weight(of: command), at: 0)
    }
    #expect(held.mustWait(try save("a", bytes: 100_000), from: 1, at: 0))
    #expect(!held.mustWait(try save("a", bytes: 60_000), from: 1, at: 0))
    for _ in 0..<10 { held.noteBack(weight: HeldCommands.weight(of: try save("a", bytes: 100_000)), at: 0) }
    #expect(!held.mustWait(try save("a", bytes: 3 << 20), from: 1, at: 0))
  }

  @Test("after large saves beside which others came, the next ones wait four times as long; else not at all")
  func rest() throws {
    let held = HeldCommands()
    let command = try save("a", bytes: large)
    let weight = HeldCommands.weight(of: command)
    held.noteOut(weight: weight, at: 1_000)
    held.noteBack(weight: weight, at: 2_000)
    #expect(!held.mustWait(command, from: 1, at: 2_000))
    held.noteOut(weight: weight, at: 2_000)
    held.noteOut(weight: 0, at: 2_500)
    held.noteBack(weight: weight, at: 3_000)
    #expect(held.mustWait(command, from: 1, at: 6_999))
    #expect(!held.mustWait(try save("b", bytes: 10), from: 1, at: 6_999))
    held.append(HeldCommands.Item(command: command, connection: 1) { _ in })
    #expect(held.wait(at: 6_000) == 1_000)
    let early = held.next(at: 6_999)
    let late = held.next(at: 7_000)
    #expect(early == nil && late != nil)
    #expect(held.wait(at: 4_000) == nil)
    // Not where the daemon is about to end.
    held.noteOut(weight: weight, at: 8_000)
    held.noteOut(weight: 0, at: 8_500)
    held.endRests()
    held.noteBack(weight: weight, at: 9_000)
    #expect(!held.mustWait(command, from: 1, at: 9_000))
  }
}
