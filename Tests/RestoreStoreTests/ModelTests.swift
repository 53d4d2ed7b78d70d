import TestSupport
import Testing

@testable import RestoreStore

@Suite struct ModelTests {
  static let scenes = ["a", "b", "c"]
  static let kinds = ["card", "board"]
  static let ids = ["1", "2", "x", "0f8fad5b-d9cb-469f-a165-70867728950e", "y", "z"]

  @Test("whatever is done in whatever order, the store holds what the model holds", arguments: 0..<4)
  func random(run: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("ModelTests run \(run): seed \(seed)")
    try check(seed: seed)
  }

  @Test("the store holds what the model holds for seeds that once were of use", arguments: [1, 2, 3] as [UInt64])
  func kept(seed: UInt64) throws {
    try check(seed: seed)
  }

  private func check(seed: UInt64) throws {
    var run = ModelRun(seed: seed)
    for step in 0..<300 {
      let told = try run.step()
      if step % 3 == 0 { try run.compare("seed \(seed), step \(step): \(told)") }
    }
  }
}

/// One run of a store beside a model.
private struct ModelRun {
  var generator: SeededGenerator
  let fixture = Fixture()
  var session: Session?
  var model = StoreModel(history: 3)
  var syncs = ["9-9"]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    fixture.options.history = 3
  }

  private func state(_ number: Int) -> String { #"{"values":{"n":\#(number)}}"# }

  /// Does one thing to both, expects the same answer of both, and says what it was.
  mutating func step() throws -> String {
    if session == nil { session = try fixture.open() }
    guard let session else { throw Unexpected() }
    let scene = ModelTests.scenes.randomElement(using: &generator) ?? "a"
    model.now = fixture.clock.wall.withLock { $0 }
    model.lapse()
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<40: return try save(session, scene)
    case 40..<50:
      fixture.clock.pass(milliseconds: Int.random(in: 0...40_000, using: &generator))
      return "time passes"
    case 50..<55: return rollBack(scene)
    case 55..<63: return try launch(session, scene)
    case 63..<67:
      same(
        of: { (model) throws(StoreModel.Refusal) in .confirmed(revision: try model.confirm(scene)) },
        .confirm(scene: scene, revision: nil)
      )
      return "confirm \(scene)"
    case 67..<70:
      same(
        of: { (model) throws(StoreModel.Refusal) in
          try model.close(scene)
          return .closed
        },
        .closeScene(scene: scene)
      )
      return "close \(scene)"
    case 70..<73: return forget(session, scene)
    case 73..<75:
      self.session = nil
      model.restart()
      return "restart"
    case 75..<76:
      session.maintain(hurried: true)
      return "maintain"
    default: return try entities(session)
    }
  }

  private mutating func rollBack(_ scene: String) -> String {
    let revision = Int.random(in: max(0, model.number - 12)...model.number, using: &generator)
    same(
      of: { (model) throws(StoreModel.Refusal) in .rolledBack(revision: try model.rollback(scene, revision)) },
      .rollback(scene: scene, revision: revision)
    )
    return "rollback \(scene) \(revision)"
  }

  private mutating func forget(_ session: Session, _ scene: String) -> String {
    let expected = Result { () throws(StoreModel.Refusal) in try model.forget(scene) }
    let found = session.perform(.forgetScene(scene: scene))[0].outcome
    #expect(((try? expected.get()) != nil) == ((try? found.get()) != nil))
    return "forget \(scene)"
  }

  private mutating func save(_ session: Session, _ scene: String) throws -> String {
    let number = Int.random(in: 0..<4, using: &generator)
    let autosave = Bool.random(using: &generator)
    let newest = model.scenes[scene]?.newest.number ?? 0
    let ifRevision = [nil, nil, newest, newest - 1].randomElement(using: &generator) ?? nil
    let expected = Result { () throws(StoreModel.Refusal) in
      try model.save(scene, number, ifRevision: ifRevision, autosave: autosave)
    }
    let action = try session.saving(scene, state(number), ifRevision: ifRevision, autosave: autosave)
    switch (expected, session.perform(action)[0].outcome) {
    case (.success(let expected), .success(.saved(let found))):
      #expect(found.revision == expected.0)
      #expect(found.changed == expected.1)
    case (.failure(.conflict(let actual)), .failure(let error)):
      #expect(error.details.actual == actual)
    case (_, let found): Issue.record("model \(expected), store \(found)")
    }
    return "save \(scene) \(number) autosave \(autosave) ifRevision \(String(describing: ifRevision))"
  }

  private mutating func launch(_ session: Session, _ scene: String) throws -> String {
    let expected = Result { () throws(StoreModel.Refusal) in try model.launch(scene) }
    switch (expected, session.perform(.launch(scene: scene))[0].outcome) {
    case (.success(let served), .success(.launched(let found))): #expect(found.revision == served)
    case (.failure, .failure): break
    case (_, let found): Issue.record("model \(expected), store \(found)")
    }
    return "launch \(scene)"
  }

  private mutating func entities(_ session: Session) throws -> String {
    let kind = ModelTests.kinds.randomElement(using: &generator) ?? "card"
    let ids = (0..<3).compactMap { _ in ModelTests.ids.randomElement(using: &generator) }
    let sync = syncs.suffix(3).randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<3:
      let found = try session.put(kind, ids)
      #expect(found == model.put(kind, ids))
      return "put \(kind) \(ids)"
    case 3..<5:
      let found = try session.delete(kind, ids)
      #expect(found == model.delete(kind, ids))
      return "delete \(kind) \(ids)"
    case 5..<9:
      let found = try? session.put(kind, ids, sync: sync)
      let expected = try? model.put(kind, ids, sync: sync)
      #expect(found == expected)
      return "put \(kind) \(ids) in \(sync)"
    case 9..<10:
      let sync = try session.beginSync(kind)
      model.begin(kind, sync: sync)
      syncs.append(sync)
      return "begin \(kind): \(sync)"
    case 10..<11:
      let found = try? session.endSync(sync)
      let expected = try? model.end(sync)
      #expect(found?.deleted == expected)
      return "end \(sync)"
    default:
      session.perform(.forgetKind(kind: kind))
      model.forgetKind(kind)
      return "forget \(kind)"
    }
  }

  /// Has both do the same, and expects the same outcome, or a refusal of both.
  private mutating func same(
    of expected: (inout StoreModel) throws(StoreModel.Refusal) -> WriteOutcome,
    _ action: WriteCommand.Action
  ) {
    let expected = Result { () throws(StoreModel.Refusal) in try expected(&model) }
    let found = session?.perform(action)[0].outcome
    #expect((try? expected.get()) == (try? found?.get()))
  }

  /// Expects all that can be read to be what the model holds.
  mutating func compare(_ told: String) throws {
    if session == nil { session = try fixture.open() }
    guard let session else { throw Unexpected() }
    let comment = Comment(rawValue: told)
    for name in ModelTests.scenes {
      let expected = model.scenes[name]?.revisions.reversed().map { "\($0.number) \($0.confirmed) \($0.quarantined)" }
      let found = try? session.reader.revisions(uid: Fixture.uid, app: "app", scene: name)
        .map { "\($0.revision) \($0.confirmed) \($0.quarantined)" }
      #expect(found == expected, comment)
      guard let scene = model.scenes[name] else { continue }
      for revision in scene.revisions {
        #expect(try session.text(name, revision: revision.number) == state(revision.state), comment)
      }
      #expect(try session.restore(name).revision == scene.newest.number, comment)
    }
    for isClosed in [false, true] {
      let names = try session.reader.scenes(uid: Fixture.uid, app: nil, closed: isClosed).map(\.scene)
      #expect(Set(names) == Set(model.scenes.filter { $0.value.isClosed == isClosed }.keys), comment)
    }
    for name in ModelTests.kinds {
      #expect(try Set(session.ids(name)) == model.kinds[name]?.ids ?? [], comment)
      let kind = try session.kind(name)
      #expect((kind != nil) == (model.kinds[name]?.isDeclared ?? false), comment)
      if let kind { #expect(kind.count == model.kinds[name]?.ids.count, comment) }
    }
    let status = try session.reader.status(uid: Fixture.uid, problems: [])
    #expect(status.revision == model.number, comment)
    #expect(status.scenes == model.scenes.count, comment)
    let states = model.scenes.values.flatMap(\.revisions).map { state($0.state).utf8.count }
    let ids = model.kinds.values.flatMap(\.ids).map { $0.utf8.count == 36 ? 16 : $0.utf8.count }
    #expect(status.usedBytes == (states + ids).reduce(0, +), comment)
  }
}
