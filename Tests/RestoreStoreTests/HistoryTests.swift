import Testing

@testable import RestoreStore

@Suite struct HistoryTests {
  let fixture = Fixture()

  private func state(_ number: Int) -> String { #"{"values":{"n":\#(number)}}"# }

  @Test("the newest ten revisions are kept, each as it was saved, in as many rows")
  func keepsTen() throws {
    let session = try fixture.open()
    for number in 1...25 { try session.save("main", state(number)) }
    #expect(try session.revisions("main") == Array((16...25).reversed()))
    for number in 16...25 { #expect(try session.text("main", revision: number) == state(number)) }
    #expect(code { _ = try session.restore("main", revision: 15) } == .revisionNotFound)
    #expect(try session.writer.connection.integer("SELECT count(*) FROM revisions") == 10)
    #expect(try session.writer.connection.integer("SELECT max(slot) - min(slot) FROM revisions") == 9)
  }

  @Test("a longer history grows, a shorter one shrinks at the next save")
  func resizes() throws {
    fixture.options.history = 20
    do {
      let session = try fixture.open()
      for number in 1...30 { try session.save("main", state(number)) }
      #expect(try session.revisions("main").count == 20)
    }
    fixture.options.history = 3
    let session = try fixture.open()
    #expect(try session.revisions("main").count == 20)
    try session.save("main", state(31))
    #expect(try session.revisions("main") == [31, 30, 29])
    let used = try session.reader.status(uid: Fixture.uid, problems: []).usedBytes
    #expect(used == 3 * state(31).utf8.count)
  }

  @Test("a history of one keeps just the newest")
  func keepsOne() throws {
    fixture.options.history = 1
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", state(number)) }
    #expect(try session.revisions("main") == [3])
  }

  @Test(
    "a history longer than may be is cut, and one of none is one of one",
    arguments: [(0, 1), (-5, 1), (9_999, 1_000)]
  )
  func cuts(asked: Int, kept: Int) throws {
    fixture.options.history = asked
    let session = try fixture.open()
    for first in stride(from: 0, to: kept + 5, by: 50) {
      let results = session.writer.perform(
        try (first..<first + 50).map { session.command(try session.saving("main", state($0))) }
      )
      for result in results { session.apply(result.changes) }
    }
    #expect(try session.revisions("main").count == kept)
  }

  @Test("autosaves take one place in the history within a minute of its being first taken")
  func autosaves() throws {
    let session = try fixture.open()
    try session.save("main", state(0))
    for number in 1...7 {
      try session.save("main", state(number), autosave: true)
      fixture.clock.pass(milliseconds: 9_999)
    }
    #expect(try session.revisions("main") == [8, 1], "the seventh came 59.994 s after the place was taken")
    try session.save("main", state(8), autosave: true)
    #expect(try session.revisions("main") == [9, 8, 1])
  }

  @Test("an autosave takes the place of one less than 60 seconds old, and not of one that is older")
  func autosaveAge() throws {
    let session = try fixture.open()
    try session.save("main", state(1), autosave: true)
    fixture.clock.pass(milliseconds: 59_999)
    try session.save("main", state(2), autosave: true)
    #expect(try session.revisions("main") == [2])
    fixture.clock.pass(milliseconds: 1)
    try session.save("main", state(3), autosave: true)
    #expect(try session.revisions("main") == [3, 2])
  }

  @Test("an autosave takes no place of a save on purpose, nor does such a save take an autosave's")
  func autosaveBesideSave() throws {
    let session = try fixture.open()
    try session.save("main", state(1))
    try session.save("main", state(2), autosave: true)
    try session.save("main", state(3))
    try session.save("main", state(4), autosave: true)
    #expect(try session.revisions("main") == [4, 3, 2, 1])
  }

  @Test("an autosave that is saved again on purpose stays in the history, also after a restart")
  func autosaveSettles() throws {
    do {
      let session = try fixture.open()
      try session.save("main", state(1), autosave: true)
      #expect(try !session.save("main", state(1)).changed)
    }
    let session = try fixture.open()
    try session.save("main", state(2), autosave: true)
    #expect(try session.revisions("main") == [2, 1])
  }

  @Test("the place of an autosave is remembered over a restart")
  func autosaveReopens() throws {
    try fixture.open().save("main", state(1), autosave: true)
    fixture.clock.pass(milliseconds: 30_000)
    try fixture.open().save("main", state(2), autosave: true)
    fixture.clock.pass(milliseconds: 30_000)
    let session = try fixture.open()
    try session.save("main", state(3), autosave: true)
    #expect(try session.revisions("main") == [3, 2])
  }

  @Test("a clock that went back does not make autosaves take one place for ever")
  func autosaveClock() throws {
    let session = try fixture.open()
    try session.save("main", state(1), autosave: true)
    fixture.clock.pass(milliseconds: -86_400_000)
    try session.save("main", state(2), autosave: true)
    fixture.clock.pass(milliseconds: 61_000)
    try session.save("main", state(3), autosave: true)
    #expect(try session.revisions("main") == [3, 2, 1])
  }

  @Test("an autosave takes no place that was launched or confirmed")
  func autosaveProtects() throws {
    let session = try fixture.open()
    try session.save("main", state(1), autosave: true)
    _ = try session.outcome(.launch(scene: "main"))
    for number in 2...10 { try session.save("main", state(number), autosave: true) }
    #expect(try session.revisions("main") == [10, 1])
    _ = try session.outcome(.confirm(scene: "main", revision: 10))
    try session.save("main", state(11), autosave: true)
    #expect(try session.revisions("main") == [11, 10, 1])
  }

  @Test("the newest confirmed one, and what the last three launches were served, outlive the history")
  func protects() throws {
    fixture.options.history = 2
    let session = try fixture.open()
    var number = 0
    func save(_ times: Int) throws {
      for _ in 0..<times {
        number += 1
        try session.save("main", state(number))
      }
    }
    try save(1)
    _ = try session.outcome(.launch(scene: "main"))
    _ = try session.outcome(.confirm(scene: "main", revision: nil))
    for _ in 0..<3 {
      try save(4)
      _ = try session.outcome(.launch(scene: "main"))
    }
    try save(4)
    #expect(try session.revisions("main") == [17, 16, 13, 9, 5, 1])
    _ = try session.outcome(.confirm(scene: "main", revision: nil))
    try save(1)
    #expect(try session.revisions("main") == [18, 17, 13, 9, 5], "1 is no longer the newest confirmed one")
    #expect(try session.writer.connection.integer("SELECT count(*) FROM marks") == 1)
  }

  @Test("a rollback saves the old state as the newest revision, and nothing is lost by it")
  func rollback() throws {
    let session = try fixture.open()
    for number in 1...3 { try session.save("main", state(number)) }
    #expect(try session.outcome(.rollback(scene: "main", revision: 1)) == .rolledBack(revision: 4))
    #expect(try session.text("main") == state(1))
    #expect(try session.revisions("main") == [4, 3, 2, 1])
    #expect(try session.outcome(.rollback(scene: "main", revision: 3)) == .rolledBack(revision: 5))
    #expect(try session.text("main") == state(3))
  }

  @Test("a rollback to a state that is the newest already makes no revision")
  func rollbackToEqual() throws {
    let session = try fixture.open()
    for number in [1, 2, 1] { try session.save("main", state(number)) }
    #expect(try session.outcome(.rollback(scene: "main", revision: 1)) == .rolledBack(revision: 3))
    #expect(try session.outcome(.rollback(scene: "main", revision: 3)) == .rolledBack(revision: 3))
    #expect(try session.revisions("main") == [3, 2, 1])
  }

  @Test("numbers are never given twice: not after a scene is forgotten, nor an app reset, nor a restart")
  func numbersAreUnique() throws {
    var last = 0
    func expectNewer(_ revision: Int) {
      #expect(revision > last)
      last = revision
    }
    for _ in 0..<3 {
      let session = try fixture.open()
      expectNewer(try session.save("main", state(1)).revision)
      session.perform(.forgetScene(scene: "main"))
      expectNewer(try session.save("main", state(1)).revision)
      session.perform(.resetApp(keepEntities: false))
      session.maintain(hurried: true)
      expectNewer(try session.save("main", state(1)).revision)
      session.perform(.forgetScene(scene: "main"))
    }
  }
}
