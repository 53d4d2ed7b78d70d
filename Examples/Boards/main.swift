import Dispatch
import FoundationEssentials
import Glibc
import RestoreClient
import SceneRouting

// Boards: a small terminal app that is always where it was left.
//
// usage: boards [LINK]               LINK: boards://board/b1, boards://card/b1/c1, boards://new/b1, boards://inbox
//        boards delete-card CARD     deletes a card, and tells the service: a running app closes it
//
// $BOARDS_FILE names the file of boards and cards, else ~/.local/share/restored-boards.json.
// With $BOARDS_CRASH_ON=CARD the app crashes when it shows that card: three times, and the fourth start leads out of it.

let file =
  getenv("BOARDS_FILE").map { String(cString: $0) }
  ?? (getenv("HOME").map { String(cString: $0) } ?? "") + "/.local/share/restored-boards.json"
let arguments = Array(CommandLine.arguments.dropFirst())

switch arguments.first {
case "delete-card" where arguments.count == 2:
  var model = Model(file: file)
  model.delete(card: arguments[1])
  model.write(to: file)
  Task {
    // Without a service nobody is told; the app tells what exists at its next start.
    try? await App.client.entities("card").delete(arguments[1])
    exit(0)
  }
  dispatchMain()
case let link? where !link.hasPrefix("boards://"):
  let usage = "usage: boards [LINK] | boards delete-card CARD\n"
  write(STDERR_FILENO, usage, usage.utf8.count)
  exit(64)
case let link:
  let app = App(file: file)
  Task { await app.begin(link: link.flatMap { URL(string: $0) }) }
  MainLoop.run(app)
}
