import SceneModel
import Testing

@testable import RestoreStore

@Suite("Route tables in the store")
struct RoutesTests {
  let fixture = Fixture()

  private let board = #"{"stacks":{"main":[{"board":{"id":"b1"}},{"card":{"id":"c1"}},{"beta":{}}]}}"#

  private func launch(_ session: Session, expired: Bool = false) throws -> LaunchOutcome {
    guard case .launched(let launch) = try session.outcome(.launch(scene: "main", expired: expired)) else {
      throw Unexpected()
    }
    return launch
  }

  @Test("a table acts at once on all that was saved and rewrites none of it; taken back, everything is back")
  func actsAtOnce() throws {
    let session = try fixture.open()
    try session.save("main", board)
    #expect(try session.text("main") == board)
    #expect(try session.set(#"{"routes":{"board":{},"karte":{}},"renamed":{"card":"karte"},"unknownRoutes":"drop"}"#))
    #expect(try session.text("main") == #"{"stacks":{"main":[{"board":{"id":"b1"}},{"karte":{"id":"c1"}}]}}"#)
    #expect(try session.restore("main", stale: .keep).dropped.map(\.reason) == [.unknownRoute])
    #expect(try session.set(#"{"routes":{"karte":{}},"renamed":{"card":"karte"},"unknownRoutes":"drop"}"#))
    #expect(try session.text("main") == #"{"stacks":{"main":[{"karte":{"id":"c1"}}]}}"#)
    #expect(try session.set("{}"))
    #expect(try session.text("main") == board)
    #expect(try session.revisions("main") == [1])
    let other = try fixture.reader()
    #expect(try other.restore(RestoreRequest(uid: Fixture.uid, app: "app", scene: "main")).state == Array(board.utf8))
  }

  @Test("an equal table writes nothing and takes no number; a changed one is a change that others hear of")
  func equal() throws {
    let session = try fixture.open()
    #expect(try session.set(#"{"history":3,"tabs":["a"]}"#))
    #expect(session.changes.map(\.type) == [.routesChanged])
    #expect(session.changes[0].subject == .routes && session.changes[0].revision == 1)
    #expect(try !session.set(#"{ "tabs" : ["\u0061"], "history" : 3 }"#))
    #expect(session.changes.count == 1)
    #expect(
      try session.reader.routes(uid: Fixture.uid, app: "app")?.bytes == Array(#"{"history":3,"tabs":["a"]}"#.utf8)
    )
    #expect(try session.save("main", board).revision == 2)
    #expect(try session.set(#"{"history":4,"tabs":["a"]}"#))
    #expect(session.changes.last?.revision == 3)
  }

  @Test("the table is there after a restart and after a reset, and another app and user have none")
  func keeps() throws {
    let table = #"{"stale":"keep","history":2}"#
    try fixture.open().set(table)
    let session = try fixture.open()
    #expect(try session.reader.routes(uid: Fixture.uid, app: "app")?.bytes == Array(table.utf8))
    try session.save("main", board)
    _ = session.perform(.resetApp(keepEntities: false))
    session.maintain(hurried: true)
    #expect(try session.reader.routes(uid: Fixture.uid, app: "app")?.bytes == Array(table.utf8))
    #expect(try session.reader.routes(uid: Fixture.uid, app: "other") == nil)
    #expect(try session.reader.routes(uid: 1, app: "app") == nil)
    #expect(try !session.set(table))
  }

