import RestoreClient

// The code that the documentation shows, so that it compiles. `DocumentationTests` finds each of its lines here.

enum DocumentedOverview {
  struct Board { let id: String }
  static var boards: [Board] { [] }
  static var navigation: Navigation { Navigation() }
  static func show(_ navigation: Navigation) {}

  struct Navigation: Codable, Sendable {
    enum Route: Codable, Sendable { case board(id: String), card(boardID: String, cardID: Int) }
    var selectedTab: String?
    var stacks: [String: [Route]] = [:]
  }

  static func run() async throws {
    let client = SceneClient(app: "org.example.Boards")
    let scene = client.scene()

    // What exists, as the model changes. From the first put on, routes that refer to the kind are checked.
    try await client.entities("board").put(boards.lazy.map(\.id))

    // At the start: what was saved, without the routes to what is gone. Nil at the very first start.
    let back = try await scene.restore(Navigation.self, launch: true)
    show(back?.state ?? Navigation())
    for dropped in back?.dropped ?? [] { print(dropped) }

    // Once it is on the screen and works. Three launches without it, and an older state is served.
    try await scene.confirm()

    // While the person moves: returns at once, and saves in the background. A burst is one save.
    scene.enqueue(navigation)
  }
}

enum DocumentedReadme {
  struct Note { let id: String }
  static var notes: [Note] { [] }
  static var navigation: Navigation { Navigation() }
  static func show(_ navigation: Navigation, without dropped: [Dropped]) {}

  static func run() async throws {
    // swift-format-ignore
    do {
    let client = SceneClient(app: "org.example.Notes")
    try await client.entities("note").put(notes.map(\.id))
    let back = try await client.scene().restore(Navigation.self, launch: true)    // nil at the first start
    show(back?.state ?? Navigation(), without: back?.dropped ?? [])
    try await client.scene().confirm()                                            // it was shown, and lives
    client.scene().enqueue(navigation)                                            // at each change: returns at once
    }
  }
}
