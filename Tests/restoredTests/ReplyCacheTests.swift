import RestoreStore
import SceneModel
import TestSupport
import Testing

@testable import RestoredService

@Suite struct ReplyCacheTests {
  /// A store whose changes go to a cache, and one scene with a card that is there and one that is not.
  private final class Kept {
    let cache = ReplyCache()
    /// What the entity table was asked for: whether it answered as it had.
    var confirmed: [Bool] = []
    private let folder = TemporaryFolder()
    private let writer: StoreWriter
    private let reader: StoreReader
    private let parameters = Array("{}".utf8)[...]

    init() throws {
      writer = try StoreWriter(folder: folder.file("store"), options: StoreOptions())
      reader = try StoreReader(folder: folder.file("store"))
      put("here", "other")
      let text = #"{"stacks":{"m":[{"card":{"id":"here"}},{"card":{"id":"gone"}}]}}"#
      let state = try SceneState(validating: Array(text.utf8))
      write(.save(scene: "main", state: StateContent(state), ifRevision: nil, autosave: false))
      let request = RestoreRequest(uid: 0, app: "app", scene: "main")
      cache.add([1], parameters, uid: 0, request, try reader.restore(request))
    }

    func write(_ action: WriteCommand.Action) {
      for result in writer.perform([WriteCommand(uid: 0, app: "app", action)]) {
        reader.apply(result.changes)
        cache.apply(result.changes)
      }
    }

    func put(_ ids: String...) {
      write(.putEntities(kind: "card", ids: ids.compactMap { EntityID($0) }, sync: nil, version: nil))
    }

    func delete(_ ids: String...) {
      write(.deleteEntities(kind: "card", ids: ids.compactMap { EntityID($0) }, version: nil))
    }

    /// Whether the reply that was kept is still one.
    func isFound() -> Bool {
      let entry = cache.find(parameters, uid: 0) { asked in
        confirmed.append((try? reader.confirms(asked)) ?? false)
        return confirmed.last ?? false
      }
      return entry != nil
    }
  }

  @Test("a change of another entity leaves a kept reply as it is, without a question")
  func others() throws {
    let kept = try Kept()
    #expect(kept.isFound())
    kept.delete("other")
    kept.put("new")
    #expect(kept.isFound() && kept.confirmed.isEmpty)
  }

  @Test("after a change of what it asked for, a kept reply is an answer only where the table answers as it did")
  func asked() throws {
    let kept = try Kept()
    kept.put("gone")
    #expect(!kept.isFound() && kept.confirmed == [false])
    kept.delete("gone")
    #expect(kept.isFound() && kept.isFound() && kept.confirmed == [false, true])
    kept.delete("here")
    kept.put("other")
    #expect(!kept.isFound())
    kept.put("here")
    #expect(kept.isFound())
  }

  @Test("after more changes than are kept in mind the table is asked, once")
  func many() throws {
    let kept = try Kept()
    let names = (0..<100).map { "n\($0)" }
    for name in names { kept.put(name) }
    #expect(kept.isFound() && kept.isFound() && kept.confirmed == [true])
    kept.write(.putEntities(kind: "card", ids: names.compactMap { EntityID("x" + $0) }, sync: nil, version: nil))
    #expect(kept.isFound() && kept.confirmed == [true, true])
  }

  @Test("while a sync runs nothing is missing, whatever the table holds")
  func sync() throws {
    let kept = try Kept()
    kept.write(.beginSync(kind: "card"))
    #expect(!kept.isFound() && kept.confirmed == [false])
  }

  @Test("a kept reply is no answer once the scene has expired, and is one again where the clock was set back")
  func expires() throws {
    let folder = TemporaryFolder()
    let store = try SceneStore(folder: folder.file("store"))
    try store.save(app: "app", scene: "main", state: Array(#"{"stacks":{}}"#.utf8))
    try store.setRoutes(app: "app", table: Array(#"{"maximumAgeSeconds":60}"#.utf8))
    let restored = try store.restore(app: "app", scene: "main")
    let end = try #require(restored.expiresAt)
    var now = end
    let cache = ReplyCache(wall: { now })
    let parameters = Array("{}".utf8)[...]
    let request = RestoreRequest(uid: 0, app: "app", scene: "main")
    cache.add([1], parameters, uid: 0, request, restored)
    func find(uid: UInt32) -> [UInt8]? { cache.find(parameters, uid: uid, confirm: { _ in false })?.frame }
    #expect(find(uid: 0) == [1])
    now = end + 1
    #expect(find(uid: 0) == nil)
    now = end - 1_000_000
    #expect(find(uid: 0) == [1])
    #expect(find(uid: 1) == nil)
  }
}
