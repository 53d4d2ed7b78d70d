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
    #expect(json.allSatisfy { $0.hasPrefix(#"{"event":{"type":""#) } && json.count == 2)
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
    #expect(peer.calls.last == #"{"method":"io.restored.ExportRecords","more":true,"parameters":{"app":"x"}}"#)
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
    #expect(broken.error.contains("line 2 column 6"))
    #expect(peer.calls.count == 4)
  }
}
