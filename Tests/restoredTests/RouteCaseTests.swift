import Glibc
import JSONText
import RestoreInterface
import RestoreStore
import SceneModel
import TestSupport
import Testing
import Varlink

@testable import RestoredService

extension VarlinkClient {
  /// Sets a route table given as JSON text.
  @discardableResult
  fileprivate func setRoutes(_ table: String, app: String = "app", dryRun: Bool? = nil) throws -> SetRoutes.Reply {
    try call(SetRoutes.self, SetRoutes.Parameters(app: app, table: JSONObjectText(table.utf8), dryRun: dryRun))
  }

  fileprivate func table(app: String = "app") throws -> String? {
    try call(GetRoutes.self, GetRoutes.Parameters(app: app)).table.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  fileprivate func resolve(_ url: String) throws -> ResolveLink.Reply {
    try call(ResolveLink.self, ResolveLink.Parameters(app: "app", url: url))
  }
}

@Suite("Route tables over the wire")
struct RouteCaseTests {
  private let daemon = DaemonProcess()
  private let state = #"{"stacks":{"m":[{"home":{}},{"project":{"id":"b1"}},{"card":{"cardID":"c1"}}]}}"#

  @Test("an unknown case in the middle of a stack goes, and is back with the case; the stored bytes never change")
  func unknownInTheMiddle() throws {
    let client = try daemon.client()
    try client.save(state)
    try client.setRoutes(#"{"routes":{"home":{},"card":{}},"unknownRoutes":"drop"}"#)
    for _ in 0..<2 {
      let two = try client.restore()
      #expect(two.text == #"{"stacks":{"m":[{"home":{}},{"card":{"cardID":"c1"}}]}}"#)
      #expect(two.dropped == [Dropped(path: "/stacks/m/1", reason: .unknownRoute, route: "project")])
    }
    try client.setRoutes(#"{"routes":{"home":{},"card":{},"project":{}},"unknownRoutes":"drop"}"#)
    #expect(try client.restore().text == state)
    #expect(
      try client.call(ListRevisions.self, ListRevisions.Parameters(app: "app", scene: "main")).revisions.count == 1
    )
  }

  @Test("a case renamed in one release, removed in the next, back in the third, for restore, launch and check")
  func releases() throws {
    let client = try daemon.client()
    try client.save(state)
    func texts() throws -> [String] {
      let check = Check.Parameters(app: "app", state: JSONObjectText(state.utf8))
      return [
        try client.restore().text,
        String(
          decoding: try client.call(Launch.self, Launch.Parameters(app: "app", scene: "main")).state.bytes,
          as: UTF8.self
        ),
        String(decoding: try client.call(Check.self, check).state.bytes, as: UTF8.self),
      ]
    }
    let first = #"{"routes":{"home":{},"board":{},"card":{}},"renamed":{"project":"board"},"unknownRoutes":"drop"}"#
    let renamed = state.replacing("project", with: "board")
    try client.setRoutes(first)
    #expect(try texts() == [renamed, renamed, renamed])
    try client.setRoutes(#"{"routes":{"home":{},"card":{}},"unknownRoutes":"drop"}"#)
    let without = #"{"stacks":{"m":[{"home":{}},{"card":{"cardID":"c1"}}]}}"#
    #expect(try texts() == [without, without, without])
    try client.setRoutes(first)
    #expect(try texts() == [renamed, renamed, renamed])
  }

  @Test("the table's policy holds for calls that name none, with drop and truncate as they say")
  func policies() throws {
    let client = try daemon.client()
    try client.put("b", ["here"])
    try client.save(#"{"stacks":{"m":["a",{"b":{"id":"gone"}},{"c":{"parentID":"gone"}}]}}"#)
    #expect(try client.restore().text == #"{"stacks":{"m":["a",{"c":{"parentID":"gone"}}]}}"#)
    try client.setRoutes(#"{"stale":"truncate"}"#)
    let truncated = try client.restore()
    #expect(truncated.text == #"{"stacks":{"m":["a"]}}"#)
    #expect(truncated.dropped.map(\.reason) == [.entityMissing, .aboveDropped])
    let dropping = Restore.Parameters(app: "app", scene: "main", stale: .drop)
    #expect(try client.call(Restore.self, dropping).dropped.count == 1)
  }

  @Test("a restore sees a table that another connection set, also where its reply was kept")
  func cached() throws {
    let client = try daemon.client()
    let other = try daemon.client()
    try client.save(state)
    for round in 0..<5 {
      #expect(try client.restore().text == state)
      #expect(try client.restore().text == state)
      try other.setRoutes(#"{"renamed":{"project":"r\#(round)"}}"#)
      #expect(try client.restore().text == state.replacing("project", with: "r\(round)"))
      try other.setRoutes("{}")
    }
  }

  @Test("setting tells what a table does to all scenes, a dry run without doing it; an equal table writes nothing")
  func counts() throws {
    let client = try daemon.client()
    for scene in ["a", "b", "c"] { try client.save(state, scene: scene) }
    try client.put("card", [])
    let table = #"{"routes":{"board":{},"card":{}},"renamed":{"project":"board"}}"#
    let expected = SetRoutes.Reply(changed: true, scenes: 3, renamed: 3, unknown: 3, stale: 3).encoded
    #expect(try client.setRoutes(table, dryRun: true).encoded == expected)
    #expect(try client.table() == nil)
    #expect(try client.setRoutes(table).encoded == expected)
    #expect(try client.table() == table)
    let before = try client.call(GetStatus.self, GetStatus.Parameters()).revision
    #expect(try client.setRoutes(" \(table) ").changed == false)
    #expect(try client.setRoutes(table, dryRun: true).changed == false)
    #expect(try client.call(GetStatus.self, GetStatus.Parameters()).revision == before)
  }

  @Test("counting many scenes does not hold up those who restore")
  func slices() throws {
    let client = try daemon.client()
    let routes = (0..<400).map { #"{"old":{"n":\#($0)}}"# }.joined(separator: ",")
    for scene in 0..<60 { try client.save(#"{"stacks":{"m":[\#(routes)]}}"#, scene: "s\(scene)") }
    try client.save(state)
    let other = try daemon.client()
    let parameters = SetRoutes.Parameters(
      app: "app",
      table: JSONObjectText(#"{"renamed":{"old":"new"}}"#.utf8),
      dryRun: true
    )
    try client.send(SetRoutes.fullName, parameters.encoded)
    for _ in 0..<20 { #expect(try other.restore().text == state) }
    let reply = try SetRoutes.Reply(leniently: try client.receive().parameters)
    #expect(reply.scenes == 61 && reply.renamed == 24_000)
  }

  @Test("a wrong table changes nothing, and the answer names the first fault; its size and names have limits")
  func refused() throws {
    let client = try daemon.client()
    let table = #"{"stale":"keep"}"#
    try client.setRoutes(table)
    #expect(
      throws: InterfaceError.invalidRoutes(
        path: "/routes",
        reason: "routes is an object of case names, like {\"card\":{\"entities\":{\"cardID\":\"card\"}}}, not an array"
      )
    ) {
      try client.setRoutes(#"{"routes":[],"tab":1}"#)
    }
    for wrong in [#"{"a":1}"#, #"{"tabs":["a","a"]}"#, #"{"history":1,"history":2}"#, #"{"unknownRoutes":"drop"}"#] {
      let error = #expect(throws: InterfaceError.self) { try client.setRoutes(wrong, dryRun: true) }
      guard case .invalidRoutes = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    let long = String(repeating: "x", count: 256)
    #expect(throws: InterfaceError.limitExceeded(limit: "case name", maximum: 255, actual: 256)) {
      try client.setRoutes(#"{"routes":{"\#(long)":{}}}"#)
    }
    let large = #"{"tabs":[\#(Array(repeating: "1", count: 140_000).joined(separator: ","))]}"#
    #expect(throws: InterfaceError.limitExceeded(limit: "route table", maximum: 262_144, actual: large.utf8.count)) {
      try client.setRoutes(large)
    }
    #expect(try client.table() == table)
  }

  @Test(
    "a link gives the state that the table spells, checked; none is saved, and one that matches nothing is an error"
  )
  func links() throws {
    let client = try daemon.client()
    #expect(throws: InterfaceError.noMatchingLink(url: "m://card/c1")) { try client.resolve("m://card/c1") }
    try client.put("card", ["c1"])
    try client.setRoutes(#"{"links":[{"link":"m://card/{id}","state":{ "stacks":{"m":[{"card":{"id":"{id}"}}]}}}]}"#)
    let found = try client.resolve("m://card/c1")
    #expect(String(decoding: found.state.bytes, as: UTF8.self) == #"{ "stacks":{"m":[{"card":{"id":"c1"}}]}}"#)
    #expect(found.dropped.isEmpty)
    #expect(try client.resolve("m://card/%C3%A9").dropped.map(\.id) == ["é"])
    #expect(throws: InterfaceError.noMatchingLink(url: "m://card")) { try client.resolve("m://card") }
    #expect(try client.call(ListScenes.self, ListScenes.Parameters()).scenes.isEmpty)
  }

  @Test("a table outlives a crash of the daemon, and the guard begins anew with another one")
  func outlives() throws {
    var client = try daemon.client()
    try client.save(state)
    try client.setRoutes(#"{"renamed":{"project":"board"}}"#)
    for _ in 0..<4 { _ = try client.call(Launch.self, Launch.Parameters(app: "app", scene: "main")) }
    daemon.kill()
    daemon.start()
    client = try daemon.client()
    #expect(try client.restore().text == state.replacing("project", with: "board"))
    try client.setRoutes("{}")
    let launch = try client.call(Launch.self, Launch.Parameters(app: "app", scene: "main"))
    #expect(launch.outcome == .normal && launch.unconfirmedLaunches == 1 && launch.quarantined.isEmpty)
  }

  @Test("a watch of one scene hears of the app's new table, once, and not of an equal one")
  func watched() throws {
    let client = try daemon.client()
    try client.save(state)
    let watch = try WatchStream(daemon, app: "app", scene: "main")
    #expect(try watch.next() == "ready 1")
    try client.setRoutes(#"{"history":3}"#)
    try client.setRoutes(#"{ "history":3 }"#)
    try client.setRoutes(#"{"history":3}"#, app: "other")
    try client.save(#"{"stacks":{}}"#)
    #expect(try watch.next(2) == ["routesChanged 2 app", "saved 4 app/main"])
  }

  @Test("plain and integer enums as tabs, and flat pairs in any order, are understood and no change")
  func tabForms() throws {
    let client = try daemon.client()
    let pairs = [#"{"boards":{}},[{"home":{}}]"#, #"{"inbox":{}},[]"#]
    let first = try client.save(#"{"stacks":[\#(pairs.joined(separator: ","))]}"#)
    let again = try client.save(#"{"stacks":[\#(pairs.reversed().joined(separator: ","))]}"#)
    #expect(!again.changed && again.revision == first.revision)
    try client.save(#"{"stacks":[1,[],0,["x"]],"selectedTab":0}"#, scene: "integers")
    try client.setRoutes(#"{"tabs":["inbox","1"],"renamedTabs":{"boards":"inbox","0":"1"}}"#)
    #expect(try client.restore().text == #"{"stacks":[{"inbox":{}},[]]}"#)
    #expect(try client.restore(scene: "integers").text == #"{"stacks":[1,[]],"selectedTab":1}"#)
  }

  @Test("a table that changed on the disk is not applied, which is said whether anyone asks or not; set again, it is")
  func damaged() throws {
    let table = #"{"routes":{"home":{}},"unknownRoutes":"drop"}"#
    do {
      let client = try daemon.client()
      try client.save(state)
      #expect(try client.setRoutes(table).changed)
    }
    #expect(daemon.stop() == .exit(0))
    let bytes = Files.read(daemon.database)
    var damaged = bytes
    let place = try #require(bytes.firstRange(of: Array(#"home":{}},"#.utf8)))
    damaged[place.lowerBound] ^= 1
    daemon.folder.write(damaged, to: "state/restored.sqlite3")
    let check = Finished(DaemonProcess.program, ["--check", "--state-dir", daemon.folder.file("state")])
    #expect(check.ending == .exit(74) && check.text.contains("a damaged route table is not applied; set it again"))
    daemon.start()
    #expect(daemon.process.says("the route table of app app is damaged: look into the disk, and set the table again"))
    let client = try daemon.client()
    #expect(try client.restore().text == state)
    let status = try client.call(GetStatus.self, GetStatus.Parameters())
    #expect(status.health == .degraded)
    #expect(status.problems.contains { $0.contains("route table of app app is damaged in \(daemon.database)") })
    #expect(try client.setRoutes(table).changed)
    #expect(try client.restore().text == #"{"stacks":{"m":[{"home":{}}]}}"#)
    #expect(try client.table() == table)
  }
}
