import RestoreClient
import SceneRouting

// What navigating costs the main actor, on a release build: `Benchmarks/routing.sh`.
//
// Nothing is measured of the saving itself, which other threads do; a daemon need not run.

enum Bench: Navigation {
  enum Tab: String, SceneTab, CaseIterable { case boards, inbox }
  enum Route: SceneRoute { case card(boardID: String, cardID: Int) }
  enum Modal: SceneRoute { case sheet }
}

let rounds = 20
let pushes = 1_000

@MainActor func row(_ what: String, limit: Double?, _ prepare: () async -> Router<Bench>) async -> Bool {
  var best = Double.infinity
  for _ in 0..<rounds {
    let router = await prepare()
    let clock = ContinuousClock()
    let took = clock.measure {
      for number in 0..<pushes { router.push(.card(boardID: "board-17", cardID: number)) }
    }
    best = min(best, Double(took.components.attoseconds) / 1e12 / Double(pushes))
    // Whoever saves takes its turn between the rounds.
    await Task.yield()
  }
  let text = String(Int(best * 1_000))
  let verdict = limit.map { best <= $0 ? "at most \($0) µs: reached" : "at most \($0) µs: MISSED" } ?? ""
  print("\(what): \(text) ns a push\(verdict.isEmpty ? "" : ", \(verdict)")")
  return limit.map { best <= $0 } ?? true
}

let client = SceneClient(app: "bench", socket: "/nonexistent/io.restored")
_ = await row("alone", limit: nil) { Router<Bench>(selected: .boards) }
let isReached = await row("with autosave armed", limit: 5) {
  let router = Router<Bench>(selected: .boards)
  await router.keep(in: client.scene())
  router.push(.card(boardID: "first", cardID: 0))
  return router
}
if !isReached { fatalError("a push with autosave armed costs more than it may") }
