import Foundation
import RestoreClient
import Testing

/// The rules of entities, which hold with the daemon and in memory.
@Suite struct EntityTableTests {
  /// An app's own id.
  struct BoardID: EntityIdentifier {
    let rawValue: Int
    var entityText: String { "board-\(rawValue)" }
  }

  @Test("Ids are strings, numbers, UUIDs and an app's own types, each by its text", arguments: Peer.allCases)
  func identifiers(_ peer: Peer) async throws {
    try await peer.client { client in
      let uuid = UUID()
      try await client.entities("note").put(["a", "b"])
      try await client.entities("note").put([1, 2].lazy.map { $0 * 10 })
      try await client.entities("note").put("abc".split(separator: "b"))
      try await client.entities("note").put(uuid)
      try await client.entities("note").put([BoardID(rawValue: 7)])
      try await client.entities("note").delete(BoardID(rawValue: 7))
      try await client.entities("note").delete(Set(["a"]))
      #expect(Set(try await client.entities("note").list()) == ["b", "10", "20", "c", uuid.uuidString.lowercased()])
    }
  }

  @Test("A put of nothing declares the kind, and keeps the version", arguments: Peer.allCases)
  func declaring(_ peer: Peer) async throws {
    try await peer.client { client in
      #expect(try await client.entities("board").info() == nil)
      try await client.entities("board").put([String](), version: "1")
      let info = try #require(try await client.entities("board").info())
      #expect(info.kind == "board" && info.count == 0 && info.version == "1" && !info.syncing)
      try await client.entities("board").put("b1")
      #expect(try await client.entities("board").info()?.version == "1")
      try await client.entities("board").delete(["b1"], version: "2")
      #expect(try await client.entities("board").info()?.version == "2")
      try await client.entities("board").forget()
      #expect(try await client.kinds().isEmpty)
    }
  }

  @Test("More ids than one call takes go in portions, the version with the last", arguments: Peer.allCases)
  func portions(_ peer: Peer) async throws {
    try await peer.client { client in
      let table = client.entities("card")
      try await table.put(1...20_001, version: "all")
      #expect(try await table.info().map { [$0.count, $0.version == "all" ? 1 : 0] } == [20_001, 1])
      #expect(Set(try await table.list()) == Set((1...20_001).map(String.init)))
      // Long ids: a portion ends by its bytes as well.
      let long = (1...1_000).map { "\($0)" + String(repeating: "x", count: 4_000) }
      try await client.entities("long").put(long)
      #expect(try await client.entities("long").info()?.count == 1_000)
      try await table.delete(2...20_001)
      #expect(try await table.list() == ["1"])
    }
  }

  @Test("An id that none can be refuses its call", arguments: Peer.allCases)
  func refused(_ peer: Peer) async throws {
    try await peer.client { client in
      let table = client.entities("board")
      let empty = await error { try await table.put(["b1", ""]) }
      #expect(empty == .invalidParameter("ids"))
      let id = String(repeating: "x", count: 4_097)
      let long = await error { try await table.put(id) }
      #expect(long == .limitExceeded(limit: "id", maximum: 4_096, actual: 4_097))
      let info = try await table.info()
      #expect(info == nil)
    }
  }

  @Test("A sync leaves what it brought and what was put meanwhile", arguments: Peer.allCases)
  func sync(_ peer: Peer) async throws {
    try await peer.client { client in
      let table = client.entities("board")
      try await table.put(["old", "stays"])
      let outcome = try await table.sync(["stays", "new"], version: "2")
      #expect(outcome.added == 1 && outcome.deleted == 1 && outcome.count == 2)
      #expect(Set(try await table.list()) == ["stays", "new"])
      #expect(try await table.info()?.version == "2")
      try await table.sync([Int]())
      #expect(try await table.list().isEmpty)
    }
  }

  @Test("A sync takes an asynchronous sequence, and what is put while it runs stays", arguments: Peer.allCases)
  func asyncSync(_ peer: Peer) async throws {
    try await peer.client { client in
      let table = client.entities("board")
      try await table.put("gone")
      let ids = AsyncStream<Int> { continuation in
        for id in 1...12_000 { continuation.yield(id) }
        continuation.finish()
      }
      let mapped = ids.map { id in
        if id == 11_000 { try await table.put("meanwhile") }
        return id
      }
      let outcome = try await table.sync(mapped)
      #expect(outcome.count == 12_001 && outcome.deleted == 1)
      #expect(try await table.list().contains("meanwhile"))
    }
  }

  @Test("A sync whose sequence fails takes nothing away", arguments: Peer.allCases)
  func failedSync(_ peer: Peer) async throws {
    struct Broken: Error {}
    try await peer.client { client in
      let table = client.entities("board")
      try await table.put("old")
      let ids = AsyncThrowingStream<String, any Error> { $0.finish(throwing: Broken()) }
      await #expect(throws: Broken.self) { try await table.sync(ids) }
      #expect(try await table.list() == ["old"])
    }
  }

  @Test("A sync that another one overtook is refused, and takes nothing away", arguments: Peer.allCases)
  func overtaken(_ peer: Peer) async throws {
    try await peer.client { client in
      let table = client.entities("board")
      let stream = AsyncStream<String> { continuation in
        continuation.yield("late")
        continuation.finish()
      }
      let slow = stream.map { id in
        try await table.sync(["first"])
        return id
      }
      await #expect(throws: RestoreError.syncNotFound) { try await table.sync(slow) }
      let ids = try await table.list()
      #expect(ids == ["first"])
    }
  }
}
