import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

import typealias RestoreStore.StalePolicy

@Suite("The guard over the wire")
struct GuardCaseTests {
  private let daemon = DaemonProcess()

  private func state(_ number: Int) -> String { #"{"stacks":{"main":[{"page":{"n":\#(number)}}]}}"# }

  private func launch(_ scene: String = "main") throws -> Launch.Reply { try daemon.client().launch(scene) }

  private func crash() {
    daemon.kill()
    daemon.start()
  }

  @Test("the fourth launch without a confirm gets the newest confirmed revision, saves between the crashes or not")
  func fourth() throws {
    for scene in ["still", "saving"] {
      let client = try daemon.client()
      let good = try client.save(state(0), scene: scene).revision
      _ = try client.launch(scene)
      #expect(try client.confirm(scene) == good)
      var saved = [try client.save(state(1), scene: scene).revision]
      for count in 1...3 {
        let served = try launch(scene)
        #expect(served.outcome == .normal)
        #expect(served.revision == saved.last)
        #expect(served.unconfirmedLaunches == count)
        if scene == "saving" { saved.append(try daemon.client().save(state(1 + count), scene: scene).revision) }
        crash()
      }
      let fallback = try launch(scene)
      #expect(fallback.outcome == .fallback)
      #expect(fallback.revision == good)
      #expect(fallback.text == state(0))
      #expect(fallback.newest == saved.last)
      #expect(fallback.quarantined == saved.reversed())
      #expect(fallback.unconfirmedLaunches == 1)
    }
  }

  @Test("a fallback that crashes too gives way to the one before, and in the end to an empty state")
  func fallbackCrashes() throws {
    let client = try daemon.client()
    for number in 1...2 {
      try client.save(state(number))
      _ = try client.launch()
      try client.confirm()
    }
    try client.save(#"{"stacks":["main",["page"]]}"#)
    var outcomes: [String] = []
    for _ in 0..<11 {
      let served = try launch()
      outcomes.append("\(served.outcome) \(served.revision) \(served.quarantined)")
      crash()
    }
    #expect(Array(outcomes[0...2]) == Array(repeating: "normal 3 []", count: 3))
    #expect(Array(outcomes[3...5]) == Array(repeating: "fallback 2 [3]", count: 3))
    #expect(Array(outcomes[6...8]) == Array(repeating: "fallback 1 [3, 2]", count: 3))
    #expect(Array(outcomes[9...10]) == Array(repeating: "empty 0 [3, 2, 1]", count: 2))
    let empty = try launch()
    #expect(empty.text == #"{"stacks":[]}"#)
    #expect(empty.savedAt == nil)
    #expect(try daemon.client().confirm() == 0)
    #expect(try launch().unconfirmedLaunches == 1)
    // A restore knows no quarantine, and a rollback is the way out.
    #expect(try daemon.client().restore().revision == 3)
    _ = try daemon.client().call(Rollback.self, Rollback.Parameters(app: "app", scene: "main", revision: 2))
    let back = try launch()
    #expect(back.outcome == .normal)
    #expect(back.text == state(2))
    #expect(back.quarantined == [3, 1])
  }

  @Test("a launch, then autosaves of the same and of differing states, then a crash, ten times: the guard trips")
  func autosaves() throws {
    try daemon.client().save(state(0))
    var outcomes: [GuardOutcome] = []
    for round in 1...10 {
      let client = try daemon.client()
      let served = try client.launch()
      outcomes.append(served.outcome)
      if round == 4 {
        #expect(served.quarantined.count == 4)
        #expect(served.revision == 0)
      }
      try client.save(served.text == #"{"stacks":{}}"# ? state(0) : served.text, autosave: true)
      for number in 0..<5 { try client.save(state(10 * round + number), autosave: true) }
      crash()
    }
    // After the trip the newest autosave is a revision that never crashed, so it is served until it has, thrice.
    #expect(outcomes == [.normal, .normal, .normal, .empty, .normal, .normal, .empty, .normal, .normal, .empty])
  }

  @Test("ten autosaves in a second after a launch that dropped a route leave the launched revision to roll back to")
  func launchedStays() throws {
    let client = try daemon.client()
    try client.put("card", ["a"])
    let whole = #"{"stacks":{"main":[{"card":{"id":"a"}},{"card":{"id":"b"}}]}}"#
    let launched = try client.save(whole, autosave: true).revision
    let served = try client.launch()
    #expect(served.dropped.count == 1)
    try client.save(served.text, autosave: true)
    for number in 0..<10 { try client.save(state(number), autosave: true) }
    _ = try client.call(Rollback.self, Rollback.Parameters(app: "app", scene: "main", revision: launched))
    try client.put("card", ["b"])
    #expect(try client.restore().text == whole)
  }

  @Test("a restore with drops whose result is saved leaves the fuller stack in the history, to roll back to")
  func rollsBack() throws {
    let client = try daemon.client()
    try client.put("card", ["a"])
    let whole = #"{"stacks":{"main":[{"card":{"id":"a"}},{"card":{"id":"b"}}]}}"#
    let first = try client.save(whole).revision
    let restored = try client.restore()
    #expect(restored.dropped.map(\.path) == ["/stacks/main/1"])
    try client.save(restored.text)
    let revisions = try client.call(ListRevisions.self, ListRevisions.Parameters(app: "app", scene: "main")).revisions
    #expect(revisions.map(\.routes) == [1, 2])
    _ = try client.call(Rollback.self, Rollback.Parameters(app: "app", scene: "main", revision: first))
    try client.put("card", ["b"])
    #expect(try client.restore().text == whole)
  }

  @Test("what a launch is served is restored: a child of a parent that is gone goes with truncate, stays with drop")
  func policies() throws {
    let client = try daemon.client()
    try client.put("card", ["a"])
    try client.put("board", ["x"])
    try client.save(#"{"stacks":{"main":[{"board":{"id":"gone"}},{"card":{"id":"a"}}]}}"#)
    let dropped = try client.launch()
    #expect(dropped.text == #"{"stacks":{"main":[{"card":{"id":"a"}}]}}"#)
    let truncated = try client.launch(stale: .truncate)
    #expect(truncated.text == #"{"stacks":{"main":[]}}"#)
    #expect(truncated.dropped.map(\.reason) == [.entityMissing, .aboveDropped])
    #expect(truncated.emptied == ["main"])
    #expect(truncated.unconfirmedLaunches == 2)
  }

  @Test("launches at once are counted one by one, beside saves that prune the history, and each is served a state")
  func concurrent() throws {
    try daemon.client().save(state(0))
    let clients = try (0..<12).map { _ in try daemon.client() }
    let savers = try (0..<12).map { _ in try daemon.client() }
    for (number, client) in clients.enumerated() {
      try client.send(Launch.fullName, Launch.Parameters(app: "app", scene: "main").encoded)
      for step in 0..<3 {
        let parameters = Save.Parameters(
          app: "app",
          scene: "main",
          state: JSONObjectText(state(3 * number + step + 1).utf8)
        )
        try savers[number].send(Save.fullName, parameters.encoded)
      }
    }
    let replies = try clients.map { client in
      let reply = try client.receive()
      #expect(reply.error == nil)
      return try Launch.Reply(leniently: reply.parameters)
    }
    for saver in savers { for _ in 0..<3 { #expect(try saver.receive().error == nil) } }
    #expect(replies.map(\.unconfirmedLaunches).sorted() == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
    for reply in replies where reply.outcome != .empty { #expect(reply.text.contains("page")) }
    // The first launch has nothing quarantined behind it; those that trip have.
    #expect(replies.filter { $0.quarantined.isEmpty }.count == 3)
  }

  @Test("two scenes of one app are guarded each by itself")
  func twoScenes() throws {
    let client = try daemon.client()
    for scene in ["left", "right"] { try client.save(state(1), scene: scene) }
    for _ in 0..<3 { _ = try client.launch("left") }
    #expect(try client.launch("right").unconfirmedLaunches == 1)
    #expect(try client.launch("left").outcome == .empty)
    try client.confirm("left")
    #expect(try client.launch("right").unconfirmedLaunches == 2)
    #expect(try client.launch("right").outcome == .normal)
    #expect(try client.launch("right").outcome == .empty)
  }

  @Test("a launch of no scene and a confirm before any launch are refused, and count nothing")
  func refusals() throws {
    let client = try daemon.client()
    #expect(throws: InterfaceError.sceneNotFound(app: "app", scene: "main")) { try client.launch() }
    #expect(throws: InterfaceError.sceneNotFound(app: "app", scene: "main")) { try client.confirm() }
    try client.save(state(1))
    #expect(throws: InterfaceError.revisionNotFound(scene: "main", revision: 0)) { try client.confirm() }
    #expect(throws: InterfaceError.revisionNotFound(scene: "main", revision: 7)) { try client.confirm(revision: 7) }
    #expect(try client.launch().unconfirmedLaunches == 1)
  }

  @Test("launches go on where nothing can be written; each is logged, and counting goes on when it can again")
  func fullDisk() throws {
    let client = try daemon.client()
    try client.save(state(1))
    _ = try client.launch()
    limitFiles(Files.read(daemon.database + "-wal").count)
    #expect(throws: InterfaceError.self) { try client.save(state(2)) }
    for _ in 0..<5 {
      let served = try client.launch()
      #expect(served.outcome == .normal)
      #expect(served.text == state(1))
      #expect(served.unconfirmedLaunches == 2)
    }
    let problems = try client.call(GetStatus.self, GetStatus.Parameters()).problems
    #expect(problems.count == 1, "served is not stored: \(problems)")
    limitFiles(1 << 30)
    #expect(try client.launch().unconfirmedLaunches == 2)
    #expect(try client.launch().unconfirmedLaunches == 3)
    let log = daemon.process.errors.split(separator: "\n")
    #expect(log.filter { $0.contains("a launch of scene main of app app was served but not counted") }.count == 5)
    #expect(log.filter { $0.contains("storage works again") }.count == 1)
  }

  /// Makes the daemon's files grow no further than `bytes`.
  private func limitFiles(_ bytes: Int) {
    let limited = Finished("prlimit", ["--pid", "\(daemon.process.pid)", "--fsize=\(bytes):unlimited"])
    #expect(limited.ending == .exit(0), "\(limited.errors)")
  }
}

extension VarlinkClient {
  fileprivate func launch(_ scene: String = "main", stale: StalePolicy? = nil) throws -> Launch.Reply {
    try call(Launch.self, Launch.Parameters(app: "app", scene: scene, stale: stale))
  }

  @discardableResult
  fileprivate func confirm(_ scene: String = "main", revision: Int? = nil) throws -> Int {
    try call(Confirm.self, Confirm.Parameters(app: "app", scene: scene, revision: revision)).revision
  }
}

extension Launch.Reply {
  fileprivate var text: String { String(decoding: state.bytes, as: UTF8.self) }
}
