import Glibc
import RestoreInterface
import RestoreStore
import TestSupport
import Testing
import Varlink

@Suite("Scenes over the wire")
struct SceneCaseTests {
  private let daemon = DaemonProcess()

  private func state(_ number: Int) -> String { #"{"selectedTab":"t","stacks":{"t":[{"page":{"n":\#(number)}}]}}"# }

  @Test("two windows of one app do not touch each other, and forgetting one leaves the other")
  func windows() throws {
    let client = try daemon.client()
    try client.save(state(1), scene: "left")
    try client.save(state(2), scene: "right")
    try client.save(state(3), app: "other", scene: "left")
    _ = try client.call(ForgetScene.self, ForgetScene.Parameters(app: "app", scene: "left"))
    #expect(throws: InterfaceError.sceneNotFound(app: "app", scene: "left")) { try client.restore(scene: "left") }
    #expect(try client.restore(scene: "right").text == state(2))
    #expect(try client.restore(app: "other", scene: "left").text == state(3))
    #expect(
      throws: InterfaceError.sceneNotFound(app: "app", scene: "left"),
      performing: { try client.call(ForgetScene.self, ForgetScene.Parameters(app: "app", scene: "left")) }
    )
  }

  @Test("names differ byte for byte: composed and decomposed é are two scenes")
  func names() throws {
    let client = try daemon.client()
    try client.save(state(1), scene: "\u{e9}")
    try client.save(state(2), scene: "e\u{301}")
    #expect(try client.restore(scene: "\u{e9}").text == state(1))
    #expect(try client.restore(scene: "e\u{301}").text == state(2))
    #expect(try client.call(ListScenes.self, ListScenes.Parameters(app: "app")).scenes.count == 2)
  }

  @Test("an equal state is no change, whatever the revision asked for; a stale one is a conflict")
  func conditions() throws {
    let client = try daemon.client()
    let first = try client.save(#"{"values":{"a":1,"b":[1,2]}}"#, ifRevision: 0)
    #expect(first.changed && first.revision == 1)
    let again = try client.save(#"{ "values" : {"b":[1,2], "\u0061":1} }"#, ifRevision: 0)
    #expect(!again.changed && again.revision == 1 && again.savedAt == first.savedAt)
    #expect(throws: InterfaceError.revisionConflict(scene: "main", expected: 0, actual: 1)) {
      try client.save(state(2), ifRevision: 0)
    }
    #expect(throws: InterfaceError.revisionConflict(scene: "new", expected: 5, actual: 0)) {
      try client.save(state(2), scene: "new", ifRevision: 5)
    }
    #expect(try client.save(state(2), ifRevision: 1).revision == 2)
    #expect(try client.restore().text == state(2))
  }

  @Test("each change is seen by the next restore, also by one whose reply was kept")
  func cachedReplies() throws {
    let client = try daemon.client()
    let other = try daemon.client()
    try client.put("page", ["1", "2"])
    for number in 1...50 {
      let text = #"{"stacks":{"t":[{"page":{"id":"1"}},{"page":{"id":"2"}},\#(number)]}}"#
      try other.save(text)
      #expect(try client.restore().text == text && client.restore().text == text)
      try other.delete("page", ["2"])
      #expect(try client.restore().dropped.count == 1 && client.restore().dropped.count == 1)
      try other.put("page", ["2"])
      #expect(try client.restore().dropped.isEmpty)
    }
    _ = try other.call(ResetApp.self, ResetApp.Parameters(app: "app"))
    #expect(throws: InterfaceError.sceneNotFound(app: "app", scene: "main")) { try client.restore() }
  }

