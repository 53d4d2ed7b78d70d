import Foundation
import Synchronization
import Testing

@testable import RestoreStore

@Suite struct SceneStoreTests {
  let fixture = Fixture()

  private func open() throws -> SceneStore { try SceneStore(folder: fixture.folder, options: fixture.options) }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func error(_ body: () throws -> Void) throws -> StoreError {
    try #require(#expect(throws: StoreError.self) { try body() })
  }

  @Test("an app that is started again stands where it stood, minus what no longer exists")
  func relaunch() throws {
    let state = bytes(
      #"{"selectedTab":"boards","stacks":{"boards":[{"board":{"id":"b1"}},{"card":{"boardID":"b1","cardID":7}}]}}"#
    )
    do {
      let store = try open()
      try store.put(app: "app", kind: "board", ids: ["b1"])
      try store.put(app: "app", kind: "card", ids: ["7", "8"], version: "v1")
      #expect(try store.save(app: "app", scene: "main", state: state).revision == 3)
      #expect(try store.restore(app: "app", scene: "main").state == state)
    }
    let store = try open()
    try store.delete(app: "app", kind: "card", ids: ["7"])
    let restored = try store.restore(app: "app", scene: "main")
    #expect(String(decoding: restored.state, as: UTF8.self).contains(#"[{"board":{"id":"b1"}}]"#))
    #expect(restored.dropped.map(\.path) == ["/stacks/boards/1"])
    #expect(restored.dropped.map(\.reason) == [.entityMissing])
    #expect(restored.dropped.map(\.id) == ["7"])
    #expect(try store.restore(app: "app", scene: "main", stale: .keep).state == state)
    #expect(try store.check(app: "app", state: state).dropped == restored.dropped)
    try store.put(app: "app", kind: "card", ids: ["7"])
    #expect(try store.restore(app: "app", scene: "main").state == state)
    #expect(try store.kinds(app: "app").map(\.count) == [1, 2])
  }

