import Glibc
import JSONText
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("Exports and imports over the wire")
struct TransferCaseTests {
  private let daemon = DaemonProcess(["--durability", "normal"])

  private func state(_ number: Int) -> String { #"{"stacks":{"t":[{"page":{"n":\#(number)}}]}}"# }

  private func records(_ texts: String...) -> [JSONObjectText] { texts.map { JSONObjectText($0.utf8) } }

  /// Runs restorectl against a daemon.
  private func tool(_ daemon: DaemonProcess, _ arguments: String..., input: [UInt8] = []) -> Finished {
    Finished(
      Files.products + "/restorectl",
      arguments,
      environment: ["RESTORED_SOCKET": daemon.socket],
      input: input
    )
  }

  @Test("restorectl exports one daemon into another, which then exports the same and restores as the first does")
  func throughTheTools() throws {
    let client = try daemon.client()
    try client.put("page", ["1", "é\u{1F600}\"\\"])
    try client.put("none", [])
    _ = try client.call(
      SetRoutes.self,
      SetRoutes.Parameters(app: "app", table: JSONObjectText(#"{ "history":3, "stale":"truncate" }"#.utf8))
    )
    for number in 1...5 { try client.save(state(number)) }
    let text =
      #"{ "stacks" : {"t":[ {"page":{"id":"1"}}, {"page":{"id":"gone"}}, 1.0 ]}, "values":{"a\/":9007199254740993}}"#
    try client.save(text, scene: "e\u{301}")
    try client.save(state(1), app: "other", scene: "\u{e9}")
    _ = try client.call(CloseScene.self, SceneAddress(app: "app", scene: "main"))
    let exported = tool(daemon, "export")
    #expect(exported.ending == .exit(0) && exported.errors == "")

    let other = DaemonProcess(["--durability", "normal"])
    #expect(tool(other, "import", input: exported.output).text == "imported 8\n")
    #expect(tool(other, "export").text == exported.text)
    let one = try client.restore(scene: "e\u{301}")
    let two = try other.client().restore(scene: "e\u{301}")
    #expect(two.text == one.text && two.dropped == one.dropped && two.savedAt == one.savedAt)
    #expect(two.dropped.count == 2)
    let history = try other.client().call(ListRevisions.self, SceneAddress(app: "app", scene: "main")).revisions
    #expect(history.count == 3)

    // One app alone, also out of a file of all.
    let part = tool(daemon, "export", "--app", "other")
    let third = DaemonProcess()
    #expect(tool(third, "import", "--app", "other", input: exported.output).text == "imported 1\n")
    #expect(tool(third, "export").output == part.output)
  }

  @Test("an import that is refused has changed nothing, and is gone on with at the line that it names")
  func resumed() throws {
    let folder = TemporaryFolder()
    let large = String(repeating: "x", count: 900_000)
    var lines = (1...20).map {
      #"{"type":"state","app":"app","scene":"s\#($0)","first":true,"state":{"values":{"x":"\#(large)"}}}"#
    }
    lines[14] = #"{"type":"state","app":"app","scene":"s15","first":true,"state":{"other":1}}"#
    folder.write(lines.joined(separator: "\n").utf8, to: "f")
    let refused = tool(daemon, "import", folder.file("f"))
    #expect(refused.ending == .exit(65))
    #expect(refused.errors.contains(": line 15: its state, at /other: unknown member other"))
    let scenes = try daemon.client().call(ListScenes.self, ListScenes.Parameters(app: "app")).scenes.count
    let marker = "tail -n +"
    let start = try #require(refused.errors.firstRange(of: marker)?.upperBound)
    let line = try #require(Int(refused.errors[start...].prefix { $0.isNumber }))
    #expect(scenes == line - 1 && (2...15).contains(line), "whole calls were taken, up to that line")
    lines[14] = #"{"type":"state","app":"app","scene":"s15","first":true,"state":{"values":{}}}"#
    let rest = lines[(line - 1)...].joined(separator: "\n")
    #expect(tool(daemon, "import", input: Array(rest.utf8)).text == "imported \(21 - line)\n")
    #expect(try daemon.client().call(ListScenes.self, ListScenes.Parameters(app: "app")).scenes.count == 20)
  }

  @Test(
    "each fault of a record is named with its index, and nothing of its call is taken",
    arguments: [
      (#"{"app":"a"}"#, "its type must be state, entities or routes"),
      (#"{"type":"scene","app":"a"}"#, "its type must be"),
      (#"{"type":"state","app":"a","state":{}}"#, "member scene"),
      (#"{"type":"state","app":"a","scene":"s","state":{"values":{}},"extra":1}"#, "member extra"),
      (#"{"type":"state","app":"a","scene":"s","state":{}}"#, "its state, as a whole"),
      (#"{"type":"state","app":"a","scene":"s","state":{"values":{"a":1,"a":2}}}"#, "its state, at /values/a"),
      (#"{"type":"state","app":"a","scene":"","state":{"values":{}}}"#, "its scene must not be empty"),
      (#"{"type":"state","app":"a","scene":"s","savedAt":"yesterday","state":{"values":{}}}"#, "its savedAt must be"),
      (#"{"type":"entities","app":"a","kind":"k","ids":["1","a\u0007"]}"#, "an id must have"),
      (#"{"type":"entities","app":"a","kind":"k","ids":[1]}"#, "member ids"),
      (#"{"type":"routes","app":"a","table":{"history":0}}"#, "its table, at /history"),
    ]
  )
  func faults(record: String, reason: String) throws {
    let client = try daemon.client()
    let good = #"{"type":"state","app":"app","scene":"good","first":true,"state":{"values":{}}}"#
    let parameters = ImportRecords.Parameters(records: records(good, record, good))
    let error = #expect(throws: InterfaceError.self) { try client.call(ImportRecords.self, parameters) }
    guard case .invalidRecord(1, let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.contains(reason))
    #expect(try client.call(GetStatus.self, GetStatus.Parameters()).revision == 0)
    // The connection stays.
    #expect(try client.call(ImportRecords.self, ImportRecords.Parameters(records: records(good))).imported == 1)
  }

  @Test("a state over the limit and more ids than one call takes are faults of their record")
  func limits() throws {
    let client = try daemon.client()
    let large =
      #"{"type":"state","app":"a","scene":"s","state":{"values":{"x":"\#(String(repeating: "x", count: 1 << 20))"}}}"#
    let many = (0...10_000).map { "\"\($0)\"" }.joined(separator: ",")
    for (record, reason) in [
      (large, "at most 1048576"), (#"{"type":"entities","app":"a","kind":"k","ids":[\#(many)]}"#, "10001 ids"),
    ] {
      let error = #expect(throws: InterfaceError.self) {
        try client.call(ImportRecords.self, ImportRecords.Parameters(records: records(record)))
      }
      guard case .invalidRecord(0, let found) = error else { throw error! }
      #expect(found.contains(reason))
    }
  }

  @Test("an export needs more, has its end, and answers for an app there is not with nothing")
  func shape() throws {
    let client = try daemon.client()
    #expect(throws: VarlinkError.expectedMore) {
      try client.call(ExportRecords.self, ExportRecords.Parameters())
    }
    #expect(try export(client, app: "nope").isEmpty)
    #expect(throws: VarlinkError.invalidParameter("app")) { try export(client, app: "") }
    // And the connection takes its next call.
    #expect(try client.save(state(1)).revision == 1)
    #expect(try export(client).count == 1)
  }

  @Test("an export of many pieces, each taken at once, comes to its end with every record once")
  func manyPieces() throws {
    let client = try daemon.client()
    let text = String(repeating: "x", count: 20_000)
    for number in 0..<40 { try client.save(#"{"values":{"x":"\#(text)"}}"#, scene: "s\(number)") }
    try client.put("page", (0..<9_000).map { "a long enough id \($0)" })
    let records = try export(client).map { String(decoding: $0.bytes.prefix(50), as: UTF8.self) }
    #expect(records.filter { $0.contains("entities") }.count > 1)
    #expect(records.filter { $0.contains("state") }.count == 40 && Set(records.suffix(40)).count == 40)
  }

  @Test("those who watch hear of an import once for each scene, kind and table, before it is answered")
  func watched() throws {
    let watch = try WatchStream(daemon)
    #expect(try watch.next() == "ready 0")
    let kept = WatchedImport.records
    #expect(
      try daemon.client().call(
        ImportRecords.self,
        ImportRecords.Parameters(records: records(kept[0], kept[1], kept[2], kept[3], kept[4]))
      ).imported == 5
    )
    #expect(
      try watch.next(4) == [
        "routesChanged 1 app", "entitiesChanged 3 app:page", "saved 6 app/main", "closed 7 app/main",
      ]
    )
  }

  @Test(
    "an import during which the daemon is killed is there as a whole or not at all, and whole where it was answered"
  )
  func killed() throws {
    let state = #"{"values":{"x":"\#(String(repeating: "x", count: 10_000))"}}"#
    for round in 0..<8 {
      let records = (0..<150).map { number in
        JSONObjectText(
          #"{"type":"state","app":"app\#(round)","scene":"s\#(number)","first":true,"state":\#(state)}"#.utf8
        )
      }
      let client = try daemon.client()
      try client.send(ImportRecords.fullName, ImportRecords.Parameters(records: records).encoded)
      // A little later each time; the last rounds wait for the answer.
      for _ in 0..<round { _ = try daemon.client().call(GetStatus.self, GetStatus.Parameters()) }
      let isAnswered = round >= 6 ? try client.receive().error == nil : false
      daemon.kill()
      daemon.start()
      let scenes = try daemon.client().call(ListScenes.self, ListScenes.Parameters(app: "app\(round)")).scenes.count
      #expect(scenes == 150 || (scenes == 0 && !isAnswered), "round \(round): \(scenes)")
    }
  }

  private func export(_ client: VarlinkClient, app: String? = nil) throws -> [JSONObjectText] {
    try client.send(ExportRecords.fullName, ExportRecords.Parameters(app: app).encoded, more: true)
    var records: [JSONObjectText] = []
    while true {
      let reply = try client.receive()
      if let name = reply.error {
        if let error = InterfaceError(name: name, parameters: reply.parameters) { throw error }
        throw VarlinkError(name, parameters: Array(reply.parameters))
      }
      records += try ExportRecords.Reply(leniently: reply.parameters).records
      if !reply.continues { return records }
    }
  }
}

private enum WatchedImport {
  static let records = [
    #"{"type":"routes","app":"app","table":{"history":5}}"#,
    #"{"type":"entities","app":"app","kind":"page","ids":["1"]}"#,
    #"{"type":"entities","app":"app","kind":"page","ids":["2"]}"#,
    #"{"type":"state","app":"app","scene":"main","first":true,"closedAt":"2026-01-01T00:00:00.000Z","state":{"values":{"n":1}}}"#,
    #"{"type":"state","app":"app","scene":"main","closedAt":"2026-01-01T00:00:00.000Z","state":{"values":{"n":2}}}"#,
  ]
}
