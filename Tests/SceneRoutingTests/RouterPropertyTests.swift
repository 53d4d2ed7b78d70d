import FoundationEssentials
import Glibc
import SceneModel
import TestSupport
import Testing

@testable import SceneRouting

/// What holds after any steps, in whatever order.
@MainActor @Suite struct RouterPropertyTests {
  private static let rounds = getenv("RESTORED_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 1_000

  private func route(_ random: inout SeededGenerator) -> Boards.Route {
    let board = "b\(Int.random(in: 1...3, using: &random))"
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .board(id: board)
    case 1: return .card(boardID: board, cardID: Int.random(in: 1...3, using: &random))
    case 2: return .list(board)
    case 3: return .checkout(.board(id: board))
    default: return .settings
    }
  }

  private func presentation(_ random: inout SeededGenerator) -> Presentation {
    [.sheet, .cover, .popover, .alert, .dialog].randomElement(using: &random) ?? .sheet
  }

  private func stack(_ random: inout SeededGenerator) -> [Boards.Route] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in route(&random) }
  }

  private func step(_ router: Router<Boards>, _ random: inout SeededGenerator) {
    let tab = Boards.Tab.allCases.randomElement(using: &random) ?? .boards
    switch Int.random(in: 0..<20, using: &random) {
    case 0...3: router.push(route(&random))
    case 4: router.pop()
    case 5: router.select(tab)
    case 6: router.replace(last: Int.random(in: 0...3, using: &random), with: stack(&random))
    case 7: router[tab] = stack(&random)
    case 8:
      router.select(Bool.random(using: &random) ? route(&random) : nil, inColumn: Int.random(in: 0...1, using: &random))
    case 9, 10:
      router.present(.newCard(boardID: "b\(Int.random(in: 1...3, using: &random))"), as: presentation(&random))
    case 11: router[inside: presentation(&random)] = stack(&random)
    case 12: router.dismiss(presentation(&random))
    case 13: router.back()
    case 14: router.beginFlow(cover: .player, orPush: route(&random))
    case 15: router.endFlow()
    case 16: router.open(Destination(tab, stack(&random)), by: Bool.random(using: &random) ? .person : .background)
    case 17: router.holdOpen(presentation(&random), Bool.random(using: &random))
    case 18: router.values.draft += "d"
    default: router.dismissAll()
    }
  }

  /// What must hold of a router at any time.
  private func check(_ router: Router<Boards>) throws {
    let state = router.state
    #expect(state.stacks.values.allSatisfy { !$0.isEmpty })
    #expect(state.flows.allSatisfy { $0.depth < state[$0.tab].count })
    #expect(state.modals.keys.count { !$0.isQuestion } <= 1 && state.modals.keys.count { $0.isQuestion } <= 1)
    #expect(router.heldOpenNow.isSubset(of: state.modals.keys))
    #expect(router.waiting.isEmpty || !state.modals.isEmpty)
    #expect(state.columns.last != .some(nil))
    let bytes = try Encoded.bytes(of: state)
    let back = try JSONDecoder().decode(SceneRouting.SceneState<Boards>.self, from: Data(bytes))
    #expect(back == state && back.skipped.isEmpty)
    #expect(try Encoded.bytes(of: back) == bytes)
    #expect(throws: Never.self) { try SceneModel.SceneState(validating: bytes) }
  }

  @Test("after any steps the state is in order, is one that the service takes, and is read back as it was")
  func inOrder() throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun)
    for style in [FlowStyle.cover, .push] {
      let router = Router<Boards>(selected: .boards, flowStyle: style)
      for _ in 0..<Self.rounds / 2 {
        step(router, &random)
        try check(router)
      }
    }
  }

  @Test(
    "what a deletion closes is what the service leaves out of the same state",
    arguments: [StalePolicy.drop, .truncate]
  )
  func deletions(policy: StalePolicy) throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun)
    let router = Router<Boards>(selected: .boards, flowStyle: .push)
    router.stalePolicy = policy
    for _ in 0..<Self.rounds / 10 {
      for _ in 0..<12 { step(router, &random) }
      // What waits would come up in the place of what goes.
      router.waiting = []
      router.heldLinks = []
      let id = "b\(Int.random(in: 1...3, using: &random))"
      var gone = AllButOne(kind: "board", id: EntityID(id))
      let bytes = try Encoded.bytes(of: router.state)
      let restored = try SceneModel.SceneState(validating: bytes)
        .restoration(stale: policy, rules: Boards.rules, lookup: &gone)
      var expected = try JSONDecoder().decode(SceneRouting.SceneState<Boards>.self, from: Data(restored.state))
      expected.settleFlows(dropped: restored.dropped.map(\.path))
      #expect(router.entityWasDeleted("board", id) == restored.dropped)
      #expect(router.state == expected, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(router.entityWasDeleted("board", id).isEmpty)
    }
  }
}
