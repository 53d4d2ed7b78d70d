import SceneModel
import Testing

@testable import RestoreStore

@Suite struct StoreWriterEntitiesTests {
  let fixture = Fixture()

  private func survives(_ session: Session, _ route: String) throws -> Bool {
    let state = try SceneState(validating: Array(#"{"stacks":{"main":[\#(route)]}}"#.utf8))
    let checked = try session.reader.check(uid: Fixture.uid, app: session.app, state: state, stale: nil)
    return checked.dropped.isEmpty
  }

  @Test("puts and deletes count what they changed, and an id twice in one call is one")
  func counts() throws {
    let session = try fixture.open()
    #expect(try session.put("card", ["c1", "c2", "c1"]) == 2)
    #expect(try session.put("card", ["c2", "c3"]) == 1)
    #expect(try session.delete("card", ["c1", "c9", "c1"]) == 1)
    #expect(try session.delete("none", ["c1"]) == 0)
    #expect(try session.ids("card") == ["c2", "c3"])
    #expect(try session.kind("card") == KindSummary(kind: "card", count: 2, version: nil, syncing: false))
  }

  @Test("a kind is declared by its first put, also of no ids; only then is anything missing")
  func declares() throws {
    let session = try fixture.open()
    #expect(try survives(session, #"{"card":{"id":"c1"}}"#))
    try session.put("card", [])
    #expect(try !survives(session, #"{"card":{"id":"c1"}}"#))
    try session.put("card", ["c1"])
    #expect(try survives(session, #"{"card":{"id":"c1"}}"#))
    #expect(try survives(session, #"{"Card":{"id":"c1"}}"#), "kinds compare without case")
  }

  @Test("digits are kept exactly; a number and a string of the same digits are one id")
  func numbers() throws {
    let session = try fixture.open()
    let ids = ["9007199254740993", "9223372036854775807", "18446744073709551616", "123", "1e3", "1.0"]
    #expect(try session.put("card", ids) == 6)
    #expect(try Set(session.ids("card")) == Set(ids))
    for id in ids { #expect(try survives(session, #"{"card":{"id":\#(id)}}"#)) }
    #expect(try survives(session, #"{"card":{"id":"123"}}"#))
    for other in ["9007199254740992", "9007199254740994", "1000", "1", "1.00", "1E3", #""0123""#] {
      #expect(try !survives(session, #"{"card":{"id":\#(other)}}"#), "\(other)")
    }
  }

  @Test("UUIDs are one id in any case, take 16 bytes, and are listed in lower case after all others")
  func uuids() throws {
    let session = try fixture.open()
    let lower = "0f8fad5b-d9cb-469f-a165-70867728950e"
    #expect(try session.put("card", [lower, "zebra", "0f8fad5b"]) == 3)
    #expect(try session.put("card", [lower.uppercased()]) == 0)
    #expect(try survives(session, #"{"card":{"id":"\#(lower.uppercased())"}}"#))
    #expect(try session.ids("card") == ["0f8fad5b", "zebra", lower])
    #expect(try session.reader.status(uid: Fixture.uid, problems: []).usedBytes == 16 + 5 + 8)
    #expect(try session.delete("card", ["0F8FAD5B-D9CB-469F-A165-70867728950E"]) == 1)
  }

  @Test("é composed and decomposed, a zero-width joiner, right-to-left text and emoji are ids of their own")
  func unicode() throws {
    let session = try fixture.open()
    let ids = ["\u{E9}", "e\u{301}", "a\u{200D}b", "ab", "שלום", "👩‍👩‍👧", "👩👩👧"]
    #expect(try session.put("card", ids) == 7)
    let listed = try session.ids("card").map { Array($0.utf8) }
    #expect(Set(listed) == Set(ids.map { Array($0.utf8) }))
    #expect(try session.delete("card", ["\u{E9}"]) == 1)
    #expect(try !survives(session, #"{"card":{"id":"é"}}"#))
    #expect(try survives(session, #"{"card":{"id":"e\u0301"}}"#))
  }

  @Test("pages follow each other without a gap, whatever is added or deleted between them")
  func pages() throws {
    let session = try fixture.open()
    let ids = (0..<25).map { "id-\(String($0 + 100))" }
    try session.put("card", ids)
    func page(after: String?, limit: Int?) throws -> EntityPage {
      try session.reader.entities(uid: Fixture.uid, app: "app", kind: "card", after: after, limit: limit)
    }
    let first = try page(after: nil, limit: 10)
    #expect(first.ids == Array(ids[0..<10]))
    #expect(first.next == ids[9])
    try session.delete("card", [ids[9], ids[12]])
    let second = try page(after: first.next, limit: 10)
    #expect(second.ids == Array(ids[10..<12] + ids[13..<21]))
    let third = try page(after: second.next, limit: 4)
    #expect(third == EntityPage(ids: Array(ids[21..<25]), next: nil))
    #expect(try page(after: nil, limit: 0).ids.count == 1)
    #expect(try page(after: nil, limit: .max).ids.count == 23)
  }

  @Test("a page of long ids ends after a megabyte")
  func longPages() throws {
    let session = try fixture.open()
    let long = String(repeating: "x", count: 4000)
    try session.put("card", (0..<600).map { "\(1000 + $0)\(long)" })
    let page = try session.reader.entities(uid: Fixture.uid, app: "app", kind: "card", after: nil, limit: 10_000)
    #expect(page.ids.count == 262)
    #expect(page.next == page.ids.last)
  }

  @Test("a version stays until another is given, and one that is new counts as a change")
  func versions() throws {
    let session = try fixture.open()
    try session.put("card", ["c1"], version: "v1")
    try session.put("card", ["c2"])
    #expect(try session.kind("card")?.version == "v1")
    session.changes = []
    try session.put("card", ["c2"], version: "v2")
    #expect(try session.kind("card")?.version == "v2")
    #expect(session.changes.count == 1)
    try session.put("card", ["c2"], version: "v2")
    #expect(session.changes.count == 1, "a put that changes nothing takes no number")
    #expect(try session.save("main", #"{"values":{}}"#).revision == 4)
  }

  @Test("more kinds, or more ids in a call, than may be are refused with limit and size")
  func limits() throws {
    fixture.options.limits.kinds = 2
    fixture.options.limits.ids = 3
    let session = try fixture.open()
    try session.put("a", ["1", "2", "3"])
    try session.put("b", [])
    for attempt in [{ _ = try session.put("c", []) }, { _ = try session.beginSync("c") }] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.details.limit == "kinds")
      #expect(error?.details.actual == 3)
    }
    let ids = #expect(throws: StoreError.self) { try session.put("a", ["4", "5", "6", "7"]) }
    #expect(ids?.details.limit == "ids")
    #expect(ids?.details.actual == 4)
    #expect(try session.ids("a") == ["1", "2", "3"])
    try session.put("a", ["4"])
  }

  @Test("two apps, and two users, do not see each other's entities")
  func apart() throws {
    let session = try fixture.open()
    try session.put("card", ["c1"])
    session.app = "other"
    #expect(try session.ids("card") == [])
    #expect(try survives(session, #"{"card":{"id":"c1"}}"#), "never declared there")
    try session.put("card", ["c2"])
    #expect(try !survives(session, #"{"card":{"id":"c1"}}"#))
    #expect(try session.reader.kinds(uid: 7, app: "app") == [])
  }
}
