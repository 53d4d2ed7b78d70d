import RestoreClient
import Testing

@Suite struct RestoreErrorTests {
  @Test(
    "Each error says what is wrong, where, and what to do about it",
    arguments: [
      (.sceneNotFound(scene: "a"), #"there is no scene "a": scenes() lists"#),
      (.revisionNotFound(scene: "a", revision: 7), #"scene "a" has no revision 7: history() lists"#),
      (.revisionConflict(scene: "a", expected: 3, actual: 4), "is at revision 4, not 3: restore it, and save again"),
      (.revisionConflict(scene: "a", expected: 3, actual: 0), "so not revision 3 of it: save with ifRevision: 0"),
      (.limitExceeded(limit: "routes", maximum: 4096, actual: 5000), "5000 routes, at most 4096: give less"),
      (.limitExceeded(limit: "scene", maximum: 255, actual: 256), "scene has 256 bytes, at most 255: give less"),
      (.timedOut, "whether it was done is unknown: call again"),
      (.undecodable(reason: "no tab", revision: 7), "revision 7 does not decode: no tab: it stays saved"),
      (
        .unavailable(socket: "/tmp/a.sock", reason: "there is no socket at /tmp/a.sock"),
        "there is no socket at /tmp/a.sock: where no daemon runs, start one: restored --socket /tmp/a.sock"
      ),
      (
        .unavailable(socket: "/run/restored/io.restored", reason: "the service closed the connection"),
        "/run/restored/io.restored: the service closed the connection: where no daemon runs, start one: systemctl start "
      ),
      (
        .unavailable(socket: "/run/user/7/restored/io.restored", reason: "nobody listens there"),
        "start one: systemctl --user start restored.socket, or: restored --socket /run/user/7/restored/io.restored"
      ),
    ] as [(RestoreError, String)]
  )
  func describes(_ error: RestoreError, _ words: String) {
    #expect(error.description.contains(words), "\(error)")
  }

  @Test("What is unavailable is named once")
  func once() {
    let error = RestoreError.unavailable(socket: "/tmp/a", reason: "nobody listens at /tmp/a")
    #expect(error.description.hasPrefix("nobody listens at /tmp/a: "))
  }
}
