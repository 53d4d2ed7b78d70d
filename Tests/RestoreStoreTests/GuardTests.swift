import Testing

@testable import RestoreStore

@Suite struct GuardTests {
  let fixture = Fixture()

  private func state(_ number: Int) -> String { #"{"stacks":{"main":["route \#(number)"]}}"# }

  private func launch(_ session: Session) throws -> LaunchOutcome {
    guard case .launched(let launch) = try session.outcome(.launch(scene: "main")) else { throw Unexpected() }
    return launch
  }

  @Test("the fourth launch without a confirm falls back to the newest confirmed revision, saves between or not")
  func fallsBack() throws {
    let session = try fixture.open()
    try session.save("main", state(1))
    _ = try launch(session)
    #expect(try session.outcome(.confirm(scene: "main", revision: nil)) == .confirmed(revision: 1))
    try session.save("main", state(2))
    for count in 1...3 {
      let served = try launch(session)
      #expect(served.outcome == .normal)
      #expect(served.unconfirmedLaunches == count)
      try session.save("main", state(2 + count), autosave: true)
    }
    let fourth = try launch(session)
    #expect(fourth.outcome == .fallback)
    #expect(fourth.revision == 1)
    #expect(fourth.unconfirmedLaunches == 1)
    #expect(fourth.quarantined == (try session.revisions("main").filter { $0 > 1 }))
    #expect(fourth.newest == fourth.quarantined.first)
  }

  @Test("with nothing confirmed the fourth launch gets an empty state, in the form of the newest one's stacks")
  func empty() throws {
    let session = try fixture.open()
    try session.save("main", state(1))
    for _ in 0..<3 { _ = try launch(session) }
    let fourth = try launch(session)
    #expect(fourth.outcome == .empty)
    #expect(fourth.revision == 0)
    #expect(fourth.state == Array(#"{"stacks":{}}"#.utf8))
    #expect(try session.outcome(.confirm(scene: "main", revision: nil)) == .confirmed(revision: 0))
    #expect(try session.text("main") == state(1), "a restore knows no quarantine")
    try session.save("main", #"{"stacks":["main",[]]}"#)
    for _ in 0..<3 { #expect(try launch(session).revision == 2) }
    #expect(try launch(session).state == Array(#"{"stacks":[]}"#.utf8))
  }

  @Test("the count outlives a restart; a rollback sets it to 0 and frees what was rolled back to")
  func rollback() throws {
    try fixture.open().save("main", state(1))
    for count in 1...3 { #expect(try launch(try fixture.open()).unconfirmedLaunches == count) }
    let session = try fixture.open()
    #expect(try launch(session).quarantined == [1])
    let again = try session.save("main", state(1))
    #expect(again.changed, "equal to the newest, but that is quarantined")
    #expect(try session.outcome(.rollback(scene: "main", revision: 1)) == .rolledBack(revision: 2))
    let next = try launch(session)
    #expect(next.revision == 2)
    #expect(next.unconfirmedLaunches == 1)
    #expect(next.quarantined == [])
  }

  @Test("a confirm before any launch has no revision to confirm; a named one needs none")
  func confirms() throws {
    let session = try fixture.open()
    try session.save("main", state(1))
    let error = #expect(throws: StoreError.self) { try session.outcome(.confirm(scene: "main", revision: nil)) }
    #expect(error?.code == .revisionNotFound)
    #expect(error?.details.revision == 0)
    #expect(try session.outcome(.confirm(scene: "main", revision: 1)) == .confirmed(revision: 1))
    #expect(code { _ = try session.outcome(.confirm(scene: "main", revision: 7)) } == .revisionNotFound)
    #expect(try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "main").map(\.confirmed) == [true])
  }

  @Test("the newest quarantined revision outlives the history, an older one does not")
  func quarantinedStay() throws {
    fixture.options.history = 2
    let session = try fixture.open()
    for number in 1...2 { try session.save("main", state(number)) }
    for _ in 0..<4 { _ = try launch(session) }
    for number in 3...6 { try session.save("main", state(number)) }
    #expect(try session.revisions("main") == [6, 5, 2])
    #expect(
      try session.reader.revisions(uid: Fixture.uid, app: "app", scene: "main").map(\.quarantined)
        == [false, false, true]
    )
  }

  @Test("a launch whose count cannot be stored is served all the same, and says so")
  func uncounted() throws {
    let session = try fixture.open()
    try session.save("main", state(1))
    let other = try Connection(path: fixture.database)
    do {
      let lock = try Transaction(.writing, on: other)
      let served = try launch(session)
      #expect(served.revision == 1)
      #expect(served.uncounted?.code == .locked)
      #expect(served.faults == [])
      _ = consume lock
    }
    #expect(try launch(session).unconfirmedLaunches == 1)
  }
}
