import Glibc
import RestoreInterface
import SceneModel
import TestSupport
import Testing

@testable import RestoreStore
@testable import RestoredService
@testable import Varlink

/// The hub with a store whose commits a test applies when it wants to: what a busy writer thread does by chance.
@Suite struct WatchHubTests {
  private final class Watching: VarlinkInterface {
    let hub: WatchHub
    var interfaceText: String { RestoredInterface.text }

    init(_ hub: WatchHub) { self.hub = hub }

    func handle(_ call: VarlinkCall, _ responder: consuming Responder) {
      let parameters = try? Watch.Parameters(strictly: call.parameters)
      guard let stream = responder.stream() else { return }
      hub.begin(WatchFilter(uid: 1, app: nil, scene: nil), after: parameters?.after, stream)
    }
  }

  private let folder = TemporaryFolder()
  private let loop: EventLoop
  private let writer: StoreWriter
  private let reader: StoreReader
  private let hub: WatchHub
  private let server: VarlinkServer

  init() throws {
    loop = try EventLoop()
    writer = try StoreWriter(folder: folder.path)
    reader = try StoreReader(folder: folder.path)
    hub = try WatchHub(loop: loop, reader: reader)
    let identity = ServiceIdentity(vendor: "test", product: "test", version: "0", url: "https://example.org")
    server = try VarlinkServer(loop: loop, identity: identity, interfaces: [Watching(hub)])
  }

  private func perform(_ actions: WriteCommand.Action...) throws -> [StoreChange] {
    try writer.perform(actions.map { WriteCommand(uid: 1, app: "app", $0) }).flatMap { result in
      _ = try result.outcome.get()
      return result.changes
    }
  }

  private func save(_ scene: String, _ number: Int) throws -> WriteCommand.Action {
    let state = try SceneState(validating: Array(#"{"values":{"n":\#(number)}}"#.utf8))
    return .save(scene: scene, state: StateContent(state), ifRevision: nil, autosave: false)
  }

  /// Applies changes in a turn of the loop, which sends what comes of it.
  private func apply(_ changes: [StoreChange]) throws {
    loop.schedule(afterMilliseconds: 0) {
      reader.apply(changes)
      hub.apply(changes)
    }
    try loop.turn(maximumWait: 0)
  }

  private func watch(after: Int) throws -> VarlinkClient {
    var pair: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    try server.serve(Descriptor(owning: pair[0]))
    let client = VarlinkClient(Descriptor(owning: pair[1]), timeoutMilliseconds: 0)
    try client.send(Watch.fullName, Watch.Parameters(after: after).encoded, more: true)
    return client
  }

  /// Has the loop do all that there is, also what waits for time to spare.
  private func settle() throws {
    for _ in 0..<10 {
      try loop.turn(maximumWait: 0)
      while loop.hasPutOff { try loop.turn(maximumWait: 100) }
    }
  }

  /// What a watcher has been told once the loop has nothing more to do.
  private func told(_ client: VarlinkClient) throws -> [String] {
    try settle()
    var events: [String] = []
    do throws(VarlinkClientError) {
      while true { events.append(try Self.told(try client.receive())) }
    } catch {
      #expect(error == .timedOut)
    }
    return events
  }

  private static func told(_ reply: VarlinkReply) throws(VarlinkClientError) -> String {
    guard let event = try? Watch.Reply(leniently: reply.parameters).event else { return reply.error ?? "" }
    return event.told
  }

  @Test("what the store has beyond the last applied change is told when it is applied, not before and not twice")
  func ahead() throws {
    try apply(perform(save("a", 1), save("b", 1)))
    let later = try perform(save("a", 2), save("c", 1))
    let client = try watch(after: 0)
    #expect(try told(client) == ["ready 0", "saved 2 app/b"])
    try apply(later)
    #expect(try told(client) == ["saved 3 app/a", "saved 4 app/c"])
  }

  @Test("an erasure that the store has and the loop has not heard of is not missed")
  func erasedAhead() throws {
    try apply(perform(save("a", 1), save("b", 1)))
    let later = try perform(.forgetScene(scene: "a"), save("a", 2), .forgetScene(scene: "b"))
    let client = try watch(after: 0)
    #expect(try told(client) == ["ready 0"])
    try apply(later)
    #expect(try told(client) == ["forgotten 3 app/a", "saved 4 app/a", "forgotten 5 app/b"])
    #expect(try told(watch(after: 0)) == ["ready 0", "saved 4 app/a", "forgotten 5 app/b"])
  }

  @Test("a number that a caller knows from the store before the loop does is no gap")
  func numberAhead() throws {
    try apply(perform(save("a", 1)))
    let later = try perform(save("a", 2), save("b", 1))
    let client = try watch(after: 2)
    #expect(try told(client) == ["ready 2"])
    try apply(later)
    #expect(try told(client) == ["saved 3 app/b"])
  }

  @Test("more changes in one commit than may wait in a connection reach one that reads, all and in order")
  func burst() throws {
    let client = try watch(after: 0)
    #expect(try told(client) == ["ready 0"])
    let saves = try (0..<1_000).map { try save("scene \($0)", 1) }
    try apply(writer.perform(saves.map { WriteCommand(uid: 1, app: "app", $0) }).flatMap(\.changes))
    var events: [String] = []
    while case let more = try told(client), !more.isEmpty { events += more }
    let isWhole = events == (0..<1_000).map { "saved \($0 + 1) app/scene \($0)" }
    #expect(isWhole, "\(events.count) events, the last one \(events.last ?? "none")")
  }

  @Test("where many watch, whoever made the change is answered before they are told, and each is told all in its order")
  func crowd() throws {
    let crowd = try (0..<40).map { _ in try watch(after: 0) }
    for client in crowd { #expect(try told(client) == ["ready 0"]) }
    var unsent: [Int] = []
    for number in 1...3 {
      let changes = try perform(save("a", number))
      loop.schedule(afterMilliseconds: 0) {
        hub.apply(changes)
        unsent.append(server.unsentBytes)
      }
      try loop.turn(maximumWait: 0)
    }
    #expect(unsent.first == 0)
    for client in crowd {
      #expect(try told(client) == (1...3).map { "saved \($0) app/a" })
    }
  }

  @Test("and changes that come faster than there is time to spare are told all the same")
  func crowdInAHurry() throws {
    let crowd = try (0..<40).map { _ in try watch(after: 0) }
    for client in crowd { #expect(try told(client) == ["ready 0"]) }
    let saves = try (0..<200).map { try save("scene \($0)", 1) }
    try apply(writer.perform(saves.map { WriteCommand(uid: 1, app: "app", $0) }).flatMap(\.changes))
    for client in crowd {
      var events: [String] = []
      while case let more = try told(client), !more.isEmpty { events += more }
      #expect(events == (0..<200).map { "saved \($0 + 1) app/scene \($0)" })
    }
  }

  @Test("a watcher that goes is forgotten, and the next one is told as ever")
  func leaves() throws {
    do {
      let client = try watch(after: 0)
      #expect(try told(client) == ["ready 0"])
      #expect(hub.count == 1)
    }
    try settle()
    #expect(hub.count == 0)
    try apply(perform(save("a", 1)))
    #expect(try told(watch(after: 0)) == ["ready 0", "saved 1 app/a"])
  }
}
