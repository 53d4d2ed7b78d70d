import RestoreClient
import RestoreInMemory
import SceneRouting
import Testing

@MainActor @Suite("Scenes that are kept in memory") struct InMemoryTests {
  @Test("a test or a preview restores and saves without a daemon, by the same rules, each client for itself")
  func inMemory() async throws {
    let client = SceneClient.inMemory(app: "boards")
    let router = Router<Boards>(selected: .boards)
    try await client.entities("board").put(["b1", "b2"])
    let kept = await router.keep(in: client.scene())
    router.path = [.board(id: "b1"), .board(id: "b2")]
    await kept.end()
    try await client.entities("board").delete(["b1"])

    let again = Router<Boards>(selected: .inbox)
    let keptAgain = await again.keep(in: client.scene())
    #expect(again.selectedTab == .boards && again.path == [.board(id: "b2")])

    // The same app elsewhere is not logged out with it.
    let other = Router<Boards>(selected: .boards)
    let otherKept = await other.keep(in: SceneClient.inMemory(app: "boards").scene())
    #expect(otherKept.origin == .fresh)
    other.push(.settings)
    try await keptAgain.logOut()
    #expect(!again.hasRoot && other.hasRoot && other.path == [.settings])
  }
}
