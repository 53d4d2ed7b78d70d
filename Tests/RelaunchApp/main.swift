import FoundationEssentials
import Glibc
import JSONText
import RestoreInterface
import TestSupport
import Varlink

// A small app with three tabs and a sheet, as an author would write it: its state is a Codable value, saved after each
// step and restored at start. It says where it stands on standard output, and when a step is saved on the socket that
// $NOTIFY_SOCKET names; then it waits for its end.
//
// usage: relaunch-app SOCKET [STEP…]
//   push:TAB:board:UUID   push:TAB:card:UUID:CARD   push:TAB:search:TEXT   push:TAB:settings
//   select:TAB   present:UUID   wait

enum Tab: String, Codable, CaseIterable { case boards, inbox, settings }

enum Route: Codable, Hashable {
  case board(id: UUID)
  case card(boardID: UUID, cardID: String)
  case search(String)
  case settings
}

enum Modal: Codable, Hashable { case newCard(boardID: UUID) }

struct Navigation: Codable {
  var selectedTab: Tab? = .boards
  // Encoded as a flat array, in another order in each process: that is what Swift makes of an enum as key.
  var stacks: [Tab: [Route]] = Dictionary(uniqueKeysWithValues: Tab.allCases.map { ($0, []) })
  var modals: [String: Modal]? = [:]
}

struct App {
  let client: VarlinkClient
  var navigation = Navigation()

  /// Where the app was when it was last saved, minus what is gone.
  mutating func restore() throws {
    let reply = try client.call(
      Restore.fullName,
      Restore.Parameters(app: "boards", scene: "main").encoded
    )
    guard reply.error == nil else {
      TestedApp.say("fresh \(reply.error ?? "")")
      return
    }
    let restored = try Restore.Reply(leniently: reply.parameters)
    navigation = try JSONDecoder().decode(Navigation.self, from: Data(restored.state.bytes))
    for part in restored.dropped {
      TestedApp.say("dropped \(part.path) \(part.reason.rawValue) \(part.kind ?? "") \(part.id ?? "")")
    }
    for tab in restored.emptied { TestedApp.say("emptied \(tab)") }
  }

  func save() throws {
    let state = JSONObjectText(try JSONEncoder().encode(navigation))
    let reply = try client.call(
      Save.fullName,
      Save.Parameters(app: "boards", scene: "main", state: state).encoded
    )
    guard reply.error == nil else { throw Failure(what: reply.error ?? "") }
  }

  func describe() {
    TestedApp.say("selected \(navigation.selectedTab?.rawValue ?? "none")")
    for tab in Tab.allCases {
      TestedApp.say("\(tab.rawValue): \(navigation.stacks[tab, default: []].map(text).joined(separator: " > "))")
    }
    for (presentation, modal) in (navigation.modals ?? [:]).sorted(by: { $0.key < $1.key }) {
      if case .newCard(let board) = modal { TestedApp.say("\(presentation): newCard \(board)") }
    }
  }

  private func text(_ route: Route) -> String {
    switch route {
    case .board(let id): "board \(id)"
    case .card(let board, let card): "card \(board) \(card)"
    case .search(let text): "search \(text)"
    case .settings: "settings"
    }
  }

  mutating func take(_ step: String) throws {
    let words = step.split(separator: ":").map(String.init)
    switch words[0] {
    case "select": navigation.selectedTab = Tab(rawValue: words[1])
    case "present": navigation.modals = ["sheet": .newCard(boardID: try uuid(words[1]))]
    case "push":
      let route: Route =
        switch words[2] {
        case "board": .board(id: try uuid(words[3]))
        case "card": .card(boardID: try uuid(words[3]), cardID: words[4])
        case "search": .search(words[3])
        default: .settings
        }
      guard let tab = Tab(rawValue: words[1]) else { throw Failure(what: "no tab \(words[1])") }
      navigation.stacks[tab, default: []].append(route)
    default: throw Failure(what: "no step \(step)")
    }
    try save()
  }

  private func uuid(_ text: String) throws -> UUID {
    guard let id = UUID(uuidString: text) else { throw Failure(what: "no UUID: \(text)") }
    return id
  }
}

struct Failure: Error { let what: String }

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  guard let socket = arguments.first else { throw Failure(what: "which socket?") }
  var app = App(client: try VarlinkClient(path: socket))
  try app.restore()
  app.describe()
  for step in arguments.dropFirst() { try app.take(step) }
  TestedApp.notifyReady()
  while true { pause() }
} catch {
  TestedApp.say("failed: \(error)")
  exit(1)
}
