import FoundationEssentials
import Glibc
import RestoreClient
import SceneRouting

// An app whose main thread waits in a loop that is not Swift's: one of poll(2), or GLib's, as every GTK app has.
//
// usage: foreign-loop-app poll|glib SOCKET [PUSH…]
//
// It is restored, says where it stands on standard output, pushes, and then says on the socket that $NOTIFY_SOCKET names
// that it has come so far. It saves when it is asked to end.

enum Notes: Navigation {
  enum Route: SceneRoute { case note(id: String) }
}

func say(_ line: String) {
  var line = line + "\n"
  line.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
}

func notifyReady() {
  guard let path = getenv("NOTIFY_SOCKET") else { return }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) {
    $0.copyBytes(from: UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      _ = sendto(descriptor, "READY=1", 7, 0, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}

let router = Router<Notes>()

@MainActor func begin(socket: String, pushes: [String]) async {
  let client = SceneClient(app: "notes", socket: socket)
  // So long that nothing is saved but at the end.
  let kept = await router.keep(in: client.scene(), saveAfter: .seconds(3_600))
  say("stands at \(router.path.map { "\($0)" }.joined(separator: " ")) \(kept.origin)")
  kept.saveWhenAskedToEnd { say("cleaned up") }
  for push in pushes { router.push(.note(id: push)) }
  notifyReady()
}

/// The recipe for a loop of one's own.
@MainActor func runPollLoop() -> Never {
  MainQueue.runWaiting()
  while true {
    var wait = pollfd(fd: MainQueue.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&wait, 1, -1) > 0 { MainQueue.runWaiting() }
  }
}

/// The recipe for GLib: what `g_unix_fd_add` takes, and its loop.
///
/// The library is looked up when the app runs, so that nothing needs it to be built.
@MainActor func runGLibLoop() -> Never {
  typealias Callback = @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Int32
  typealias AddDescriptor = @convention(c) (Int32, UInt32, Callback, UnsafeMutableRawPointer?) -> UInt32
  typealias NewLoop = @convention(c) (OpaquePointer?, Int32) -> OpaquePointer
  typealias RunLoop = @convention(c) (OpaquePointer) -> Void
  guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW), let add = dlsym(library, "g_unix_fd_add"),
    let new = dlsym(library, "g_main_loop_new"), let run = dlsym(library, "g_main_loop_run")
  else {
    say("no GLib")
    exit(77)
  }
  MainQueue.runWaiting()
  let readable: UInt32 = 1
  _ = unsafeBitCast(add, to: AddDescriptor.self)(
    MainQueue.descriptor,
    readable,
    { _, _, _ in
      MainActor.assumeIsolated { MainQueue.runWaiting() }
      return 1
    },
    nil
  )
  unsafeBitCast(run, to: RunLoop.self)(unsafeBitCast(new, to: NewLoop.self)(nil, 0))
  fatalError("the loop ended")
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
  say("usage: foreign-loop-app poll|glib SOCKET [PUSH…]")
  exit(64)
}
Task { await begin(socket: arguments[2], pushes: Array(arguments[3...])) }
if arguments[1] == "glib" { runGLibLoop() } else { runPollLoop() }
