import Foundation
import JSONText
import SceneModel
import Testing

/// The marks of the routes that a text holds, in order.
private func marks(in text: String) -> [Int] {
  text.split(separator: "«").dropFirst().compactMap { Int($0.prefix { $0 != "»" }) }
}

private func isSubsequence(_ part: [Int], of whole: [Int]) -> Bool {
  var rest = whole[...]
  for mark in part {
    guard let place = rest.firstIndex(of: mark) else { return false }
    rest = rest[(place + 1)...]
  }
  return true
}

/// The marks of each route of each stack, the route's own first or among those of the routes that it holds.
private func stacks(of state: SceneState) -> [[[Int]]] {
  guard let node = state.document.member(state.document.root, "stacks") else { return [] }
  let document = state.document
  let values =
    document.kind(node) == .array ? document.pairs(node).map(\.value) : document.members(node).map(\.value)
  return values.map { value in
    let array = document.kind(value) == .array ? value : document.member(value, "routes") ?? value
    return document.elements(array).map { marks(in: String(decoding: document.text($0), as: UTF8.self)) }
  }
}

private func isSideBySide(_ text: String) -> Bool { text.contains("\"tab\"") || text.contains("\"drawer\"") }

@Suite struct RestorationPropertyTests {
  static let rounds = 300

  /// Calls `body` with generated states; what fails names the seed that makes them again.
  private func each(_ body: (_ state: String, _ entities: [String: [String]]) throws -> Void) throws {
    let chosen = ProcessInfo.processInfo.environment["SCENE_SEED"].flatMap { UInt64($0) }
    let seed = chosen ?? UInt64.random(in: .min ... .max)
    print("states from SCENE_SEED=\(seed)")
    var corpus = StateCorpus(seed: seed)
    for _ in 0..<Self.rounds { try body(corpus.state(), corpus.entities()) }
  }

  @Test("restoring what a restore returned changes and reports nothing", arguments: [StalePolicy.drop, .truncate])
  func idempotent(policy: StalePolicy) throws {
    try each { state, entities in
      let once = try restore(state, entities, policy)
      let twice = try restore(once.text, entities, policy)
      #expect(twice.text == once.text, "\(state)")
      #expect(twice.dropped.isEmpty, "\(state)")
      #expect(twice.emptied.isEmpty, "\(state)")
      #expect(once.dropped.isEmpty == (once.text == state), "\(state)")
    }
  }

  @Test("keep returns the saved bytes and reports what drop does")
  func keep() throws {
    try each { state, entities in
      let keep = try restore(state, entities, .keep)
      let drop = try restore(state, entities, .drop)
      #expect(keep.text == state)
      #expect(keep.dropped == drop.dropped, "\(state)")
      #expect(keep.unverified == drop.unverified, "\(state)")
    }
  }

  @Test("drop leaves a subsequence of the routes, whose bytes are unchanged")
  func subsequence() throws {
    var dropped = 0
    try each { state, entities in
      let result = try restore(state, entities, .drop)
      dropped += result.dropped.count
      #expect(isSubsequence(marks(in: result.text), of: marks(in: state)), "\(state)")
      let left = try SceneState(validating: result.state)
      for (before, after) in zip(stacks(of: try SceneState(validating: Array(state.utf8))), stacks(of: left)) {
        #expect(isSubsequence(after.compactMap(\.first), of: before.compactMap(\.first)), "\(state)")
      }
    }
    // States without anything stale would prove nothing.
    #expect(dropped > Self.rounds / 4, "states without anything stale would prove nothing")
  }

  @Test("truncate leaves a prefix of each stack")
  func prefix() throws {
    try each { state, entities in
      guard !isSideBySide(state) else { return }
      let result = try restore(state, entities, .truncate)
      let (before, after) = (
        stacks(of: try SceneState(validating: Array(state.utf8))), stacks(of: try SceneState(validating: result.state))
      )
      #expect(before.count == after.count)
      for (before, after) in zip(before, after) {
        #expect(before.prefix(after.count).map(\.first) == after.map(\.first), "\(state)")
      }
    }
  }

