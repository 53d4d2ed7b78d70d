import Foundation
import SceneModel
import Testing

/// One state with what restoring it must come to.
private struct Vector: Decodable {
  struct Expectation: Decodable {
    struct Part: Decodable {
      var path: String
      var reason: String
      var route: String?
      var kind: String?
      var id: String?
    }
    var state: String
    var dropped: [Part]
    var emptied: [String]
    var unverified: [String]
  }
  var state: String
  var entities: [String: [String]]
  var stale: String
  var expect: Expectation

  static func all() throws -> [Vector] {
    let url = try #require(Bundle.module.url(forResource: "vectors", withExtension: "json"))
    return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
  }
}

@Suite struct VectorTests {
  @Test("all vectors come out as they must, byte for byte")
  func vectors() throws {
    let vectors = try Vector.all()
    #expect(vectors.count == 160)
    for (place, vector) in vectors.enumerated() {
      let policy = try #require(StalePolicy(rawValue: vector.stale))
      let result = try restore(vector.state, vector.entities, policy)
      #expect(result.text == vector.expect.state, "vector \(place)")
      let dropped = vector.expect.dropped.map {
        Dropped(
          path: $0.path,
          reason: DropReason(rawValue: $0.reason) ?? .unknownTab,
          route: $0.route,
          kind: $0.kind,
          id: $0.id
        )
      }
      #expect(result.dropped == dropped, "vector \(place)")
      #expect(result.emptied == vector.expect.emptied, "vector \(place)")
      #expect(
        Set(result.unverified.map { $0.lowercased() }) == Set(vector.expect.unverified.map { $0.lowercased() }),
        "vector \(place)"
      )
      #expect(result.unverified.count == vector.expect.unverified.count, "vector \(place)")
    }
  }
}