  @Test("a scene whose routes all went stale comes back with empty stacks and the report; the stored bytes stay")
  func allStale() throws {
    let store = try open()
    let state = bytes(#"{"stacks":{"a":[{"card":{"id":1}}],"b":[]}}"#)
    try store.save(app: "app", scene: "main", state: state)
    try store.put(app: "app", kind: "card", ids: [])
    let restored = try store.restore(app: "app", scene: "main")
    #expect(restored.state == bytes(#"{"stacks":{"a":[],"b":[]}}"#))
    #expect(restored.emptied == ["a"])
    try store.save(app: "app", scene: "main", state: restored.state)
    try store.rollback(app: "app", scene: "main", revision: restored.revision)
    #expect(try store.restore(app: "app", scene: "main", stale: .keep).state == state)
  }

  @Test("a state that breaks a rule is refused with its place, and what was saved before stays")
  func invalidStates() throws {
    let store = try open()
    try store.save(app: "app", scene: "main", state: bytes(#"{"values":{}}"#))
    for text in [
      "", "\"\"", "null", "[]", "  ", #"{"stacks":{"a":["#, "{}", #"{"stacks":{"a":[{"b":{"id":1,"id":2}}]}}"#,
    ] {
      #expect(try error { try store.save(app: "app", scene: "main", state: bytes(text)) }.code == .invalidState)
    }
    let twice = try error {
      try store.save(app: "app", scene: "main", state: bytes(#"{"stacks":["a",[1],"a",[2]]}"#))
    }
    #expect(twice.code == .invalidState)
    #expect(twice.details.path != nil)
    try store.save(app: "app", scene: "repeats", state: bytes(#"{"stacks":{"a":["x","x"]}}"#))
    #expect(try store.restore(app: "app", scene: "main").state == bytes(#"{"values":{}}"#))
    #expect(try store.revisions(app: "app", scene: "main").count == 1)
  }

  @Test("what is too large is refused with limit and size")
  func limits() throws {
    let store = try open()
    let large = bytes(#"{"values":{"x":"\#(String(repeating: "x", count: 7 << 20))"}}"#)
    let state = try error { try store.save(app: "app", scene: "main", state: large) }
    #expect(state.details.limit == "state")
    #expect(state.details.maximum == 1 << 20)
    #expect(state.details.actual == large.count)
    let many = bytes(#"{"stacks":{"a":[\#(Array(repeating: "1", count: 200_000).joined(separator: ","))]}}"#)
    let routes = try error { try store.save(app: "app", scene: "main", state: many) }
    #expect(routes.details.limit == "routes")
    #expect(routes.details.actual == 200_000)
    let id = try error { try store.put(app: "app", kind: "card", ids: [String(repeating: "x", count: 5_000)]) }
    #expect(id.code == .limitExceeded)
    #expect(id.details.actual == 5_000)
    let ids = try error { try store.put(app: "app", kind: "card", ids: (0...10_000).map(String.init)) }
    #expect(ids.details.limit == "ids")
    let name = String(repeating: "é", count: 128)
    let long = try error { try store.save(app: name, scene: "main", state: bytes(#"{"values":{}}"#)) }
    #expect(long.details.actual == 256)
    #expect(try store.kinds(app: "app") == [])
  }

  @Test(
    "a control character is refused in every name and id, and the error does not print it",
    arguments: [
      "\u{1B}[31m", "a\nb", "\u{0}", "\u{9F}", "",
    ]
  )
  func controlCharacters(name: String) throws {
    let store = try open()
    let state = bytes(#"{"values":{}}"#)
    let attempts: [() throws -> Void] = [
      { try store.save(app: name, scene: "main", state: state) },
      { try store.save(app: "app", scene: name, state: state) },
      { try store.put(app: "app", kind: name, ids: []) },
      { try store.put(app: "app", kind: "card", ids: ["good", name]) },
      { try store.delete(app: "app", kind: "card", ids: [name]) },
      { _ = try store.beginSync(app: "app", kind: name) },
    ]
    for attempt in attempts {
      let error = try error(attempt)
      #expect(error.code == .invalidParameter)
      #expect(!error.description.unicodeScalars.contains { $0.value < 32 || (127...159).contains($0.value) })
    }
    #expect(try store.kinds(app: "app") == [])
    #expect(try store.scenes() == [])
  }

  @Test("a forget returns when the bytes are gone, without waiting for a time to pass")
  func forgets() throws {
    let store = try open()
    for scene in ["a", "b"] {
      try store.save(app: "app", scene: scene, state: bytes(#"{"values":{"draft":"secret"}}"#))
      try store.forget(app: "app", scene: scene)
      let file = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
      #expect(file.range(of: Data("secret".utf8)) == nil)
    }
    try store.put(app: "app", kind: "card", ids: ["c1"])
    #expect(try store.forget(app: "app", kind: "card") == 1)
    #expect(try store.forget(app: "app", kind: "card") == 0)
    #expect(try store.reset(app: "app") == 0)
    #expect(try error { try store.forget(app: "app", scene: "a") }.code == .sceneNotFound)
  }

  @Test("a launch serves the state and is confirmed")
  func launches() throws {
    let store = try open()
    let state = bytes(#"{"stacks":{"main":["a"]}}"#)
    try store.save(app: "app", scene: "main", state: state)
    for _ in 0..<3 { #expect(try store.launch(app: "app", scene: "main").state == state) }
    let fourth = try store.launch(app: "app", scene: "main")
    #expect(fourth.outcome == .empty)
    #expect(fourth.state == bytes(#"{"stacks":{}}"#))
    #expect(fourth.savedAt == nil)
    #expect(try store.confirm(app: "app", scene: "main", revision: 1) == 1)
    #expect(try store.launch(app: "app", scene: "main").state == state)
    try store.close(app: "app", scene: "main")
    #expect(try store.scenes(closed: true).map(\.scene) == ["main"])
    #expect(try store.reopen(app: "app") == "main")
  }

  @Test("the status counts what there is")
  func status() throws {
    let store = try open()
    #expect(try store.status().lastSaveAt == nil)
    try store.save(app: "one", scene: "a", state: bytes(#"{"values":{}}"#))
    try store.save(app: "two", scene: "a", state: bytes(#"{"values":{"n":1}}"#))
    try store.put(app: "two", kind: "card", ids: ["1", "22", "0f8fad5b-d9cb-469f-a165-70867728950e"])
    let status = try store.status()
    #expect(status.scenes == 2)
    #expect(status.entities == 3)
    #expect(status.revision == 3)
    #expect(status.lastSaveAt == 1_700_000_000_000)
    #expect(status.usedBytes == 13 + 18 + 3 + 16)
    #expect(status.databaseBytes + status.walBytes > 0)
    #expect(status.problems == [])
  }

  @Test("threads that save at once lose no scene, and each scene ends with the state of one whole save")
  func threads() throws {
    let store = try open()
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<25 {
        do {
          let state = Array(#"{"values":{"thread":\#(thread),"n":\#(number)}}"#.utf8)
          try store.save(app: "app", scene: "shared", state: state)
          try store.save(app: "app", scene: "own \(thread)", state: state)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try store.scenes(app: "app").count == 9)
    #expect(try store.status().revision == 400)
    for thread in 0..<8 {
      let own = try store.restore(app: "app", scene: "own \(thread)")
      #expect(own.state == bytes(#"{"values":{"thread":\#(thread),"n":24}}"#))
    }
    #expect(String(decoding: try store.restore(app: "app", scene: "shared").state, as: UTF8.self).contains(#""n":24"#))
  }
}
