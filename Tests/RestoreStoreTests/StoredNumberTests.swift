import Foundation
import SceneModel
import Testing

@testable import RestoreStore

@Suite("A stored number that no daemon has written is damage, and ends no process")
struct StoredNumberTests {
  private static let columns = [
    ("users", "revision"), ("users", "changed_at"), ("users", "saved_at"), ("users", "used_bytes"),
    ("users", "forgotten"), ("users", "scene"), ("users", "scene_bytes"), ("apps", "scenes"), ("apps", "kinds"),
    ("apps", "history"), ("apps", "maximum_age"), ("apps", "routes_revision"), ("scenes", "switched"),
    ("scenes", "launches"), ("scenes", "launched_at"), ("scenes", "launched1"), ("revisions", "revision"),
    ("revisions", "saved_at"), ("revisions", "placed_at"), ("revisions", "routes"), ("kinds", "count"),
    ("kinds", "bytes"), ("kinds", "generation"), ("kinds", "revision"), ("kinds", "changed_at"),
  ]

  @Test("each number of each table, at the ends of what an integer holds", arguments: columns.indices)
  func outOfBounds(column: Int) throws {
    let (table, name) = Self.columns[column]
    for number in ["9223372036854775807", "-9223372036854775808", "4611686018427387904", "-1"] {
      let fixture = Fixture(in: Disk.base)
      do {
        let session = try fixture.open()
        try session.put("card", ["c1"])
        try session.save("main", #"{"values":{"n":1}}"#)
        _ = try session.outcome(.setRoutes(try RouteTable(validating: Array(#"{"maximumAgeSeconds":3600}"#.utf8))))
        _ = try session.outcome(.launch(scene: "main"))
      }
      do {
        let other = try Connection(path: fixture.database)
        try other.execute(script: Array("UPDATE \(table) SET \(name) = \(number)".utf8))
      }
      // Refusals, a recovery, and answers are all right; what is not is the end of the process.
      guard let session = try? fixture.open() else { continue }
      _ = try? session.restore("main")
      _ = try? session.save("main", #"{"values":{"n":2}}"#)
      _ = try? session.outcome(.launch(scene: "main"))
      _ = try? session.outcome(.confirm(scene: "main", revision: nil))
      _ = try? session.put("card", ["c2"])
      _ = try? session.save("other", #"{"values":{"n":3}}"#, autosave: true)
      _ = try? session.save("other", #"{"values":{"n":4}}"#, autosave: true)
      _ = try? session.outcome(.closeScene(scene: "main"))
      _ = try? session.outcome(.forgetScene(scene: "main"))
      #expect(try session.integrity().allSatisfy { !$0.contains("malformed") }, "\(table).\(name) = \(number)")
    }
  }
}
