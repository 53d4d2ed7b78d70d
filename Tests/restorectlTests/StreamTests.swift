import JSONText
import TestSupport
import Testing

@testable import restorectl

/// watch, export and import against a peer that has them.
@Suite struct StreamTests {
  @Test("watch prints each event on a line until the daemon has gone")
  func watch() throws {
    let peer = try ScriptedPeer { connection in
      guard connection.nextCall() != nil else { return }
      let time = "2026-01-01T00:00:00.000Z"
      connection.reply(#"{"parameters":{"event":{"type":"ready","revision":4,"time":"\#(time)"}},"continues":true}"#)
      connection.reply(
        #"{"parameters":{"event":{"type":"saved","revision":5,"time":"\#(time)","app":"a","scene":"s\u001b"}},"#
          + #""continues":true}"#
      )
    }
    let result = Tool.run(["watch", "--scene", "s", "--after=3"], socket: peer.path)
    #expect(
      result.text == """
        2026-01-01T00:00:00.000Z  ready  revision 4
        2026-01-01T00:00:00.000Z  saved  revision 5  app a  scene s\\u001b

        """
    )
    #expect(result.exit == 69)
    #expect(result.error.contains("has gone"))
    _ = Tool.run(["watch"], socket: peer.path, environment: ["RESTORECTL_APP": "a", "RESTORECTL_SCENE": "s"])
    #expect(
      peer.calls == [
        #"{"method":"io.restored.Watch","more":true,"parameters":{"app":"default","scene":"s","after":3}}"#,
        #"{"method":"io.restored.Watch","more":true,"parameters":{}}"#,
      ]
    )
  }

  @Test("a watch ends when its reader has gone, though nothing happens any more")
  func watchReader() throws {
    let peer = try ScriptedPeer { connection in
      guard connection.nextCall() != nil else { return }
      let time = "2026-01-01T00:00:00.000Z"
      connection.reply(#"{"parameters":{"event":{"type":"ready","revision":4,"time":"\#(time)"}},"continues":true}"#)
      // Until the watch hangs up.
      _ = connection.nextCall()
    }
    let result = Tool.shell("restorectl watch | head -n 1; exit ${PIPESTATUS[0]}", socket: peer.path)
    #expect(result.text == "2026-01-01T00:00:00.000Z  ready  revision 4\n")
    #expect(result.exit == 141)
    #expect(result.error == "")
  }

  @Test("on a terminal, watch is written for people; with --json, one event a line")
  func watchTerminal() throws {
    let peer = try ScriptedPeer { connection in
      guard connection.nextCall() != nil else { return }
      for type in ["ready", "entitiesChanged"] {
        connection.reply(
          #"{"parameters":{"event":{"type":"\#(type)","revision":4,"time":"2026-01-01T05:06:07.000Z"}},"continues":true}"#
        )
      }
    }
    let shown = Tool.runOnTerminal("watch", socket: peer.path, environment: ["TZ": "UTC0"])
    #expect(
      shown.text == """
        2026-01-01 05:06:07  ready             revision 4
        2026-01-01 05:06:07  entities changed  revision 4

        """
    )
    let json = Tool.run(["watch", "--json"], socket: peer.path).text.split(separator: "\n")
    #expect(json.dropLast().allSatisfy { $0.hasPrefix(#"{"event":{"type":""#) } && json.count == 3)
    #expect(json[2].hasPrefix(#"{"error":"restorectl.NoDaemon","#), "the peer has gone")
  }

  private static func exporter() throws -> ScriptedPeer {
    try ScriptedPeer { connection in
      while connection.nextCall() != nil {
        connection.reply(
          "{\"parameters\":{\"records\":[{\"type\":\n\"state\",\"n\":1.0},{\"b\":2}]},\"continues\":true}"
        )
        connection.reply(#"{"parameters":{"records":[{"c":3}]}}"#)
      }
    }
  }

  @Test("export writes each record on a line, to stdout or to FILE")
  func export() throws {
    let peer = try Self.exporter()
    let lines = "{\"type\":\"state\",\"n\":1.0}\n{\"b\":2}\n{\"c\":3}\n"
    #expect(Tool.run(["export"], socket: peer.path).text == lines)
    #expect(Tool.run(["export", "--json"], socket: peer.path).text.split(separator: "\n").count == 2)
    let folder = TemporaryFolder()
    #expect(Tool.run(["export", folder.file("f"), "--app", "x"], socket: peer.path).text == "")
    #expect(folder.read("f") == Array(lines.utf8))
    let call = #"{"method":"io.restored.ExportRecords","more":true,"parameters":{"app":"x"}}"#
    #expect(peer.calls.contains(call))
  }

  @Test("an export that breaks off leaves FILE as it was")
  func brokenExport() throws {
    let peer = try ScriptedPeer { connection in
      _ = connection.nextCall()
      connection.reply(#"{"parameters":{"records":[{"a":1}]},"continues":true}"#)
    }
    let folder = TemporaryFolder()
    folder.write("old".utf8, to: "f")
    #expect(Tool.run(["export", folder.file("f")], socket: peer.path).exit == 69)
    #expect(folder.read("f") == Array("old".utf8))
  }

  @Test("import sends records in calls of bounded size, and only those of --app")
  func importing() throws {
    let peer = try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        guard let document = try? JSONDocument(Array(call.utf8)),
          let parameters = document.member(document.root, "parameters"),
          let records = document.member(parameters, "records")
        else { return }
        connection.reply(#"{"parameters":{"imported":\#(document.count(records))}}"#)
      }
    }
    let input = "{\"app\":\"a\",\"n\":1}\n\n{\"app\":\"b\"}\r\n"
    #expect(Tool.run(["import", "--replace"], socket: peer.path, input: input).text == "imported 2\n")
    #expect(Tool.run(["import", "--app=b"], socket: peer.path, input: input).text == "imported 1\n")
    #expect(
      peer.calls == [
        #"{"method":"io.restored.ImportRecords","parameters":"#
          + #"{"records":[{"app":"a","n":1},{"app":"b"}],"replace":true}}"#,
        #"{"method":"io.restored.ImportRecords","parameters":{"records":[{"app":"b"}]}}"#,
      ]
    )
    let large = String(repeating: "{\"a\":\"\(String(repeating: "x", count: 3_000_000))\"}\n", count: 3)
    #expect(Tool.run(["import"], socket: peer.path, input: large).text == "imported 3\n")
    #expect(peer.calls.count == 4)
    let broken = Tool.run(["import"], socket: peer.path, input: "{}\n{\"a\":}\n")
    #expect(broken.exit == 65)
    #expect(broken.error.contains("line 2, column 6"))
    #expect(peer.calls.count == 4)
  }

  @Test("a call ends where a scene ends, as far as one fits, and a line may be as long as a message")
  func sceneBoundaries() throws {
    let peer = try Self.importer()
    let mark = String(repeating: "x", count: 2_500_000)
    func record(_ scene: String, first: Bool) -> String {
      #"{"type":"state","scene":"\#(scene)","first":\#(first),"state":{"values":{"x":"\#(mark)"}}}"# + "\n"
    }
    // Three fit into one call. The third begins a scene that goes on, and is sent with it; that one fits into no call.
    let scenes = [("a", true), ("b", true), ("c", true), ("c", false), ("c", false), ("c", false)]
    let input = scenes.map { record($0.0, first: $0.1) }.joined()
    #expect(Tool.run(["import"], socket: peer.path, input: input).text == "imported 6\n")
    #expect(peer.calls.map(Self.count) == [2, 3, 1])
    let longest = #"{"a":"\#(String(repeating: "x", count: 5 << 20))"}"#
    #expect(Tool.run(["import"], socket: peer.path, input: longest).text == "imported 1\n")
  }

  @Test("what the daemon refuses is named by its line, with what was taken, what to do, and how to go on")
  func refusedRecord() throws {
    let peer = try Self.importer(refusing: #"{"index":1,"reason":"its scene\u001b is bad"}"#, after: 1)
    let folder = TemporaryFolder()
    let large = #"{"type":"state","first":true,"app":"a","x":"\#(String(repeating: "x", count: 8 << 20))"}"#
    folder.write(
      "\n\(large)\n{\"app\":\"b\"}\n\n{\"type\":\"state\",\"first\":true,\"app\":\"a\"}\n{}\n".utf8,
      to: "my file"
    )
    let file = folder.file("my file")
    let result = Tool.run(["import", file], socket: peer.path)
    #expect(result.exit == 65 && result.text == "")
    #expect(
      result.error == """
        restorectl: \(file): line 5: its scene\\u001b is bad
        restorectl: the lines before 3 were imported, none from there on; correct it, or add --replace for scenes that \
        are there already, and go on with: tail -n +3 '\(file)' | restorectl import

        """
    )
    let all = Tool.run(["import", "--replace", "--app", "b", file], socket: peer.path)
    #expect(all.exit == 0, "only one call, which is taken: \(all.error)")
    let json = Tool.run(["import", "--json", file], socket: peer.path)
    #expect(json.text.hasPrefix(#"{"error":"io.restored.InvalidRecord","parameters":{"index":1,"#))
  }

  @Test("a daemon that goes away meanwhile leaves unknown only what was under way")
  func importBreaksOff() throws {
    let peer = try ScriptedPeer { _ = $0.nextCall() }
    let result = Tool.run(["import", "--replace"], socket: peer.path, input: "{}\n{}\n")
    #expect(result.exit == 69)
    #expect(result.error.contains("(lines 1 to 2 of standard input)"))
    #expect(
      result.error.hasSuffix(
        "whether lines 1 to 2 were imported is unknown: look, and go on with: restorectl import --replace\n"
      )
    )
  }

  @Test("after an export the daemon's problems are passed on, for what is damaged was left out")
  func exportProblems() throws {
    let peer = try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        if call.contains("GetStatus") {
          connection.reply(
            #"{"parameters":{"version":"1","health":"degraded","problems":["revision 3 is damaged: look"],"#
              + #""uptimeSeconds":1,"connections":1,"scenes":1,"entities":1,"revision":1,"databaseBytes":1,"#
              + #""walBytes":1,"usedBytes":1,"saves":1,"restores":1,"droppedRoutes":1}}"#
          )
        } else {
          connection.reply(#"{"parameters":{"records":[]}}"#)
        }
      }
    }
    let result = Tool.run(["export"], socket: peer.path)
    #expect(result.exit == 0 && result.error == "restorectl: revision 3 is damaged: look\n")
  }

  @Test("progress is shown on a terminal alone, and taken away in the end")
  func progress() throws {
    let peer = try Self.importer()
    let folder = TemporaryFolder()
    folder.write("{}\n{}\n".utf8, to: "f")
    #expect(Tool.run(["import", folder.file("f")], socket: peer.path).error == "")
    let shown = Tool.runOnTerminal("import \(folder.file("f"))", socket: peer.path, stream: 2)
    #expect(shown.error.contains("2 records") && shown.error.hasSuffix("\r\u{1B}[K"))
    #expect(Tool.runOnTerminal("export", socket: try Self.exporter().path, stream: 2).error.contains("3 records"))
  }

  private static func count(_ call: String) -> Int {
    guard let document = try? JSONDocument(Array(call.utf8)),
      let parameters = document.member(document.root, "parameters"),
      let records = document.member(parameters, "records")
    else { return 0 }
    return document.count(records)
  }

  /// A peer that imports all that it is sent; `after` so many calls of a connection it refuses one for `fault`.
  private static func importer(refusing fault: String? = nil, after: Int = 0) throws -> ScriptedPeer {
    try ScriptedPeer { connection in
      var calls = 0
      while let call = connection.nextCall() {
        calls += 1
        if let fault, calls == after + 1 {
          connection.reply(#"{"error":"io.restored.InvalidRecord","parameters":\#(fault)}"#)
        } else {
          connection.reply(#"{"parameters":{"imported":\#(count(call))}}"#)
        }
      }
    }
  }
}
