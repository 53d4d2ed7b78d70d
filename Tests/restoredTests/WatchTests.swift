import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite struct WatchTests {
  private let daemon = DaemonProcess(["--durability", "normal"])

  private func state(_ number: Int) -> String { #"{"values":{"n":\#(number)}}"# }

  private func close(_ scene: String, _ client: VarlinkClient) throws {
    _ = try client.call(CloseScene.self, CloseScene.Parameters(app: "app", scene: scene))
  }

  private func forget(_ scene: String, _ client: VarlinkClient) throws {
    _ = try client.call(ForgetScene.self, ForgetScene.Parameters(app: "app", scene: scene))
  }

  @Test("ready comes first, then each change as it happens, each once and in order")
  func live() throws {
    let client = try daemon.client()
    try client.save(state(1))
    let watch = try WatchStream(daemon)
    #expect(try watch.next() == "ready 1")
    try client.save(state(2))
    try client.save(state(2))
    try client.put("card", ["a"])
    try client.put("card", ["a"])
    try client.delete("card", ["a"])
    try close("main", client)
    _ = try client.call(ReopenScene.self, ReopenScene.Parameters(app: "app", scene: nil))
    _ = try client.call(Rollback.self, Rollback.Parameters(app: "app", scene: "main", revision: 1))
    try close("main", client)
    _ = try client.call(Launch.self, Launch.Parameters(app: "app", scene: "main"))
    _ = try client.call(Confirm.self, Confirm.Parameters(app: "app", scene: "main"))
    _ = try client.call(ForgetKind.self, ForgetKind.Parameters(app: "app", kind: "card"))
    try forget("main", client)
    #expect(
      try watch.next(10) == [
        "saved 2 app/main", "entitiesChanged 3 app:card", "entitiesChanged 4 app:card", "closed 5 app/main",
        "reopened 6 app/main", "saved 7 app/main", "closed 8 app/main", "reopened 9 app/main",
        "forgotten 10 app:card", "forgotten 11 app/main",
      ]
    )
  }

  @Test("an event has the time of its save, and is there when the save has been answered")
  func time() throws {
    let client = try daemon.client()
    let watch = try WatchStream(daemon)
    #expect(try watch.next() == "ready 0")
    let saved = try client.save(state(1))
    let event = try watch.nextEvent()
    #expect(event.time == saved.savedAt)
    #expect(event.revision == saved.revision)
  }

  @Test("a reset is told scene by scene and kind by kind; what it keeps is not")
  func reset() throws {
    let client = try daemon.client()
    for scene in ["a", "b"] { try client.save(state(1), scene: scene) }
    try client.save(state(1), app: "other")
    try client.put("card", ["1"])
    let watch = try WatchStream(daemon, app: "app", scene: "b")
    #expect(try watch.next() == "ready 4")
    _ = try client.call(ResetApp.self, ResetApp.Parameters(app: "app", keepEntities: true))
    try client.save(state(2), scene: "b")
    _ = try client.call(ResetApp.self, ResetApp.Parameters(app: "app"))
    #expect(
      try watch.next(4) == ["forgotten 6 app/b", "saved 7 app/b", "forgotten 8 app/b", "forgotten 9 app:card"]
    )
  }

  @Test("a watch of one app hears nothing of another, and one of a scene hears also of its app's entities")
  func filters() throws {
    let client = try daemon.client()
    let all = try WatchStream(daemon)
    let app = try WatchStream(daemon, app: "app")
    let scene = try WatchStream(daemon, app: "app", scene: "main")
    let anywhere = try WatchStream(daemon, scene: "main")
    for watch in [all, app, scene, anywhere] { #expect(try watch.next() == "ready 0") }
    try client.save(state(1), app: "other", scene: "main")
    try client.put("card", ["a"], app: "other")
    try client.save(state(1), scene: "side")
    try client.put("card", ["a"])
    try client.save(state(1), scene: "main")
    let events = [
      "saved 1 other/main", "entitiesChanged 2 other:card", "saved 3 app/side", "entitiesChanged 4 app:card",
      "saved 5 app/main",
    ]
    #expect(try all.next(5) == events)
    #expect(try app.next(3) == Array(events[2...]))
    #expect(try scene.next(2) == Array(events[3...]))
    #expect(try anywhere.next(4) == [0, 1, 3, 4].map { events[$0] })
    let resumed = try WatchStream(daemon, app: "app", scene: "main", after: 1)
    #expect(try resumed.next(3) == ["ready 1"] + Array(events[3...]))
  }

  @Test("with after, the last change of each comes first, in order and once, over a crash of the daemon")
  func resumes() throws {
    let client = try daemon.client()
    try client.save(state(1), scene: "old")
    for number in 1...12 { try client.save(state(number), scene: "a") }
    try client.save(state(1), scene: "b")
    try client.put("card", ["1"])
    try client.save(state(1), scene: "c")
    try close("b", client)
    try client.put("card", ["2"])
    try close("c", client)
    _ = try client.call(ReopenScene.self, ReopenScene.Parameters(app: "app", scene: "c"))
    try close("a", client)
    try client.save(state(13), scene: "a")
    let missed = ["closed 17 app/b", "entitiesChanged 18 app:card", "reopened 20 app/c", "saved 22 app/a"]
    let before = try WatchStream(daemon, after: 1)
    #expect(try before.next(5) == ["ready 1"] + missed)
    daemon.kill()
    daemon.start()
    let watch = try WatchStream(daemon, after: 1)
    #expect(try watch.next(5) == ["ready 1"] + missed)
    try daemon.client().save(state(2), scene: "b")
    #expect(try watch.next() == "saved 23 app/b")
    #expect(try before.nextFails())
    let rest = try WatchStream(daemon, after: 20)
    #expect(try rest.next(3) == ["ready 20", "saved 22 app/a", "saved 23 app/b"])
  }

  @Test("what was forgotten since the start is told one by one; what was before it is a gap in its place")
  func gap() throws {
    let client = try daemon.client()
    for scene in ["a", "b", "c", "d"] { try client.save(state(1), scene: scene) }
    try forget("b", client)
    try client.save(state(2), scene: "c")
    let known = try WatchStream(daemon, after: 2)
    #expect(try known.next(4) == ["ready 2", "saved 4 app/d", "forgotten 5 app/b", "saved 6 app/c"])
    daemon.kill()
    daemon.start()
    let after = try daemon.client()
    let watch = try WatchStream(daemon, after: 2)
    #expect(try watch.next(4) == ["ready 2", "saved 4 app/d", "gap 5", "saved 6 app/c"])
    #expect(try WatchStream(daemon, after: 5).next(2) == ["ready 5", "saved 6 app/c"])
    try forget("c", after)
    try forget("d", after)
    try after.save(state(3), scene: "c")
    #expect(try watch.next(3) == ["forgotten 7 app/c", "forgotten 8 app/d", "saved 9 app/c"])
    // c is there again: its forgetting is no longer its last change.
    #expect(try WatchStream(daemon, after: 5).next(3) == ["ready 5", "forgotten 8 app/d", "saved 9 app/c"])
  }

  @Test("more forgettings than are remembered show as a gap up to the newest that is not")
  func manyForgotten() throws {
    let client = try daemon.client()
    for number in 0..<2_100 { try client.save(state(number), scene: "\(number)") }
    _ = try client.call(ResetApp.self, ResetApp.Parameters(app: "app"))
    let watch = try WatchStream(daemon, after: 2_100)
    #expect(try watch.next() == "ready 2100")
    let first = try watch.nextEvent()
    #expect(first.type == .gap)
    #expect(try watch.nextEvent().revision == first.revision + 1)
    #expect(first.revision == 2_100 + 512)
  }

  @Test("a number that was never given is a gap up to the newest")
  func future() throws {
    let client = try daemon.client()
    try client.save(state(1))
    let watch = try WatchStream(daemon, after: .max)
    #expect(try watch.next(2) == ["ready \(Int.max)", "gap 1"])
    try client.save(state(2))
    #expect(try watch.next() == "saved 2 app/main")
  }

  @Test("a catch-up that is longer than what may wait in a connection comes whole, and live events follow it")
  func longCatchUp() throws {
    let client = try daemon.client()
    for number in 0..<1_500 { try client.save(state(number), scene: "\(number)") }
    daemon.kill()
    daemon.start()
    let watch = try WatchStream(daemon, after: 0)
    let after = try daemon.client()
    for number in 0..<500 { try after.save(state(-1), scene: "\(number)") }
    #expect(try watch.next() == "ready 0")
    var seen: [String: Int] = [:]
    var last = 0
    while last < 2_000 {
      let event = try watch.nextEvent()
      #expect(event.type == .saved)
      #expect(event.revision > last)
      last = event.revision
      seen[event.scene ?? ""] = event.revision
    }
    #expect(seen.count == 1_500)
    #expect((0..<500).allSatisfy { seen["\($0)"] == 1_501 + $0 })
  }

  @Test("a call without more, with a misspelt parameter or a negative after is refused, and the connection stays")
  func refusals() throws {
    let client = try daemon.client()
    #expect(try client.call(Watch.fullName).error == "org.varlink.service.ExpectedMore")
    for parameters in [#"{"after":-1}"#, #"{"app":""}"#, #"{"scenes":"main"}"#, #"{"after":"1"}"#] {
      let reply = try client.call(Watch.fullName, parameters.utf8, more: true)
      #expect(reply.error == "org.varlink.service.InvalidParameter")
      #expect(!reply.continues)
    }
    try client.save(state(1))
  }
}

extension WatchStream {
  /// Whether it has ended.
  fileprivate func nextFails() throws -> Bool {
    do {
      _ = try next()
      return false
    } catch VarlinkClientError.closed { return true }
  }
}
