import JSONText
import TestSupport
import Testing

@testable import restorectl

/// The calls that entities put, delete and sync make.
@Suite struct EntityCallsTests {
  /// Answers any call that takes ids with their number.
  private static func counting() throws -> ScriptedPeer {
    try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        guard let document = try? JSONDocument(Array(call.utf8)),
          let parameters = document.member(document.root, "parameters")
        else { return }
        let ids = document.member(parameters, "ids").map(document.count) ?? 0
        connection.reply(
          #"{"parameters":{"sync":"y","added":\#(ids),"deleted":\#(ids),"count":\#(ids)}}"#
        )
      }
    }
  }

  /// Method, and ids in the call.
  private static func shape(_ call: String) throws -> String {
    let document = try JSONDocument(Array(call.utf8))
    let parameters = try #require(document.member(document.root, "parameters"))
    let method = try document.string(#require(document.member(document.root, "method")))
    return method.dropFirst("io.restored.".count)
      + (document.member(parameters, "ids").map { " \(document.count($0))" } ?? "")
  }

  @Test("ids beyond 10,000 go in several calls, and their counts are added up")
  func split() throws {
    let peer = try Self.counting()
    let ids = (1...25_000).map(String.init).joined(separator: "\n")
    #expect(Tool.run(["entities", "put", "card"], socket: peer.path, input: ids).text == "added 25000\n")
    #expect(try peer.calls.map(Self.shape) == ["PutEntities 10000", "PutEntities 10000", "PutEntities 5000"])
    #expect(
      Tool.run(["entities", "delete", "card", "--json"], socket: peer.path, input: ids).text == "{\"deleted\":25000}\n"
    )
  }

  @Test("a sync begins, puts and ends, and prints what came of it")
  func sync() throws {
    let peer = try Self.counting()
    let ids = (1...20_001).map(String.init).joined(separator: "\r\n") + "\r\n"
    let result = Tool.run(["entities", "sync", "card", "--version", "v7"], socket: peer.path, input: ids)
    #expect(result.text == "added 0, deleted 0, now 0\n")
    #expect(
      try peer.calls.map(Self.shape)
        == ["BeginSync", "PutEntities 10000", "PutEntities 10000", "PutEntities 1", "EndSync"]
    )
    #expect(peer.calls.last?.contains(#""sync":"y","version":"v7""#) == true)
  }

  @Test("ids as arguments, with -0, and none at all")
  func forms() throws {
    let peer = try Self.counting()
    #expect(Tool.run(["entities", "put", "card", "a", "é", "--", "-b"], socket: peer.path).text == "added 3\n")
    #expect(
      Tool.run(["entities", "put", "card", "-0"], socket: peer.path, input: "a b\u{0}c\u{0}").text == "added 2\n"
    )
    #expect(Tool.run(["entities", "put", "card"], socket: peer.path).text == "added 0\n")
    #expect(peer.calls.count == 3)
    #expect(peer.calls[0].contains(#""ids":["a","é","-b"]"#))
  }

  @Test("what the daemon refuses is found in the input, and a sync that fails is never ended")
  func place() throws {
    let peer = try ScriptedPeer { connection in
      while let call = connection.nextCall() {
        connection.reply(
          call.contains("BeginSync")
            ? #"{"parameters":{"sync":"y"}}"#
            : #"{"error":"io.restored.LimitExceeded","parameters":{"limit":"id","maximum":4096,"actual":5000}}"#
        )
      }
    }
    let ids = "a\nb\n" + String(repeating: "x", count: 5000) + "\n"
    let result = Tool.run(["entities", "sync", "card"], socket: peer.path, input: ids)
    #expect(result.exit == 65)
    #expect(result.error.contains("line 3 of standard input") && result.error.contains("nothing was taken away"))
    #expect(!peer.calls.contains { $0.contains("EndSync") })
  }

  @Test(
    "what is no list of ids is refused with its line",
    arguments: [[UInt8]("a\n\u{FF}".utf8.dropLast()) + [0xFF], Array(repeating: 0x61, count: 70_000)]
  )
  func noList(_ bytes: [UInt8]) throws {
    let peer = try Self.counting()
    let result = Tool.run(["entities", "sync", "card"], socket: peer.path, bytes: bytes)
    #expect(result.exit == 65)
    #expect(result.error.contains("line "))
    #expect(peer.calls.isEmpty)
  }
}
