import Testing

@testable import RestoreStore

@Suite struct StoreReaderChangesTests {
  let fixture = Fixture()

  private func told(
    _ session: Session,
    app: String? = nil,
    scene: String? = nil,
    _ numbers: ClosedRange<Int> = 1...100,
    limit: Int = 100
  ) throws -> [String] {
    try session.reader.lastChanges(uid: Fixture.uid, app: app, scene: scene, numbers: numbers, limit: limit)
      .map { "\($0.revision) \($0.app) \($0.subject) \($0.type)" }
  }

  private func some() throws -> Session {
    let session = try fixture.open()
    for scene in ["a", "b", "c"] { try session.save(scene, #"{"values":{}}"#) }
    _ = try session.outcome(.closeScene(scene: "a"))
    try session.put("card", ["1"])
    _ = try session.outcome(.closeScene(scene: "b"))
    _ = try session.outcome(.reopenScene(scene: "b"))
    try session.save("a", #"{"values":{"n":1}}"#)
    session.app = "other"
    try session.save("a", #"{"values":{}}"#)
    _ = try session.outcome(.closeScene(scene: "a"))
    return session
  }

  @Test("the last change of each comes once, by number; a save that opened a closed scene is a save")
  func lastOfEach() throws {
    let session = try some()
    let card = try #require(
      session.changes.compactMap { if case .kind(_, let key) = $0.subject { key } else { nil } }.first
    )
    let all = [
      #"3 app scene("c") saved"#,
      #"5 app kind("card", key: \#(card)) entitiesChanged(declared: true, syncing: false)"#,
      #"7 app scene("b") reopened"#, #"8 app scene("a") saved"#, #"10 other scene("a") closed"#,
    ]
    #expect(try told(session) == all)
    #expect(try told(session, limit: 2) == Array(all[..<2]))
    #expect(try told(session, 6...8) == Array(all[2...3]))
    #expect(try told(session, app: "other") == [all[4]])
    #expect(try told(session, app: "app", scene: "a") == [all[1], all[3]])
    #expect(try told(session, app: "none") == [])
    #expect(try session.reader.lastChanges(uid: 7, app: nil, scene: nil, numbers: 1...100, limit: 9) == [])
  }

  @Test("a route table's change comes with its number and time, also for who wants one scene")
  func routes() throws {
    let session = try some()
    _ = try session.writer.connection.execute(
      script: Array("UPDATE apps SET routes_revision = 11, routes_at = 12 WHERE name = 'other'".utf8)
    )
    #expect(try told(session, app: "other", scene: "x") == ["11 other routes routesChanged"])
    let change = try session.reader.lastChanges(uid: Fixture.uid, app: nil, scene: nil, numbers: 11...11, limit: 9)
    #expect(change.map(\.time) == [12])
  }

  @Test("each user's count and last erasure are known over a restart")
  func counts() throws {
    do {
      let session = try some()
      _ = try session.outcome(.forgetScene(scene: "a"))
      session.app = "app"
      try session.save("d", #"{"values":{}}"#)
    }
    let counts = try fixture.open().reader.userCounts()
    #expect(counts.map { [Int($0.uid), $0.revision, $0.forgotten] } == [[Int(Fixture.uid), 12, 11]])
  }
}
