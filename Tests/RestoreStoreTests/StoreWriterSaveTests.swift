import Testing

@testable import RestoreStore

@Suite struct StoreWriterSaveTests {
  let fixture = Fixture()

  @Test("a saved state comes back byte for byte, also after everything was closed and opened again")
  func comesBack() throws {
    let state = #"{ "stacks" : {"main": [ {"board":{"id":"b\/1"}} ]},"values":{"n":9007199254740993}}"#
    do {
      let session = try fixture.open()
      #expect(try session.save("main", state).changed)
      #expect(try session.text("main") == state)
    }
    let session = try fixture.open()
    #expect(try session.text("main") == state)
    #expect(try session.save("main", #"{"values":{}}"#).revision == 2)
  }

  @Test("entities put, deleted and swept by a sync are what a restore checks against")
  func entities() throws {
    let session = try fixture.open()
    #expect(try session.put("card", ["c1", "c2"]) == 2)
    #expect(try session.put("card", ["c2", "c3"]) == 1)
    #expect(try session.delete("card", ["c1", "c9"]) == 1)
    #expect(try session.ids("card") == ["c2", "c3"])
    let sync = try session.beginSync("card")
    #expect(try session.put("card", ["c3", "c4"], sync: sync) == 1)
    #expect(try session.endSync(sync) == SyncOutcome(added: 1, deleted: 1, count: 2))
    #expect(try session.ids("card") == ["c3", "c4"])
  }
}
