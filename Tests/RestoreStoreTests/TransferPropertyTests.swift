import Foundation
import SceneModel
import TestSupport
import Testing

@testable import RestoreStore

@Suite("Random contents, out of one store and into another")
struct TransferPropertyTests {
  private static let rounds = ProcessInfo.processInfo.environment["RESTORED_TEST_ROUNDS"].flatMap(Int.init) ?? 12
  /// The first round's seed; each further round has the next one.
  private static let seed = SeededGenerator.seedOfThisRun
  private static let apps = ["app", "Äpp", "z"]
  private static let scenes = ["main", "e\u{301}", "\u{e9}", "4", "5"]
  private static let kinds = ["board", "card"]

  @Test(
    "what was exported and imported into an empty store is exported the same, listed and reopened in the same order"
  )
  func roundTrip() throws {
    for round in 0..<Self.rounds {
      var generator = SeededGenerator(seed: Self.seed &+ UInt64(round))
      let seed = generator.seed
      let session = try Self.store()
      for step in 0..<Int.random(in: 0...250, using: &generator) {
        change(session, step, &generator)
        if Int.random(in: 0..<4, using: &generator) == 0 {
          session.fixture.clock.pass(milliseconds: Int.random(in: 1...90_000, using: &generator))
        }
      }
      let records = try session.export()
      let other = try Self.store()
      // In calls of any size: a scene or a kind may be cut anywhere.
      var rest = records[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...20, using: &generator)
        try other.take(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(try other.export().map(\.told) == records.map(\.told), "seed \(seed)")
      #expect(try order(other) == order(session), "seed \(seed)")
      try expectEqualUse(session, other, "seed \(seed)")
      // Once more over what is there: nothing is doubled.
      try other.take(records, replace: true)
      #expect(try other.export().map(\.told) == records.map(\.told), "seed \(seed)")
      try expectEqualUse(session, other, "seed \(seed)")
    }
  }

  /// An empty store, which need not survive a loss of power.
  private static func store() throws -> Session {
    let fixture = Fixture()
    fixture.options.durability = .normal
    return try fixture.open()
  }

  /// One random change, which may well be refused.
  private func change(_ session: Session, _ step: Int, _ generator: inout SeededGenerator) {
    session.app = Self.apps.randomElement(using: &generator)!
    let scene = Self.scenes.randomElement(using: &generator)!
    let kind = Self.kinds.randomElement(using: &generator)!
    let ids = (0..<Int.random(in: 0...5, using: &generator)).map { _ in id(&generator) }
    switch Int.random(in: 0..<24, using: &generator) {
    case 0..<9:
      let text = #"{ "stacks":{"t":[{"board":{"id":"\#(step % 4)"}}, \#(step % 3).0 ]} }"#
      _ = try? session.save(scene, text, autosave: Bool.random(using: &generator))
    case 9..<13: session.perform(.launch(scene: scene))
    case 13: session.perform(.confirm(scene: scene, revision: nil))
    case 14: session.perform(.closeScene(scene: scene))
    case 15: session.perform(.reopenScene(scene: nil))
    case 16: session.perform(.rollback(scene: scene, revision: Int.random(in: 1...60, using: &generator)))
    case 17: session.perform(.forgetScene(scene: scene))
    case 18, 19: _ = try? session.put(kind, ids, version: Bool.random(using: &generator) ? "v\(step)" : nil)
    case 20: _ = try? session.delete(kind, ids)
    case 21: session.perform(.forgetKind(kind: kind))
    case 22:
      let history = Int.random(in: 1...12, using: &generator)
      guard let table = try? table(#"{"history":\#(history), "routes":{"board":{}}}"#) else { return }
      session.perform(.setRoutes(table))
    default:
      // Another user's, which is in no export of this one's.
      guard let saving = try? session.saving(scene, #"{"values":{"foreign":1}}"#) else { return }
      let save = WriteCommand(uid: 7, app: "app", saving)
      session.apply(session.writer.perform([save])[0].changes)
    }
  }

  private func id(_ generator: inout SeededGenerator) -> String {
    let number = Int.random(in: 0..<9, using: &generator)
    return number < 4 ? "00000000-0000-4000-8000-00000000000\(number)" : "i\(number)\"\\é"
  }

  /// The scenes of each app as they are listed, then as they are reopened; the latter changes the store.
  private func order(_ session: Session) throws -> [[String]] {
    try Self.apps.flatMap { app in
      let open = try session.reader.scenes(uid: Fixture.uid, app: app, closed: false).map(\.scene)
      session.app = app
      var reopened: [String] = []
      while case .reopened(let scene) = try? session.outcome(.reopenScene(scene: nil)) { reopened.append(scene) }
      for scene in reopened.reversed() { session.perform(.closeScene(scene: scene)) }
      return [open, reopened]
    }
  }

  private func expectEqualUse(_ one: Session, _ other: Session, _ comment: Comment) throws {
    let expected = try one.reader.status(uid: Fixture.uid, problems: [])
    let found = try other.reader.status(uid: Fixture.uid, problems: [])
    #expect(found.usedBytes == expected.usedBytes, comment)
    #expect(found.scenes == expected.scenes && found.entities == expected.entities, comment)
    // And what is counted is what is there, when it is read anew.
    #expect(try other.fixture.reader().status(uid: Fixture.uid, problems: []).scenes == expected.scenes, comment)
  }

  @Test(
    "a walk beside changes gives each scene that stays with a state that was its newest, or a newer one, and each id"
  )
  func besideChanges() throws {
    for round in 0..<Self.rounds {
      var generator = SeededGenerator(seed: Self.seed &+ UInt64(round))
      let seed = generator.seed
      let session = try Self.store()
      var number = 0
      func save(_ scene: String) throws {
        number += 1
        try session.save(scene, #"{"values":{"n":\#(number)}}"#, autosave: Bool.random(using: &generator))
      }
      for scene in Self.scenes { try save(scene) }
      try session.put("board", (0..<50).map { "stays\($0)" })
      let before = number
      var walk = RecordWalk(uid: Fixture.uid)
      var last: [ExactName: Int] = [:]
      var ids: Set<String> = []
      while !walk.isDone {
        let record = try session.reader.advance(&walk)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          try save(Self.scenes.randomElement(using: &generator)!)
          try session.put("board", ["comes\(number)"])
          try session.delete("board", ["comes\(number - 1)"])
        }
        switch record {
        case .state(_, let name, let first, _, _, _, let bytes):
          let scene = ExactName(name)
          #expect(first == (last[scene] == nil), "seed \(seed)")
          let text = String(decoding: bytes, as: UTF8.self)
          let value = try #require(Int(text.dropFirst(15).dropLast(2)), "seed \(seed): \(text)")
          #expect(value > last[scene] ?? 0, "seed \(seed)")
          last[scene] = value
        case .entities(_, _, _, let page): ids.formUnion(page)
        default: break
        }
      }
      #expect(Set(last.keys) == Set(Self.scenes.map { ExactName($0) }), "seed \(seed)")
      for (index, scene) in Self.scenes.enumerated() {
        #expect(last[ExactName(scene)] ?? 0 >= before - Self.scenes.count + index + 1, "seed \(seed)")
      }
      #expect(ids.isSuperset(of: (0..<50).map { "stays\($0)" }), "seed \(seed)")
    }
  }
}
