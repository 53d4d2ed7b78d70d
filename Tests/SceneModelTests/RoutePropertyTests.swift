import Foundation
import JSONText
import SceneModel
import Testing

/// The properties that hold for any state, any entity table and any route table.
@Suite struct RoutePropertyTests {
  private static let rounds = 400

  private typealias Case = (state: String, entities: [String: [String]], table: String)

  /// Calls `body` with generated cases; what fails names the seed that makes them again.
  private func each(tabs: Bool = true, hard: Bool = false, _ body: (Case) throws -> Void) throws {
    let chosen = ProcessInfo.processInfo.environment["SCENE_SEED"].flatMap { UInt64($0) }
    let seed = chosen ?? UInt64.random(in: .min ... .max)
    print("tables from SCENE_SEED=\(seed)")
    var corpus = StateCorpus(seed: seed)
    for _ in 0..<Self.rounds { try body((corpus.state(), corpus.entities(), corpus.table(tabs: tabs, hard: hard))) }
  }

  @Test("every generated table is one")
  func tables() throws {
    try each { #expect(faults($0.table).isEmpty, "\($0.table)") }
  }

  @Test("restoring what a restore returned changes and reports nothing", arguments: [StalePolicy.drop, .truncate])
  func idempotent(policy: StalePolicy) throws {
    try each(hard: true) { item in
      let once = try restore(item.state, item.entities, policy, table: item.table)
      let twice = try restore(once.text, item.entities, policy, table: item.table)
      #expect(twice.text == once.text, "\(item)")
      #expect(twice.dropped.isEmpty && twice.emptied.isEmpty && twice.renamed == 0, "\(item)")
    }
  }

  @Test("keep returns the saved bytes and reports what drop does")
  func keep() throws {
    try each { item in
      let keep = try restore(item.state, item.entities, .keep, table: item.table)
      let drop = try restore(item.state, item.entities, .drop, table: item.table)
      #expect(keep.text == item.state)
      #expect(keep.emptied.isEmpty && keep.renamed == 0)
      #expect(keep.dropped == drop.dropped, "\(item)")
      #expect(keep.unverified == drop.unverified, "\(item)")
    }
  }

  @Test("drop leaves a subsequence of the routes, truncate a prefix of each stack")
  func order() throws {
    var dropped = 0
    try each(tabs: false) { item in
      let before = try marks(item.state)
      let drop = try restore(item.state, item.entities, .drop, table: item.table)
      dropped += drop.dropped.count
      for (old, new) in zip(before, try marks(drop.text)) {
        var rest = old[...]
        for mark in new {
          let place = try #require(rest.firstIndex(of: mark), "\(item)")
          rest = rest[(place + 1)...]
        }
      }
      guard !item.state.contains("\"tab\""), !item.state.contains("\"drawer\"") else { return }
      let truncate = try restore(item.state, item.entities, .truncate, table: item.table)
      for (old, new) in zip(before, try marks(truncate.text)) {
        #expect(Array(old.prefix(new.count)) == new, "\(item)")
      }
    }
    #expect(dropped > Self.rounds / 4, "states without anything stale would prove nothing")
  }

  @Test("every reference that is left resolves, or its kind is unverified or unknown")
  func resolves() throws {
    var references = 0
    try each { item in
      let result = try restore(item.state, item.entities, .drop, table: item.table)
      let state = try SceneState(validating: result.state)
      let rules = try RouteTable(validating: Array(item.table.utf8)).rules
      for route in StateOutline(state, rules: rules).branches.flatMap(\.routes) {
        for reference in route.references {
          guard let ids = Self.ids(of: reference.kind, item.entities) else {
            let isReported = result.unverified.contains { $0.lowercased() == reference.kind.lowercased() }
            #expect(isReported || !reference.isNamed, "\(reference.kind) in \(item)")
            continue
          }
          references += 1
          let document = state.document
          let texts =
            document.kind(reference.value) == .array
            ? document.elements(reference.value).map { document.string($0) } : [document.string(reference.value)]
          for text in texts { #expect(ids.contains(text.lowercased()), "\(text) in \(item)") }
        }
      }
    }
    #expect(references > Self.rounds / 4, "states without references would prove nothing")
  }

  @Test("the bytes of what is left are unchanged but for new case names")
  func bytes() throws {
    try each { item in
      let result = try restore(item.state, item.entities, .drop, table: item.table)
      let saved = Set(try texts(item.state))
      for text in try texts(result.text) {
        #expect(saved.contains(text.replacing(StateCorpus.newName, with: "")), "\(text) in \(item)")
      }
      if result.renamed == 0, result.dropped.isEmpty, !item.table.contains("renamedTabs") {
        #expect(result.text == item.state, "\(item)")
      }
    }
  }

  @Test("a table taken back, or replaced by one that knows everything, brings everything back")
  func back() throws {
    let all = Dictionary(uniqueKeysWithValues: StateCorpus.kinds.map { ($0, StateCorpus.ids) })
    try each { item in
      let result = try restore(item.state, all, table: "{}")
      #expect(result.text == item.state && result.dropped.isEmpty, "\(item)")
    }
  }

  // MARK: Reading states

  private static func ids(of kind: String, _ entities: [String: [String]]) -> Set<String>? {
    let found = entities.first { $0.key == kind } ?? entities.first { $0.key.lowercased() == kind.lowercased() }
    return found.map { Set($0.value.map { $0.lowercased() }) }
  }

  /// The routes of each stack that hold no list of their own, as they are written.
  private func texts(_ state: String) throws -> [String] {
    let state = try SceneState(validating: Array(state.utf8))
    let outline = StateOutline(state)
    return outline.branches.flatMap(\.routes).compactMap { route in
      guard state.document.kind(route.node) != .null, state.document.member(route.node, "state") == nil else {
        return nil
      }
      return String(decoding: state.document.text(route.node), as: UTF8.self)
    }
  }

  /// The marks of the routes of each stack, in order.
  private func marks(_ state: String) throws -> [[String]] {
    let state = try SceneState(validating: Array(state.utf8))
    return StateOutline(state).branches.filter { $0.part == .stack }.map { branch in
      branch.routes.filter { $0.depth == 0 }.compactMap { route in
        let text = String(decoding: state.document.text(route.node), as: UTF8.self)
        // The mark that stands first is the route's own.
        return text.split(separator: "«").dropFirst().first.map { String($0.prefix { $0 != "»" }) }
      }
    }
  }
}