  @Test("each pointer leads to a part of the saved state, and no two are the same or one inside another")
  func pointers() throws {
    try each { state, entities in
      let saved = try SceneState(validating: Array(state.utf8))
      let nodes = Set((0..<saved.document.next(saved.document.root)).map { saved.document.pointer(to: $0) })
      for policy in StalePolicy.allCases {
        let paths = try restore(state, entities, policy).paths
        for path in paths { #expect(nodes.contains(path), "\(path) in \(state)") }
        #expect(Set(paths).count == paths.count)
        for path in paths { #expect(!paths.contains { $0.hasPrefix(path + "/") }, "\(path) in \(state)") }
      }
    }
  }

  @Test("with every entity back, every route is: dropping depends on nothing but the table")
  func back() throws {
    let all = Dictionary(uniqueKeysWithValues: StateCorpus.kinds.map { ($0, StateCorpus.ids) })
    try each { state, _ in
      let result = try restore(state, all)
      #expect(result.text == state)
      #expect(result.dropped.isEmpty, "\(state)")
    }
  }

  @Test("the same state in another order restores alike, and is the same value")
  func reordered() throws {
    try each { state, _ in
      let value = try JSONSerialization.jsonObject(with: Data(state.utf8))
      let sorted = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
      let (a, b) = (try SceneState(validating: Array(state.utf8)), try SceneState(validating: Array(sorted)))
      #expect(a.routes == b.routes)
      #expect(a.selectedTab == b.selectedTab)
      // Numbers of the app's own are spelled anew by Foundation, so only states without them must be equal.
      guard !state.contains("1.50"), !state.contains("9007199254740993") else { return }
      #expect(a.valueHash == b.valueHash, "\(state)")
      #expect(a.isSameValue(as: b), "\(state)")
    }
  }
}

@Suite struct LargeStateTests {
  /// A state of as many routes as allowed, close to 1 MiB; `stale` says which are.
  private func large(_ stale: (Int) -> Bool) -> String {
    let pad = String(repeating: "y", count: 215)
    let routes = (0..<4096).map { #"{"card":{"id":"\#(stale($0) ? "gone" : "here")","t":"\#(pad)"}}"# }
    return #"{"stacks":{"m":["# + routes.joined(separator: ",") + "]}}"
  }

  @Test("a state as large as allowed loses what is stale at its start, at its end, or everywhere")
  func large() throws {
    let entities = ["card": ["here"]]
    let whole = large { _ in false }
    #expect(whole.utf8.count > 1_000_000)
    #expect(try restore(whole, entities).text == whole)
    for place in [0, 4095, 2000] {
      let result = try restore(large { $0 == place }, entities)
      #expect(result.paths == ["/stacks/m/\(place)"])
      #expect(!result.text.contains("gone"))
      #expect(try SceneState(validating: result.state).routes == 4095)
    }
    let none = try restore(large { _ in true }, entities)
    #expect(none.text == #"{"stacks":{"m":[]}}"#)
    #expect(none.dropped.count == 4096)
    #expect(none.emptied == ["m"])
    let first = try restore(large { $0 == 0 }, entities, .truncate)
    #expect(first.text == #"{"stacks":{"m":[]}}"#)
    #expect(first.dropped.filter { $0.reason == .aboveDropped }.count == 4095)
    let half = try restore(large { $0 % 2 == 0 }, entities)
    #expect(try SceneState(validating: half.state).routes == 2048)
  }

  @Test("a hundred thousand tabs, or names in a route, cost no more than their size")
  func wide() throws {
    let tabs = (0..<60_000).map { #""t\#($0)":[]"# }.joined(separator: ",")
    let state = #"{"stacks":{\#(tabs),"last":[{"card":"gone"}]}}"#
    #expect(try restore(state, ["card": []]).paths == ["/stacks/last/0"])
    let flat = (0..<60_000).map { #""t\#($0)",[]"# }.joined(separator: ",")
    #expect(try restore(#"{"stacks":[\#(flat),"last",[{"card":"gone"}]]}"#, ["card": []]).emptied == ["last"])
    let parameters = (0..<60_000).map { #""k\#($0)xID":1"# }.joined(separator: ",")
    #expect(try restore(#"{"stacks":{"m":[{\#(parameters)}]}}"#).unverified.count == 60_000)
    let ids = Array(repeating: "1", count: 100_000).joined(separator: ",")
    #expect(try restore(#"{"stacks":{"m":[{"cardIDs":[\#(ids)]}]}}"#, ["card": ["1"]]).dropped.isEmpty)
  }
}
