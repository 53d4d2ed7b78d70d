import Glibc
import Varlink

/// The real daemon as a process of its own, with a state folder and a socket of its own.
///
/// It can be killed and started again on the same folder. Stopped when the test lets go of it.
public final class DaemonProcess {
  /// Where its state and its socket are.
  public let folder: TemporaryFolder
  /// The socket's path.
  public var socket: String { folder.file("run/io.restored") }
  /// The database's path.
  public var database: String { folder.file("state/restored.sqlite3") }
  private let arguments: [String]
  private let environment: [String: String]
  private var child: ChildProcess?

  /// Starts the daemon and waits until it says that it is ready.
  public init(
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    folder: TemporaryFolder = TemporaryFolder()
  ) {
    self.folder = folder
    self.arguments = arguments
    self.environment = environment
    start()
  }

  /// The daemon's program.
  public static var program: String { Files.products + "/restored" }

  /// The running process.
  public var process: ChildProcess {
    guard let child else { fatalError("the daemon does not run") }
    return child
  }

  /// Starts it again after `kill` or `stop`.
  public func start() {
    let notify = Notifications(in: folder)
    var environment = environment
    environment["NOTIFY_SOCKET"] = notify.path
    environment["HOME"] = folder.path
    let child = ChildProcess(
      Self.program,
      ["--socket", socket, "--state-dir", folder.file("state")] + arguments,
      environment: environment
    )
    self.child = child
    guard notify.isReady(child) else { fatalError("the daemon did not become ready: \(child.errors)") }
  }

  /// Kills it as a crash or the kernel would.
  public func kill() {
    process.send(SIGKILL)
    process.wait()
    child = nil
  }

  /// Asks it to stop, and waits until it has.
  @discardableResult public func stop() -> ChildProcess.Ending {
    let child = process
    child.send(SIGTERM)
    defer { self.child = nil }
    return child.wait()
  }

  /// A connection to it.
  package func client() throws -> VarlinkClient { try VarlinkClient(path: socket, timeoutMilliseconds: 30_000) }
}
