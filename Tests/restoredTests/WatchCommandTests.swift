import Glibc
import TestSupport
import Testing

@Suite("restorectl watch beside the daemon")
struct WatchCommandTests {
  private static let isRoot = getuid() == 0

  /// A program whose lines can be waited for.
  private final class Lines {
    private let child: ChildProcess
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(_ program: String, _ arguments: [String], in folder: TemporaryFolder) {
      let pipe = folder.file("pipe-\(UInt32.random(in: 0 ... .max))")
      mkfifo(pipe, 0o600)
      // The shell opens the pipe before it becomes the program, which may be another user's.
      child = ChildProcess("sh", ["-c", "exec \"$@\" >\(pipe)", "sh", program] + arguments)
      descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// The next line; empty at the end.
    func next() -> String {
      while true {
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          defer { received.removeSubrange(...end) }
          return String(decoding: received[..<end], as: UTF8.self)
        }
        guard child.isReadable(descriptor) else { return "" }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return "" }
        received += buffer[..<count]
      }
    }

    var errors: String { child.errors }
    func wait() -> ChildProcess.Ending { child.wait() }
  }

  private let restorectl = Files.products + "/restorectl"

  @Test("each event is a line as soon as it happens, and goes on after --after; the end of the daemon is its end")
  func lines() throws {
    let daemon = DaemonProcess()
    let client = try daemon.client()
    try client.save(#"{"values":{}}"#)
    let watch = Lines(
      restorectl,
      ["watch", "--app", "app", "--after", "0", "--socket", daemon.socket],
      in: daemon.folder
    )
    #expect(watch.next().contains("ready"))
    #expect(watch.next().contains("saved"))
    try client.put("card", ["a"])
    let change = watch.next()
    #expect(change.contains("entitiesChanged") && change.contains("card"))
    let json = Lines(restorectl, ["watch", "--json", "--after", "1", "--socket", daemon.socket], in: daemon.folder)
    #expect(json.next().hasPrefix(#"{"event":{"type":"ready","revision":1,"#))
    #expect(json.next().contains(#""type":"entitiesChanged","revision":2,"#))
    daemon.stop()
    #expect(watch.wait() == .exit(69))
    #expect(watch.errors.contains("restorectl: "))
  }

  @Test("with --all-users a watcher hears of its own user's changes alone", .enabled(if: isRoot, "needs root"))
  func ownChangesAlone() throws {
    let daemon = DaemonProcess(["--all-users"])
    chmod(daemon.folder.path, 0o755)
    func arguments(_ uid: Int, _ command: [String]) -> [String] {
      ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", restorectl] + command + ["--socket", daemon.socket]
    }
    let watch = Lines("setpriv", arguments(12_001, ["watch", "--json"]), in: daemon.folder)
    #expect(watch.next().contains(#""type":"ready","revision":0,"#))
    for uid in [12_002, 12_001] {
      for scene in ["a", "b"] {
        let save = arguments(uid, ["save", "--scene", "\(scene)\(uid)"])
        let saved = Finished("setpriv", save, input: #"{"values":{"n":1}}"#.utf8)
        #expect(saved.ending == .exit(0), "\(saved.errors)")
      }
    }
    for (number, scene) in ["a12001", "b12001"].enumerated() {
      let event = watch.next()
      #expect(event.contains("\"revision\":\(number + 1),") && event.contains("\"scene\":\"\(scene)\""))
    }
    let again = Lines("setpriv", arguments(12_001, ["watch", "--json", "--after", "0"]), in: daemon.folder)
    #expect(again.next().contains("ready"))
    #expect(again.next().contains("a12001"))
    #expect(again.next().contains("b12001"))
  }
}
