import FoundationEssentials
import Glibc
import RestoreClient
import SceneRouting
import TestSupport

// An app whose main thread waits in a loop that is not Swift's: one of poll(2), GLib's, GTK's or Qt's.
//
// usage: foreign-loop-app poll|glib|gtk SOCKET [PUSH…]
//        foreign-loop-app LIBRARY SOCKET [PUSH…]       LIBRARY: Tests/QtLoop/QtLoop.cpp, built
//
// It is restored, says where it stands on standard output, pushes, and then says on the socket that $NOTIFY_SOCKET names
// that it has come so far. It saves when it is asked to end.

enum Notes: Navigation {
  enum Route: SceneRoute { case note(id: String) }
}

let router = Router<Notes>()

@MainActor func begin(socket: String, pushes: [String]) async {
  let client = SceneClient(app: "notes", socket: socket)
  // So long that nothing is saved but at the end.
  let kept = await router.keep(in: client.scene(), saveAfter: .seconds(3_600))
  TestedApp.say("stands at \(router.path.map { "\($0)" }.joined(separator: " ")) \(kept.origin)")
  kept.saveWhenAskedToEnd { TestedApp.say("cleaned up") }
  for push in pushes { router.push(.note(id: push)) }
  TestedApp.notifyReady()
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
  TestedApp.say("usage: foreign-loop-app poll|glib|gtk|LIBRARY SOCKET [PUSH…]")
  exit(64)
}
Task { await begin(socket: arguments[2], pushes: Array(arguments[3...])) }
switch arguments[1] {
case "poll": Loops.poll()
case "glib": Loops.glib()
case "gtk": Loops.gtk()
case let library: Loops.qt(library)
}
