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
  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private var child: ChildProcess?

  /// Starts the daemon and waits until it says that it is ready.
  ///
  /// - Parameters:
  ///   - program: another program than `restored` that runs the daemon.
  ///   - starting: false: it is started later, by `start` or `startIfItLives`.
  public init(
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    folder: TemporaryFolder = TemporaryFolder(),
    program: String = DaemonProcess.program,
    starting: Bool = true
  ) {
    self.folder = folder
    self.program = program
    self.arguments = arguments
    self.environment = environment
    if starting { start() }
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
    guard startIfItLives() else { fatalError("the daemon did not become ready: \(process.errors)") }
  }

  /// Starts it, which may end it before it is ready (false).
  ///
  /// - Parameter extra: added to its environment.
  public func startIfItLives(_ extra: [String: String] = [:]) -> Bool {
    let notify = Notifications(in: folder)
    return notify.isReady(launch(notify, extra))
  }

  /// Starts it and waits for nothing.
  public func launch() { _ = launch(nil, [:]) }

  private func launch(_ notify: Notifications?, _ extra: [String: String]) -> ChildProcess {
    var environment = environment.merging(extra) { $1 }
    environment["NOTIFY_SOCKET"] = notify?.path
    environment["HOME"] = folder.path
    let child = ChildProcess(
      program,
      ["--socket", socket, "--state-dir", folder.file("state")] + arguments,
      environment: environment
    )
    self.child = child
    return child
  }

  /// Kills it as a crash or the kernel would.
  public func kill() {
    process.send(SIGKILL)
    ended()
  }

  /// Waits for its end, however that comes.
  @discardableResult public func ended() -> ChildProcess.Ending {
    defer { child = nil }
    return process.wait()
  }

  /// Asks it to stop, and waits until it has.
  @discardableResult public func stop() -> ChildProcess.Ending {
    process.send(SIGTERM)
    return ended()
  }

  /// A connection to it.
  package func client() throws -> VarlinkClient { try VarlinkClient(path: socket, timeoutMilliseconds: 30_000) }
}
