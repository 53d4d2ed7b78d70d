import RestoreInterface
import TestSupport
import Varlink

/// What the daemon must hold of the scenes that clients save to, and a look at whether it does.
struct SceneBook {
  /// Revisions that the daemon keeps of a scene, as it comes.
  private static let history = 10

  /// The states of a scene's revisions, and the newest one that is certain.
  fileprivate struct Known {
    var states: [Int: String] = [:]
    var newest = 0
    /// The history holds each of the newest revisions: no autosave took another's place.
    var isWhole = true
  }

  private var scenes: [String: Known] = [:]
  /// The newest revision of all.
  private(set) var newest = 0
  private(set) var figures = Figures()

  /// Looks at every scene that was ever saved to, after a restart.
  ///
  /// - Parameter sent: what was sent since the last look.
  /// - Returns: a sentence for each loss.
  mutating func compare(_ sent: [SentSave], _ client: VarlinkClient) throws -> [String] {
    let sent = Dictionary(grouping: sent, by: \.scene)
    var losses: [String] = []
    for name in Set(scenes.keys).union(sent.keys).sorted() {
      losses += try compare(name, sent[name] ?? [], client).map { "scene \(name): \($0)" }
    }
    return losses
  }

  private mutating func compare(
    _ name: String,
    _ sent: [SentSave],
    _ client: VarlinkClient
  ) throws -> [String] {
    var known = scenes[name] ?? Known(isWhole: !name.hasPrefix(autosavedPrefix))
    for save in sent {
      guard let revision = save.revision else { continue }
      if let other = known.states[revision], other != save.state { return ["two saves were given \(revision)"] }
      known.states[revision] = save.state
      known.newest = max(known.newest, revision)
    }
    let unanswered = Set(sent.filter { $0.revision == nil }.map(\.state))
    let listed: [Int]
    do { listed = try client.revisions(of: name) } catch InterfaceError.sceneNotFound {
      return known.newest > 0 ? ["it is gone; \(known.newest) was acknowledged"] : []
    }
    var losses = known.missing(from: listed, keeping: Self.history)
    let states = try read(name, listed, client)
    for revision in listed {
      let expected = known.states[revision]
      let isRight = expected.map { $0 == states[revision] } ?? unanswered.contains(states[revision]!)
      if !isRight { losses.append("revision \(revision) is nobody's state, or another one's") }
    }
    let restored = try client.restore(app: loadedApp, scene: name)
    if restored.revision != listed[0] || restored.text != states[listed[0]] {
      losses.append("what is restored is not the newest revision")
    }
    scenes[name] = Known(states: states, newest: listed[0], isWhole: known.isWhole)
    newest = max(newest, listed[0], known.newest)
    figures.scenesChecked += 1
    figures.revisionsChecked += listed.count
    return losses
  }

  private func read(_ scene: String, _ revisions: [Int], _ client: VarlinkClient) throws -> [Int: String] {
    var states: [Int: String] = [:]
    for revision in revisions {
      states[revision] = try client.restore(app: loadedApp, scene: scene, revision: revision).text
    }
    return states
  }
}

extension SceneBook.Known {
  /// What the list of a scene's revisions, newest first, should hold and does not.
  fileprivate func missing(from listed: [Int], keeping history: Int) -> [String] {
    guard let first = listed.first else { return ["there are no revisions"] }
    if first < newest { return ["the newest revision is \(first); \(newest) was acknowledged"] }
    var losses: [String] = []
    if listed != listed.sorted(by: >) || Set(listed).count < listed.count { losses.append("revisions out of order") }
    guard isWhole else { return losses }
    let oldest = listed.count < history ? 0 : listed[history - 1]
    let lost = states.keys.filter { $0 > oldest && !listed.contains($0) }
    if !lost.isEmpty { losses.append("of the history \(lost.sorted()) are gone") }
    return losses
  }
}

extension VarlinkClient {
  fileprivate func revisions(of scene: String) throws -> [Int] {
    try call(ListRevisions.self, SceneAddress(app: loadedApp, scene: scene)).revisions.map(\.revision)
  }
}