  @Test("a changed table sets the counts of launches to 0 and frees what is quarantined, without confirming it")
  func newRelease() throws {
    let session = try fixture.open()
    try session.save("main", board)
    for _ in 0..<3 { _ = try launch(session) }
    #expect(try launch(session).outcome == .empty)
    try session.set("{}")
    let summary = try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "main")
    #expect(summary.map(\.quarantined) == [false] && summary.map(\.confirmed) == [false])
    let next = try launch(session)
    #expect(next.outcome == .normal && next.revision == 1 && next.unconfirmedLaunches == 1)
    #expect(next.quarantined.isEmpty)
    for _ in 0..<2 { _ = try launch(session) }
    try session.set("{}")
    #expect(try launch(session).outcome == .empty, "an equal table is no new release")
    #expect(try fixture.reader().scenes(uid: Fixture.uid, app: "app", closed: false)[0].unconfirmedLaunches == 1)
  }

  @Test("a confirmed revision that was quarantined stays confirmed")
  func staysConfirmed() throws {
    let session = try fixture.open()
    try session.save("main", board)
    _ = try session.outcome(.confirm(scene: "main", revision: 1))
    for _ in 0..<4 { _ = try launch(session) }
    try session.set("{}")
    let summary = try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "main")
    #expect(summary.map(\.quarantined) == [false] && summary.map(\.confirmed) == [true])
  }

  @Test("history acts from each scene's next save on, and is the store's own again without the table's")
  func history() throws {
    let session = try fixture.open()
    func save(_ number: Int) throws { try session.save("main", #"{"values":{"n":\#(number)}}"#) }
    for number in 1...5 { try save(number) }
    try session.set(#"{"history":2}"#)
    #expect(try session.revisions("main").count == 5)
    try save(6)
    #expect(try session.revisions("main").count == 2)
    try session.set("{}")
    for number in 7...20 { try save(number) }
    #expect(try session.revisions("main").count == 10)
    try session.set(#"{"history":1}"#)
    try save(21)
    #expect(try session.revisions("main").count == 1)
  }

  @Test("the counts are those of the newest revisions of all scenes, under the table's own policy")
  func survey() throws {
    let session = try fixture.open()
    try session.put("card", ["c2"])
    try session.save("a", #"{"stacks":{"main":[{"old":1}]}}"#)
    try session.save("a", board)
    try session.save("b", #"{"stacks":{"main":[{"old":{"in":{"old":1}}},"beta","beta"]}}"#)
    try session.save("é", #"{"stacks":{"main":[]}}"#)
    _ = session.perform(.closeScene(scene: "b"))
    let table = #"{"routes":{"board":{},"card":{},"new":{"routes":["in"]}},"renamed":{"old":"new"}"#
    #expect(try session.survey(table + "}") == RouteEffect(scenes: 3, renamed: 2, unknown: 3, stale: 1))
    #expect(
      try session.survey(table + #","unknownRoutes":"drop"}"#)
        == RouteEffect(scenes: 3, renamed: 2, unknown: 3, stale: 4)
    )
    #expect(try session.survey("{}") == RouteEffect(scenes: 3, renamed: 0, unknown: 0, stale: 1))
    #expect(try session.reader.routes(uid: Fixture.uid, app: "app") == nil, "counting sets nothing")
    let empty = try RouteTable(validating: Array("{}".utf8))
    #expect(try session.reader.wouldChange(empty, uid: Fixture.uid, app: "app"))
  }

  @Test("a scene 8 days old with a maximum age of 7 is expired, unless it is asked for all the same or by revision")
  func expires() throws {
    let day = 86_400_000
    let session = try fixture.open()
    let saved = try session.save("main", board)
    try session.set(#"{"maximumAgeSeconds":604800}"#)
    fixture.clock.pass(milliseconds: 7 * day)
    #expect(try session.text("main") == board)
    #expect(try session.restore("main").expiresAt == saved.savedAt + 7 * day)
    fixture.clock.pass(milliseconds: day)
    let error = #expect(throws: StoreError.self) { try session.restore("main") }
    #expect(error?.code == .sceneExpired)
    #expect(error?.details.savedAt == saved.savedAt && error?.details.maximum == 604_800)
    #expect(code { _ = try launch(session) } == .sceneExpired)
    #expect(try session.reader.scenes(uid: Fixture.uid, app: "app", closed: false)[0].unconfirmedLaunches == 0)
    #expect(try session.text("main", revision: 1) == board)
    let request = RestoreRequest(uid: Fixture.uid, app: "app", scene: "main", expired: true)
    #expect(try session.reader.restore(request).expiresAt == nil)
    #expect(try launch(session, expired: true).revision == 1)
    #expect(try session.text("main") == board, "a launch makes it young")
    #expect(try launch(session).revision == 1)
    fixture.clock.pass(milliseconds: 8 * day)
    #expect(code { _ = try session.restore("main") } == .sceneExpired)
    try session.save("main", #"{"stacks":{}}"#)
    #expect(try session.restore("main").revision == 3)
  }

  @Test("a clock that was set back expires nothing")
  func clockBack() throws {
    let session = try fixture.open()
    try session.save("main", board)
    try session.set(#"{"maximumAgeSeconds":1}"#)
    fixture.clock.wall.withLock { $0 -= 30 * 86_400_000 }
    #expect(try session.text("main") == board)
    #expect(try launch(session).revision == 1)
    #expect(try session.text("main") == board)
  }

  @Test("a stored table that is damaged is not applied, and said so")
  func damaged() throws {
    let session = try fixture.open()
    try session.save("main", board)
    try session.set(#"{"routes":{"board":{}},"unknownRoutes":"drop"}"#)
    try session.writer.connection.execute("UPDATE apps SET routes = x'7b'")
    let restored = try fixture.reader().restore(RestoreRequest(uid: Fixture.uid, app: "app", scene: "main"))
    #expect(restored.state == Array(board.utf8))
    #expect(restored.faults.count == 1)
    #expect(try session.set(#"{"routes":{"board":{}},"unknownRoutes":"drop"}"#))
  }

  @Test("a link is resolved by the table and checked against what exists")
  func links() throws {
    let session = try fixture.open()
    func resolve(_ link: String) throws -> CheckedState? {
      try session.reader.resolve(uid: Fixture.uid, app: "app", link: link)
    }
    #expect(try resolve("x://card/c1") == nil)
    try session.set(#"{"links":[{"link":"x://card/{id}","state":{"stacks":{"m":[{"card":{"id":"{id}"}}]}}}]}"#)
    try session.put("card", ["c1"])
    #expect(try resolve("x://card/c1")?.state == Array(#"{"stacks":{"m":[{"card":{"id":"c1"}}]}}"#.utf8))
    let gone = try #require(try resolve("x://card/c2"))
    #expect(gone.state == Array(#"{"stacks":{"m":[]}}"#.utf8))
    #expect(gone.dropped.map(\.id) == ["c2"])
    #expect(try resolve("x://nothing") == nil)
    #expect(session.changes.map(\.type) == [.routesChanged, .entitiesChanged(declared: true, syncing: false)])
  }

  @Test("the library sets, reads and counts alike, and refuses a wrong table with its place")
  func library() throws {
    let store = try SceneStore(folder: fixture.folder, options: fixture.options)
    try store.save(app: "app", scene: "main", state: Array(board.utf8))
    let table = Array(#"{"routes":{"board":{},"card":{}},"maximumAgeSeconds":60}"#.utf8)
    let dry = try store.setRoutes(app: "app", table: table, dryRun: true)
    #expect(dry.changed && dry.effect == RouteEffect(scenes: 1, renamed: 0, unknown: 1, stale: 0))
    #expect(try store.routes(app: "app") == nil)
    #expect(try store.setRoutes(app: "app", table: table) == dry)
    #expect(try store.routes(app: "app") == table)
    #expect(try !store.setRoutes(app: "app", table: table).changed)
    fixture.clock.pass(milliseconds: 61_000)
    #expect(code { _ = try store.restore(app: "app", scene: "main") } == .sceneExpired)
    #expect(try store.restore(app: "app", scene: "main", expired: true).revision == 1)
    #expect(code { _ = try store.launch(app: "app", scene: "main") } == .sceneExpired)
    #expect(try store.launch(app: "app", scene: "main", expired: true).unconfirmedLaunches == 1)
    #expect(try store.resolve(app: "app", link: "x://y") == nil)
    let error = #expect(throws: StoreError.self) { try store.setRoutes(app: "app", table: Array(#"{"tab":[]}"#.utf8)) }
    #expect(error?.code == .invalidRoutes && error?.details.path == "/tab")
    let long = Array(#"{"tabs":["\#(String(repeating: "t", count: 256))"]}"#.utf8)
    #expect(code { try store.setRoutes(app: "app", table: long) } == .limitExceeded)
  }
}

extension Fixture {
  /// A reader of its own, which has nothing remembered.
  func reader() throws -> StoreReader { try StoreReader(folder: folder, options: options) }
}

extension Session {
  /// Sets a table; answers whether it is another one.
  @discardableResult
  func set(_ table: String) throws -> Bool {
    let table = try RouteTable(validating: Array(table.utf8))
    guard case .routesSet(let changed) = try outcome(.setRoutes(table)) else { throw Unexpected() }
    return changed
  }

  fileprivate func survey(_ table: String) throws -> RouteEffect {
    var survey = RouteSurvey(uid: Fixture.uid, app: app, try RouteTable(validating: Array(table.utf8)))
    while !survey.isDone { try reader.advance(&survey) }
    return survey.effect
  }
}
