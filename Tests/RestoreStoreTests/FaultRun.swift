import Testing

@testable import RestoreStore

/// A store whose disk fails, and a twin whose disk does not, which is told what the first has acknowledged.
///
/// Whatever fails, both read the same.
final class FaultRun {
  /// In the short form power is lost after one in so many attempts.
  private static let survivalRate = 8

  private var opened: Session?
  private let fixture = Fixture(in: Disk.base)
  private let twinFixture = Fixture(in: Disk.base)
  private let twin: Session
  private let disk: Disk
  private let failing: FaultTests.Failing
  /// Calls that failed in the last attempt.
  private(set) var failures = 0
  private var newest = 0
  private var place: Comment = ""

  init(_ failing: FaultTests.Failing) throws {
    self.failing = failing
    for fixture in [fixture, twinFixture] {
      fixture.options.limits.turnLogOver(afterPages: 24)
      fixture.options.history = 2
    }
    twin = try twinFixture.open()
    disk = try Disk(fixture)
    opened = try fixture.open()
  }

  var session: Session {
    get throws { try #require(opened) }
  }

  /// Carries out one batch, and in the twin what of it was acknowledged.
  @discardableResult
  func perform(_ actions: WriteCommand.Action...) throws -> [WriteResult] {
    let session = try session
    let results = session.writer.perform(actions.map(session.command))
    for (action, result) in zip(actions, results) {
      session.apply(result.changes)
      switch result.outcome {
      case .failure(let error) where error.code == failing.code: check(error)
      case .success(.launched(let launch)) where launch.uncounted != nil:
        if let error = launch.uncounted { check(error) }
      case let outcome:
        // A refusal, too, is to be the twin's.
        let other = disk.away { twin.perform(action)[0].outcome }
        #expect(outcome == other, place)
      }
    }
    return results
  }

  /// Does what is due.
  func maintain() throws {
    let done = try session.maintain(hurried: true)
    for fault in done.faults {
      if fault.code == .notYetErased { continue }
      check(fault)
    }
    for erased in done.erased {
      if case .failure(let error) = erased.outcome { #expect(error.code == .notYetErased, place) }
    }
  }

  private func check(_ error: StoreError) {
    #expect(error.code == failing.code, "\(place.rawValue): \(error)")
    #expect(error.remedy?.isEmpty == false)
  }

  /// Has the `number`-th call fail while `act` is carried out; then looks at everything, mends the disk, and goes on.
  func failing(at number: Int, _ act: () throws -> Void) throws {
    place = Comment(rawValue: "call \(number)")
    disk.fail(failing.calls, number, with: failing.error, forever: failing.forever)
    try act()
    failures = disk.failures
    if failing.calls == .changing { try compare() }
    disk.heal()
    try goOn(number)
  }

  /// The service is back without anyone's doing: what failed goes through, and a loss of power takes nothing.
  private func goOn(_ number: Int) throws {
    fixture.clock.pass(milliseconds: 60_000)
    twinFixture.clock.pass(milliseconds: 60_000)
    let session = try session
    _ = try perform(session.saving("afterwards", #"{"values":{"n":\#(number)}}"#))[0].outcome.get()
    let done = session.maintain(hurried: true)
    #expect(done.faults == [], place)
    #expect(session.writer.problems == [], place)
    try compare()
    let integrity = try Statement("PRAGMA integrity_check", on: session.writer.connection).all { $0.text(0) }
    #expect(integrity == ["ok"], place)
    if isLong || number % Self.survivalRate == 1 { try expectSurvival() }
  }

  /// Both stores read the same, and the count of numbers has not gone back.
  private func compare() throws {
    let session = try session
    let other = try disk.away { try twin.dump() }
    #expect(try session.dump() == other, place)
    let count = try session.reader.newest(of: Fixture.uid)
    #expect(count >= newest, place)
    newest = count
  }

  private func expectSurvival() throws {
    let left = Fixture(in: Disk.base)
    try disk.survivors(into: left.root)
    let (survived, twin, problems) = try disk.away {
      let session = try left.open()
      return (try session.dump(), try self.twin.dump(), try session.integrity())
    }
    #expect(survived == twin, place)
    #expect(problems == [], place)
  }

  /// Closes the store and opens it again: everything is there.
  func reopen() throws {
    opened = nil
    opened = try fixture.open()
    try compare()
  }
}
