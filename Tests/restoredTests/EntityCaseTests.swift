import Glibc
import RestoreInterface
import TestSupport
import Testing
import Varlink

@Suite("Entities over the wire")
struct EntityCaseTests {
  private let daemon = DaemonProcess()
  private let state =
    #"{"stacks":{"t":[{"open":{"cardID":"old"}},{"open":{"cardID":"new"}},{"open":{"cardID":"put"}}]}}"#

  private func ids(_ client: VarlinkClient) throws -> [String] {
    try client.call(ListEntities.self, ListEntities.Parameters(app: "app", kind: "card")).ids.sorted()
  }

  private func begin(_ client: VarlinkClient) throws -> String {
    try client.call(BeginSync.self, BeginSync.Parameters(app: "app", kind: "card")).sync
  }

  private func put(_ client: VarlinkClient, _ ids: [String], sync: String) throws {
    _ = try client.call(PutEntities.self, PutEntities.Parameters(app: "app", kind: "card", ids: ids, sync: sync))
  }

  private func end(_ client: VarlinkClient, _ sync: String) throws -> EndSync.Reply {
    try client.call(EndSync.self, EndSync.Parameters(app: "app", sync: sync, version: "v2"))
  }

  @Test("while a sync runs nothing is missing; when it ends, what it did not put goes at once")
  func sync() throws {
    let client = try daemon.client()
    try client.put("card", ["old", "kept"])
    try client.save(state)
    #expect(try client.restore().dropped.count == 2)
    let sync = try begin(client)
    #expect(try client.restore().dropped.isEmpty)
    #expect(try client.restore().unverified == ["card"])
    try put(client, ["new", "kept"], sync: sync)
    let ended = try end(client, sync)
    #expect(ended.added == 1 && ended.deleted == 1 && ended.count == 2)
    #expect(try client.restore().dropped.map(\.id) == ["old", "put"])
    let kinds = try client.call(ListKinds.self, ListKinds.Parameters(app: "app")).kinds
    #expect(kinds.map(\.version) == ["v2"] && kinds.map(\.count) == [2])
  }

  @Test("what is put meanwhile is not swept, and what is deleted meanwhile does not come back")
  func meanwhile() throws {
    let client = try daemon.client()
    let other = try daemon.client()
    try client.put("card", ["old", "gone"])
    let sync = try begin(client)
    try other.put("card", ["put", "old"])
    try other.delete("card", ["gone"])
    try put(client, ["new", "gone"], sync: sync)
    _ = try end(client, sync)
    #expect(try ids(client) == ["new", "old", "put"])
  }

  @Test("the second of two syncs of one kind ends the first, which sweeps nothing")
  func twoSyncs() throws {
    let client = try daemon.client()
    try client.put("card", ["old"])
    let first = try begin(client)
    let second = try begin(client)
    #expect(throws: InterfaceError.syncNotFound(sync: first)) { try put(client, ["x"], sync: first) }
    #expect(throws: InterfaceError.syncNotFound(sync: first)) { try end(client, first) }
    #expect(try ids(client) == ["old"])
    try put(client, ["new"], sync: second)
    _ = try end(client, second)
    #expect(try ids(client) == ["new"])
    #expect(throws: InterfaceError.syncNotFound(sync: second)) { try end(client, second) }
  }

  @Test("a sync lapses with the daemon, and what was there stays")
  func restart() throws {
    let before = try daemon.client()
    try before.put("card", ["old"])
    let sync = try begin(before)
    daemon.kill()
    daemon.start()
    let client = try daemon.client()
    #expect(throws: InterfaceError.syncNotFound(sync: sync)) { try end(client, sync) }
    #expect(try ids(client) == ["old"])
    try client.save(state)
    #expect(try client.restore().dropped.count == 2)
  }

  @Test("UUIDs resolve whatever their case, other ids byte for byte, numbers by their spelling")
  func identity() throws {
    let client = try daemon.client()
    let uuid = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
    try client.put("card", [uuid.uppercased(), "é", "42"])
    let routes = [
      #""\#(uuid)""#, #""e\u0301""#, #""\u00e9""#, "42", #""42""#, "42.0", #""042""#, "9007199254740993",
    ].map { #"{"card":{"id":\#($0)}}"# }
    try client.save(#"{"stacks":{"t":[\#(routes.joined(separator: ","))]}}"#)
    let restored = try client.restore()
    let missing = restored.dropped.map { Array(($0.id ?? "").utf8) }
    #expect(missing == ["e\u{301}", "42.0", "042", "9007199254740993"].map { Array($0.utf8) })
    #expect(try client.call(ListEntities.self, ListEntities.Parameters(app: "app", kind: "card")).ids.contains(uuid))
  }

  @Test("ids are listed a page at a time, each once")
  func pages() throws {
    let client = try daemon.client()
    let all = (0..<2_500).map { "id-\($0)" }
    try client.put("card", all)
    var found: [String] = []
    var after: String?
    repeat {
      let page = try client.call(
        ListEntities.self,
        ListEntities.Parameters(app: "app", kind: "card", after: after, limit: 400)
      )
      found += page.ids
      after = page.next
    } while after != nil
    #expect(found.count == 2_500 && Set(found) == Set(all))
  }

  @Test("a forgotten kind is no longer declared, so its routes stay")
  func forgetKind() throws {
    let client = try daemon.client()
    try client.put("card", ["old"])
    try client.save(state)
    #expect(try client.restore().dropped.count == 2)
    #expect(try client.call(ForgetKind.self, ForgetKind.Parameters(app: "app", kind: "card")).deleted == 1)
    #expect(try client.restore().dropped.isEmpty)
    #expect(try client.call(ListKinds.self, ListKinds.Parameters(app: "app")).kinds.isEmpty)
  }
}