  @Test("a kind that is declared later makes kept replies stale")
  func declaredLater() throws {
    let client = try daemon.client()
    try client.save(#"{"stacks":{"t":[{"page":{"id":"1"}}]}}"#)
    #expect(try client.restore().unverified.isEmpty && client.restore().dropped.isEmpty)
    try client.put("page", [])
    #expect(try client.restore().dropped.map(\.id) == ["1"])
  }

  @Test("one damaged scene is an error of its own; the others come back, and the status says so")
  func damagedScene() throws {
    for scene in ["a", "b", "c"] {
      try daemon.client().save(#"{"values":{"mark":"scene-\#(scene)-payload"}}"#, scene: scene)
    }
    #expect(daemon.stop() == .exit(0))
    #expect(Files.read(daemon.database + "-wal").isEmpty, "a stop leaves no log behind")
    try flip("scene-b-payload")
    daemon.start()
    let client = try daemon.client()
    #expect(try client.call(ListScenes.self, ListScenes.Parameters(app: "app")).scenes.count == 3)
    #expect(try client.restore(scene: "a").text.contains("scene-a"))
    #expect(try client.restore(scene: "c").text.contains("scene-c"))
    let error = #expect(throws: InterfaceError.self) { try client.restore(scene: "b") }
    guard case .storageFailed = error else { Issue.record("got \(String(describing: error))"); return }
    let status = try client.call(GetStatus.self, GetStatus.Parameters())
    #expect(status.health == .degraded && status.problems.contains { $0.contains("scene b") })
    #expect(try client.save(#"{"values":{"mark":"again"}}"#, scene: "b").changed)
    #expect(try client.restore(scene: "b").text.contains("again"))
  }

  /// Changes one byte of `text` in the database's files.
  private func flip(_ text: String) throws {
    var found = false
    for path in [daemon.database, daemon.database + "-wal"] {
      var bytes = Files.read(path)
      let needle = Array(text.utf8)
      guard bytes.count >= needle.count else { continue }
      for start in 0...(bytes.count - needle.count) where bytes[start..<start + needle.count].elementsEqual(needle) {
        bytes[start + 3] ^= 1
        found = true
      }
      let file = open(path, O_WRONLY)
      #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
      close(file)
    }
    try #require(found)
  }

  @Test("a scene that is being forgotten when the daemon stops is answered before it ends")
  func forgetAtStop() throws {
    for scene in ["a", "b"] { try daemon.client().save(state(1), scene: scene) }
    let client = try daemon.client()
    let forget = ForgetScene.Parameters(app: "app", scene: "a")
    _ = try client.call(ForgetScene.self, forget)
    // The second one would wait: the next scrubbing starts no sooner than ten times what the first one took.
    try client.send(ForgetScene.fullName, ForgetScene.Parameters(app: "app", scene: "b").encoded)
    // Once a later call is answered, the earlier one has been received.
    _ = try daemon.client().call(GetStatus.self, GetStatus.Parameters())
    #expect(daemon.stop() == .exit(0))
    #expect(try client.receive().error == nil)
    #expect(!Files.read(daemon.database).isEmpty && Files.read(daemon.database + "-wal").isEmpty)
  }

  @Test("history goes back, and rolling back saves the old state as the newest")
  func history() throws {
    let client = try daemon.client()
    for number in 1...14 { try client.save(state(number)) }
    let revisions = try client.call(ListRevisions.self, ListRevisions.Parameters(app: "app", scene: "main")).revisions
    #expect(revisions.map(\.revision) == Array((5...14).reversed()))
    #expect(try client.restore(revision: 7).text == state(7))
    #expect(try client.restore(revision: 7).newest == 14)
    #expect(throws: InterfaceError.revisionNotFound(scene: "main", revision: 3)) { try client.restore(revision: 3) }
    #expect(
      try client.call(Rollback.self, Rollback.Parameters(app: "app", scene: "main", revision: 7)).revision == 15
    )
    #expect(try client.restore().text == state(7))
  }

  @Test("an autosave takes the place of the one before, an ordinary save keeps its own")
  func autosave() throws {
    let client = try daemon.client()
    try client.save(state(0))
    for number in 1...20 { try client.save(state(number), autosave: true) }
    let revisions = try client.call(ListRevisions.self, ListRevisions.Parameters(app: "app", scene: "main")).revisions
    #expect(revisions.map(\.revision) == [21, 1])
    #expect(try client.restore().text == state(20))
  }

  @Test("fifty processes that save at once lose no scene, and revisions only grow")
  func manyProcesses() throws {
    let processes = (0..<50).map { number in
      ChildProcess(
        Files.products + "/restorectl",
        ["save", "--socket", daemon.socket, "--scene", number % 2 == 0 ? "shared" : "own-\(number)"],
        input: state(number).utf8
      )
    }
    for process in processes { #expect(process.wait() == .exit(0), "\(process.errors)") }
    let revisions = processes.map { String(decoding: $0.output, as: UTF8.self) }
    #expect(Set(revisions) == Set((1...50).map { "revision \($0)\n" }))
    let client = try daemon.client()
    for number in stride(from: 1, to: 50, by: 2) {
      #expect(try client.restore(app: "default", scene: "own-\(number)").text == state(number))
    }
    let shared = try client.restore(app: "default", scene: "shared").text
    #expect((0..<50).contains { $0 % 2 == 0 && state($0) == shared })
    let history = try client.call(ListRevisions.self, ListRevisions.Parameters(app: "default", scene: "shared"))
    #expect(history.revisions.map(\.revision) == history.revisions.map(\.revision).sorted(by: >))
  }
}

@Suite("Whose scenes they are")
struct OwnershipTests {
  private static let isRoot = getuid() == 0

  private func restorectl(_ daemon: DaemonProcess, as uid: Int, _ arguments: [String], input: String = "") -> Finished {
    Finished(
      "setpriv",
      ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", Files.products + "/restorectl"] + arguments
        + ["--socket", daemon.socket],
      input: input.utf8
    )
  }

  /// Lets other users reach the socket, which is in a folder of the test's own.
  private func open(_ daemon: DaemonProcess) { chmod(daemon.folder.path, 0o755) }

  @Test("with --all-users each uid sees its own and no other's", .enabled(if: isRoot, "needs root to be two users"))
  func allUsers() {
    let daemon = DaemonProcess(["--all-users"])
    open(daemon)
    for uid in [12_001, 12_002] {
      let saved = restorectl(daemon, as: uid, ["save"], input: #"{"values":{"owner":\#(uid)}}"#)
      #expect(saved.ending == .exit(0), "\(saved.errors)")
    }
    #expect(restorectl(daemon, as: 12_001, ["restore"]).text == "{\"values\":{\"owner\":12001}}\n")
    #expect(restorectl(daemon, as: 12_002, ["restore"]).text == "{\"values\":{\"owner\":12002}}\n")
    #expect(restorectl(daemon, as: 12_003, ["restore"]).ending == .exit(66))
    #expect(restorectl(daemon, as: 65_534, ["restore"]).ending == .exit(77))
  }

  @Test(
    "beyond its quota a user is refused by name, and root can forget a user",
    .enabled(if: isRoot, "needs root to be two users")
  )
  func quota() throws {
    let daemon = DaemonProcess(["--all-users", "--user-quota", "5000"])
    open(daemon)
    let state = #"{"values":{"x":"\#(String(repeating: "x", count: 3_000))"}}"#
    #expect(restorectl(daemon, as: 12_001, ["save"], input: state).ending == .exit(0))
    let refused = restorectl(daemon, as: 12_001, ["save", "--scene", "second"], input: state)
    #expect(refused.ending == .exit(74) && refused.errors.contains("5000"))
    #expect(restorectl(daemon, as: 12_002, ["save"], input: state).ending == .exit(0))
    #expect(restorectl(daemon, as: 12_001, ["status", "--json"]).text.contains(#""quotaBytes":5000"#))
    #expect(restorectl(daemon, as: 12_001, ["forget-user", "12002"]).ending == .exit(77))
    #expect(restorectl(daemon, as: 0, ["forget-user", "12002"]).ending == .exit(0))
    #expect(restorectl(daemon, as: 12_002, ["restore"]).ending == .exit(66))
    #expect(restorectl(daemon, as: 12_001, ["restore"]).text == state + "\n")
  }

  @Test("without it, only the daemon's user and root are let in", .enabled(if: isRoot, "needs root to be two users"))
  func oneUser() {
    let daemon = DaemonProcess()
    open(daemon)
    chmod(daemon.folder.file("run"), 0o755)
    chmod(daemon.socket, 0o666)
    let refused = restorectl(daemon, as: 12_001, ["restore"])
    #expect(refused.ending == .exit(77))
    #expect(refused.errors.contains(daemon.socket))
  }
}
