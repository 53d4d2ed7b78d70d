import JSONText
import RestoreInterface
import TestSupport
import Varlink

/// The app that all of the load belongs to.
let loadedApp = "crash"

/// A save that was sent, and the revision by which it was acknowledged, if it was.
struct SentSave {
  let scene: String
  let state: String
  var revision: Int?
}

/// One client: calls the daemon until that is gone, and remembers what it sent and what was acknowledged.
///
/// Its calls are made on one thread at a time; what it remembers is looked at when that has ended.
class LoadClient: @unchecked Sendable {
  /// Calls of one life of the daemon, if that lasts so long.
  private static let callMaximum = 250
  private static let largestPad = 30_000

  let name: String
  var random: SeededGenerator
  private(set) var connection: VarlinkClient?
  private(set) var round: Round?
  private(set) var sent: [SentSave] = []
  /// What was answered as it must never be.
  private(set) var wrong: [String] = []
  private(set) var figures = Figures()
  /// Whether the daemon was gone before enough was done.
  private(set) var wasCutOff = false
  private var number = 0

  init(_ name: String, seed: UInt64) {
    self.name = name
    random = SeededGenerator(seed: seed)
  }

  /// One or more calls.
  func step() throws { fatalError("for each kind of client to say") }

  /// Takes what the daemon holds after a restart for what it holds, and says what is wrong with it.
  func compare(_ client: VarlinkClient) throws -> [String] { [] }

  /// Steps until the connection breaks, or enough was done.
  final func run(_ round: Round) {
    self.round = round
    wasCutOff = false
    do {
      connection = try VarlinkClient(path: round.socket, timeoutMilliseconds: 60_000)
      for _ in 0..<Self.callMaximum { try step() }
    } catch let error as VarlinkClientError {
      if case .timedOut = error { complain("no answer for a minute") } else { wasCutOff = true }
    } catch { complain("\(error)") }
    connection = nil
  }

  /// What was remembered since the last call; it begins anew.
  final func take() -> (sent: [SentSave], wrong: [String], figures: Figures) {
    defer { (sent, wrong, figures) = ([], [], Figures()) }
    return (sent, wrong, figures)
  }

  // MARK: For the kinds of clients

  /// A state that nobody sends a second time.
  final func freshState() -> String {
    number += 1
    // Mostly small, now and then over many pages.
    let size = Int.random(in: 0...9, using: &random) == 0 ? Self.largestPad : 800
    let pad = String(repeating: "\(number % 10)", count: Int.random(in: 0...size, using: &random))
    let mark = "\(name)-\(random.seed)-\(number)"
    return #"{"stacks":{"main":[{"page":{"id":"\#(mark)"}}]},"values":{"pad":"\#(pad)"}}"#
  }

  /// A call that is answered before the next one; counts it.
  final func call<M: InterfaceMethod>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
    guard let connection else { throw VarlinkClientError.closed }
    let reply = try connection.call(method, parameters)
    round?.acknowledge()
    return reply
  }

  /// Saves, and answers the revision.
  @discardableResult final func save(_ scene: String, _ state: String, autosave: Bool = false) throws -> Int {
    sent.append(SentSave(scene: scene, state: state))
    let place = sent.count - 1
    let reply = try call(Save.self, parameters(scene, state, autosave))
    acknowledge(place, reply)
    return reply.revision
  }

  /// Sends saves ahead of their replies.
  final func saveAtOnce(_ saves: [(scene: String, state: String)]) throws {
    guard let connection else { throw VarlinkClientError.closed }
    let first = sent.count
    for save in saves {
      sent.append(SentSave(scene: save.scene, state: save.state))
      try connection.send(Save.fullName, parameters(save.scene, save.state, false).encoded)
    }
    for index in saves.indices {
      let reply = try connection.receive()
      if let error = reply.error {
        complain("a save was answered with \(error)")
        continue
      }
      round?.acknowledge()
      acknowledge(first + index, try Save.Reply(leniently: reply.parameters))
    }
  }

  private func parameters(_ scene: String, _ state: String, _ autosave: Bool) -> Save.Parameters {
    Save.Parameters(app: loadedApp, scene: scene, state: JSONObjectText(state.utf8), autosave: autosave)
  }

  private func acknowledge(_ place: Int, _ reply: Save.Reply) {
    figures.saves += 1
    sent[place].revision = reply.revision
    let before = sent[..<place].last { $0.scene == sent[place].scene && $0.revision != nil }?.revision
    if !reply.changed { complain("a new state was taken for the one before it") }
    if reply.revision <= max(before ?? 0, round?.floor ?? 0) {
      complain("revision \(reply.revision) of \(sent[place].scene) is no newer than what was there")
    }
  }

  final func count(_ number: WritableKeyPath<Figures, Int>) { figures[keyPath: number] += 1 }

  /// Says that something is not as it must be.
  final func complain(_ text: String) { wrong.append("\(name): \(text)") }
}
