import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("The daemon beside a model")
struct DaemonModelTests {
  @Test("whatever is done in whatever order, over restarts and kills, the daemon holds and tells what the model does")
  func random() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("DaemonModelTests: seed \(seed)")
    try check(seed: seed, steps: 250)
  }

  @Test("and so it does for seeds that once were of use", arguments: [1, 2] as [UInt64])
  func kept(seed: UInt64) throws {
    try check(seed: seed, steps: 120)
  }

  private func check(seed: UInt64, steps: Int) throws {
    var run = try DaemonRun(seed: seed)
    for step in 0..<steps {
      let told = try run.step()
      if step % 10 == 9 { try run.compare("seed \(seed), step \(step): \(told)") }
    }
    try run.compare("seed \(seed), at the end")
    try run.takeEvents("seed \(seed), at the end")
  }
}

private func state(_ number: Int) -> String { #"{"values":{"n":\#(number)}}"# }

/// One run of a daemon beside a model, with a watcher that is told all.
private struct DaemonRun {
  static let scenes = ["a", "b", "c"]
  static let kinds = ["card", "board"]
  static let ids = ["1", "2", "x", "0f8fad5b-d9cb-469f-a165-70867728950e", "y", "z"]

  private let daemon = DaemonProcess(["--durability", "normal"])
  private var generator: SeededGenerator
  // As many revisions as the daemon keeps by default.
  private var model = StoreModel(history: 10)
  private var clients: [VarlinkClient] = []
  private var watch: WatchStream
  /// Events of the model that the watcher has been told, or that are no longer told one by one.
  private var told = 0
  private var syncs = ["9-9"]

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    watch = try WatchStream(daemon)
    #expect(try watch.next() == "ready 0")
    try connect()
  }

  private mutating func connect() throws { clients = [try daemon.client(), try daemon.client()] }

  private mutating func client() -> VarlinkClient { clients[Int.random(in: 0..<clients.count, using: &generator)] }

  private mutating func scene() -> String { Self.scenes.randomElement(using: &generator) ?? "a" }

  /// Does one thing to both, expects the same answer of both, and says what it was.
  mutating func step() throws -> String {
    let scene = scene()
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<38: return try save(scene)
    case 38..<44: return try rollback(scene)
    case 44..<56: return try launch(scene)
    case 56..<60: return try confirm(scene)
    case 60..<64: return try close(scene)
    case 64..<67: return try reopen(Bool.random(using: &generator) ? scene : nil)
    case 67..<68: return try forget(scene)
    case 68..<69: return try reset(keepEntities: Bool.random(using: &generator))
    case 69..<71:
      try restart(killed: Bool.random(using: &generator))
      return "restart"
    case 71..<73: return try killInTheMiddle(scene)
    case 73..<77: return try checkState()
    case 77..<78: return try setRoutes()
    default: return try entities()
    }
  }

  /// Expects the daemon to answer as the model does, or to refuse where the model refuses.
  private mutating func same<M: InterfaceMethod, Answer>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    _ operation: (inout StoreModel) throws -> Answer,
    _ compare: (Answer, M.Reply) -> Void = { _, _ in }
  ) throws {
    let expected = Result { try operation(&model) }
    let found = Result { [client = client()] in try client.call(method, parameters) }
    switch (expected, found) {
    case (.success(let expected), .success(let found)): compare(expected, found)
    case (.failure, .failure(let error)): #expect(error is InterfaceError)
    default: Issue.record("\(M.name): model \(expected), daemon \(found), seed \(generator.seed)")
    }
  }

  // MARK: Scenes

  private mutating func save(_ scene: String) throws -> String {
    let parameters = randomSave(scene)
    let number = parameters.number
    try same(Save.self, parameters.call) { model in
      try model.save(
        scene,
        number,
        ifRevision: parameters.call.ifRevision,
        autosave: parameters.call.autosave ?? false
      )
    } _: { expected, found in
      #expect(found.revision == expected.0)
      #expect(found.changed == expected.1)
    }
    return "save \(scene) \(number)"
  }

  private mutating func randomSave(_ scene: String) -> (number: Int, call: Save.Parameters) {
    let number = Int.random(in: 0..<4, using: &generator)
    let newest = model.scenes[scene]?.newest.number ?? 0
    let ifRevision = [nil, nil, newest, newest + 1].randomElement(using: &generator) ?? nil
    let autosave = [nil, true, false].randomElement(using: &generator) ?? nil
    let text = JSONObjectText(state(number).utf8)
    return (number, Save.Parameters(app: "app", scene: scene, state: text, ifRevision: ifRevision, autosave: autosave))
  }

  private mutating func rollback(_ scene: String) throws -> String {
    let revision = Int.random(in: max(0, model.number - 15)...model.number, using: &generator)
    try same(Rollback.self, Rollback.Parameters(app: "app", scene: scene, revision: revision)) { model in
      try model.rollback(scene, revision)
    } _: { expected, found in
      #expect(found.revision == expected)
    }
    return "rollback \(scene) \(revision)"
  }

  private mutating func launch(_ name: String) throws -> String {
    var after: StoreModel.Scene?
    try same(Launch.self, Launch.Parameters(app: "app", scene: name)) { model in
      let served = try model.launch(name)
      after = model.scenes[name]
      return served
    } _: { served, found in
      guard let scene = after else { return }
      let quarantined = scene.revisions.filter(\.quarantined).map(\.number)
      let outcome: GuardOutcome = served == 0 ? .empty : quarantined.last ?? 0 > served ? .fallback : .normal
      let text = scene.revisions.first { $0.number == served }.map { state($0.state) } ?? #"{"stacks":{}}"#
      #expect(found.revision == served)
      #expect(found.newest == scene.newest.number)
      #expect(found.outcome == outcome)
      #expect(found.unconfirmedLaunches == scene.launches)
      #expect(found.quarantined == quarantined.reversed())
      #expect(String(decoding: found.state.bytes, as: UTF8.self) == text)
    }
    return "launch \(name)"
  }

  private mutating func confirm(_ scene: String) throws -> String {
    // What the last launch was served, a revision by its number, or one that may not be there.
    let known = (model.scenes[scene]?.revisions.map(\.number) ?? []) + [0, 1]
    let revision = Bool.random(using: &generator) ? nil : known.randomElement(using: &generator)
    try same(Confirm.self, Confirm.Parameters(app: "app", scene: scene, revision: revision)) { model in
      try model.confirm(scene, revision)
    } _: { expected, found in
      #expect(found.revision == expected)
    }
    return "confirm \(scene)"
  }

  private mutating func setRoutes() throws -> String {
    let table = [#"{"routes":{"card":{}}}"#, #"{"stale":"drop"}"#].randomElement(using: &generator) ?? "{}"
    let parameters = SetRoutes.Parameters(app: "app", table: JSONObjectText(table.utf8))
    try same(SetRoutes.self, parameters) {
      $0.setRoutes(table)
    } _: {
      #expect($1.changed == $0)
    }
    return "set routes \(table)"
  }

  private mutating func checkState() throws -> String {
    let kind = Self.kinds.randomElement(using: &generator) ?? "card"
    let id = Self.ids.randomElement(using: &generator) ?? "1"
    let state = JSONObjectText(#"{"stacks":{"t":[{"\#(kind)":{"id":"\#(id)"}}]}}"#.utf8)
    let found = try client().call(Check.self, Check.Parameters(app: "app", state: state))
    let isMissing = model.kinds[kind].map { $0.isDeclared && $0.sync == nil && !$0.ids.contains(id) } ?? false
    #expect(found.dropped.map(\.id) == (isMissing ? [id] : []))
    #expect(found.emptied == (isMissing ? ["t"] : []))
    return "check \(kind) \(id)"
  }

  private mutating func close(_ scene: String) throws -> String {
    try same(CloseScene.self, CloseScene.Parameters(app: "app", scene: scene)) { try $0.close(scene) }
    return "close \(scene)"
  }

  private mutating func reopen(_ scene: String?) throws -> String {
    try same(ReopenScene.self, ReopenScene.Parameters(app: "app", scene: scene)) { model in
      try model.reopen(scene)
    } _: {
      #expect($1.scene == $0)
    }
    return "reopen \(scene ?? "the last")"
  }

  private mutating func reset(keepEntities: Bool) throws -> String {
    try same(ResetApp.self, ResetApp.Parameters(app: "app", keepEntities: keepEntities)) { model in
      model.reset(keepEntities: keepEntities)
    } _: {
      #expect($1.scenes == $0)
    }
    return "reset"
  }

  private mutating func forget(_ scene: String) throws -> String {
    try same(ForgetScene.self, ForgetScene.Parameters(app: "app", scene: scene)) { try $0.forget(scene) }
    return "forget \(scene)"
  }

  // MARK: Entities

  private mutating func entities() throws -> String {
    let kind = Self.kinds.randomElement(using: &generator) ?? "card"
    let ids = (0..<3).compactMap { _ in Self.ids.randomElement(using: &generator) }
    let sync = syncs.suffix(3).randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<3:
      try same(PutEntities.self, PutEntities.Parameters(app: "app", kind: kind, ids: ids)) { model in
        model.put(kind, ids)
      } _: {
        #expect($1.added == $0)
      }
    case 3..<5:
      try same(DeleteEntities.self, DeleteEntities.Parameters(app: "app", kind: kind, ids: ids)) { model in
        model.delete(kind, ids)
      } _: {
        #expect($1.deleted == $0)
      }
    case 5..<9:
      try same(PutEntities.self, PutEntities.Parameters(app: "app", kind: kind, ids: ids, sync: sync)) { model in
        try model.put(kind, ids, sync: sync)
      } _: {
        #expect($1.added == $0)
      }
    case 9:
      let sync = try client().call(BeginSync.self, BeginSync.Parameters(app: "app", kind: kind)).sync
      model.begin(kind, sync: sync)
      syncs.append(sync)
    case 10:
      try same(EndSync.self, EndSync.Parameters(app: "app", sync: sync)) { model in
        try model.end(sync)
      } _: {
        #expect($1.deleted == $0)
      }
    default:
      try same(ForgetKind.self, ForgetKind.Parameters(app: "app", kind: kind)) { $0.forgetKind(kind) }
    }
    return "entities of \(kind)"
  }

  // MARK: Restarts

  private mutating func restart(killed: Bool) throws {
    try takeEvents("before a restart")
    if killed { daemon.kill() } else { daemon.stop() }
    daemon.start()
    try goOn()
  }

  /// Connects to a daemon that was started again.
  private mutating func goOn() throws {
    model.restart()
    try connect()
    // From some way back, as one that was not there for a while.
    let after = Int.random(in: max(0, model.number - 20)...model.number, using: &generator)
    watch = try WatchStream(daemon, after: after)
    let expected = ["ready \(after)"] + model.missed(after: after, restarted: true)
    #expect(try watch.next(expected.count) == expected, "seed \(generator.seed)")
    told = model.events.count
  }

  /// Kills the daemon while a save is on its way: it is whole afterwards, or was never there.
  private mutating func killInTheMiddle(_ scene: String) throws -> String {
    try takeEvents("before a kill")
    let parameters = randomSave(scene)
    try client().send(Save.fullName, parameters.call.encoded)
    for _ in 0..<Int.random(in: 0..<4, using: &generator) { sched_yield() }
    daemon.kill()
    daemon.start()
    var saved = model
    _ = try? saved.save(
      scene,
      parameters.number,
      ifRevision: parameters.call.ifRevision,
      autosave: parameters.call.autosave ?? false
    )
    let revision = try daemon.client().call(GetStatus.self, GetStatus.Parameters()).revision
    #expect(revision == model.number || revision == saved.number, "seed \(generator.seed)")
    if revision == saved.number {
      model = saved
      // An equal save takes no number, so whether it was there cannot be seen: now it was.
      _ = try? daemon.client().call(Save.self, parameters.call)
    }
    try goOn()
    return "kill in the middle of a save of \(scene)"
  }

  // MARK: Comparing

  /// Expects the watcher to have been told what the model says, no more and no less.
  mutating func takeEvents(_ comment: String) throws {
    let expected = model.events[told...].map(\.told)
    #expect(try watch.next(expected.count) == expected, "\(comment), seed \(generator.seed)")
    told = model.events.count
  }

  /// Expects all that can be read to be what the model holds.
  mutating func compare(_ told: String) throws {
    let comment = Comment(rawValue: told)
    let client = client()
    for name in Self.scenes {
      let scene = model.scenes[name]
      let expected = scene?.revisions.reversed().map { "\($0.number) \($0.confirmed) \($0.quarantined)" }
      let found = try? client.call(ListRevisions.self, ListRevisions.Parameters(app: "app", scene: name)).revisions
        .map { "\($0.revision) \($0.confirmed) \($0.quarantined)" }
      #expect(found == expected, comment)
      for revision in scene?.revisions ?? [] {
        #expect(try client.restore(scene: name, revision: revision.number).text == state(revision.state), comment)
      }
      if let scene { #expect(try client.restore(scene: name).revision == scene.newest.number, comment) }
    }
    for isClosed in [false, true] {
      let found = try client.call(ListScenes.self, ListScenes.Parameters(app: "app", closed: isClosed)).scenes
      let expected = model.scenes.filter { $0.value.isClosed == isClosed }
      #expect(
        Dictionary(uniqueKeysWithValues: found.map { ($0.scene, $0.unconfirmedLaunches) })
          == expected.mapValues(\.launches),
        comment
      )
    }
    let kinds = try client.call(ListKinds.self, ListKinds.Parameters(app: "app")).kinds
    #expect(
      Dictionary(uniqueKeysWithValues: kinds.map { ($0.kind, $0.count) })
        == model.kinds.filter(\.value.isDeclared).mapValues(\.ids.count),
      comment
    )
    for kind in kinds {
      let ids = try client.call(ListEntities.self, ListEntities.Parameters(app: "app", kind: kind.kind)).ids
      #expect(Set(ids) == model.kinds[kind.kind]?.ids ?? [], comment)
    }
    let status = try client.call(GetStatus.self, GetStatus.Parameters())
    #expect(status.revision == model.number, comment)
    #expect(status.scenes == model.scenes.count, comment)
  }
}
