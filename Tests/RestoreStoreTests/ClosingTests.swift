import Testing

@testable import RestoreStore

@Suite struct ClosingTests {
  let fixture = Fixture()

  private func list(_ session: Session, closed: Bool) throws -> [String] {
    try session.reader.scenes(uid: Fixture.uid, app: session.app, closed: closed).map(\.scene)
  }

  @Test("a closed scene is out of the list, can be restored and stays closed by that")
  func closes() throws {
    let session = try fixture.open()
    for scene in ["a", "b"] { try session.save(scene, #"{"values":{}}"#) }
    fixture.clock.pass(milliseconds: 1)
    #expect(try session.outcome(.closeScene(scene: "a")) == .closed)
    #expect(try session.text("a") == #"{"values":{}}"#)
    #expect(try list(session, closed: false) == ["b"])
    #expect(try list(session, closed: true) == ["a"])
    let closed = try session.reader.scenes(uid: Fixture.uid, app: nil, closed: true)[0]
    #expect(closed.closedAt == 1_700_000_000_001)
    session.changes = []
    #expect(try session.outcome(.closeScene(scene: "a")) == .closed)
    #expect(session.changes == [])
    #expect(code { _ = try session.outcome(.closeScene(scene: "x")) } == .sceneNotFound)
  }

  @Test("a changed save, a launch and a reopening open it; an equal save does not, also after a restart")
  func opens() throws {
    do {
      let session = try fixture.open()
      for scene in ["a", "b", "c"] {
        try session.save(scene, #"{"values":{}}"#)
        _ = try session.outcome(.closeScene(scene: scene))
      }
      try session.save("a", #"{"values":{}}"#)
    }
    let session = try fixture.open()
    try session.save("a", #"{"values":{}}"#)
    #expect(try list(session, closed: false) == [])
    try session.save("a", #"{"values":{"n":1}}"#)
    _ = try session.outcome(.launch(scene: "b"))
    #expect(try list(session, closed: false) == ["a", "b"])
    #expect(try session.outcome(.reopenScene(scene: "c")) == .reopened(scene: "c"))
    #expect(try session.outcome(.reopenScene(scene: "c")) == .reopened(scene: "c"))
    #expect(try list(session, closed: true) == [])
    #expect(session.changes.map(\.type) == [.saved, .reopened, .reopened])
    #expect(code { _ = try session.outcome(.reopenScene(scene: nil)) } == .sceneNotFound)
  }

  @Test("without a name the one closed last is reopened, whatever the clock said then")
  func reopensLast() throws {
    let session = try fixture.open()
    for scene in ["a", "b", "c"] { try session.save(scene, #"{"values":{}}"#) }
    for scene in ["c", "a", "b"] {
      fixture.clock.pass(milliseconds: -1000)
      _ = try session.outcome(.closeScene(scene: scene))
    }
    for scene in ["b", "a", "c"] {
      #expect(try session.outcome(.reopenScene(scene: nil)) == .reopened(scene: scene))
    }
  }

  @Test("of an app's closed scenes the 32 closed last are kept; open ones and other apps' are not touched")
  func keepsLast() throws {
    let session = try fixture.open()
    try session.save("open", #"{"values":{}}"#)
    session.app = "other"
    try session.save("closed", #"{"values":{}}"#)
    _ = try session.outcome(.closeScene(scene: "closed"))
    session.app = "app"
    for number in 0..<40 {
      try session.save("\(number)", #"{"values":{}}"#)
      _ = try session.outcome(.closeScene(scene: "\(number)"))
    }
    #expect(try list(session, closed: true) == (8..<40).reversed().map(String.init))
    #expect(try list(session, closed: false) == ["open"])
    #expect(session.changes.filter { $0.type == .forgotten }.count == 8)
    #expect(try session.reader.status(uid: Fixture.uid, problems: []).scenes == 34)
  }
}
