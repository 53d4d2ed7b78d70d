import Foundation
import TestSupport
import Varlink

/// A machine whose process 1 is systemd, with the daemon installed under /usr; `Tests/Systemd/machine.sh` boots it.
///
/// Shut down when the object goes, or this process ends.
final class Machine: Sendable {
  /// Why this system cannot boot one.
  static let obstacle = Obstacle("Tests/Systemd/machine.sh", "can")
  /// Why this system cannot boot one with a newer systemd.
  static let newerObstacle = obstacle.or(Obstacle("Tests/Systemd/newer.sh"))

  /// One with this system's own systemd, for tests to share.
  static let own = Result { try Machine() }
  /// One with the next release's.
  static let newer = Result { try Machine(beneath: [Checkout.file(".build/newer-systemd/root")]) }

  /// A user of the machine.
  enum User: UInt32 {
    case ann = 61_001, ben, cam, dan, eve, fay
    /// The user that stands for all whom a name space does not know.
    case nobody = 65_534

    var name: String { "\(self)" }
    var runtime: String { "/run/user/\(rawValue)" }
    var socket: String { runtime + "/restored/io.restored" }
    var state: String { "/home/\(name)/.local/state/restored" }
  }

  /// The folder that is the machine's /kept.
  let kept = TemporaryFolder()
  private let first: pid_t
  private let keeper: Process
  private let lifeline = Pipe()

  struct BootFault: Error {
    let message: String
  }

  /// Boots, with `trees` laid over this system's files and the daemon over these.
  init(beneath trees: [String] = []) throws {
    chmod(kept.path, 0o755)
    let staged = TemporaryFolder()
    let installed = Checkout.install("install", prefix: "/usr", into: staged.path)
    guard installed.ending == .exit(0) else { throw BootFault(message: installed.errors) }
    try Sanitizer.addDropIns(to: staged.path)
    keeper = Process()
    keeper.executableURL = URL(fileURLWithPath: Checkout.file("Tests/Systemd/machine.sh"))
    keeper.arguments = ["run", kept.path] + trees + [staged.path]
    keeper.standardInput = lifeline
    let output = Pipe()
    keeper.standardOutput = output
    try keeper.run()
    let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard said.hasPrefix("pid "), let pid = pid_t(said.dropFirst(4).trimmingCharacters(in: .newlines)) else {
      throw BootFault(message: said)
    }
    first = pid
    succeeds("systemd-sysusers")
    succeeds("systemctl", "start", "restored.socket")
  }

  deinit { shutDown() }

  /// Shuts it down as a machine is, and waits until it has.
  func shutDown() {
    try? lifeline.fileHandleForWriting.close()
    keeper.waitUntilExit()
  }

  /// Where `path` of the machine is for this process.
  func path(_ path: String) -> String { "/proc/\(first)/root" + path }

  /// A connection to a socket of the machine, made by root.
  func client(_ socket: String = "/run/restored/io.restored") throws -> VarlinkClient {
    try VarlinkClient(path: path(socket), timeoutMilliseconds: 30_000)
  }

  /// Runs a program in it to its end, as root or as `user`.
  @discardableResult
  func run(_ command: [String], as user: User? = nil, input: String = "") -> Finished {
    var arguments = ["--target", "\(first)", "--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup", "--"]
    if let user {
      arguments += ["setpriv", "--reuid=\(user.rawValue)", "--regid=\(user.rawValue)", "--clear-groups"]
    }
    var environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"]
    environment["HOME"] = user.map { "/home/\($0.name)" } ?? "/root"
    if let user, user != .nobody { environment["XDG_RUNTIME_DIR"] = user.runtime }
    environment.merge(Sanitizer.environment) { $1 }
    return Finished("nsenter", arguments + command, environment: environment, input: input.utf8)
  }

  /// Runs a program in it that must succeed, and gives what it printed, without the last line's end.
  @discardableResult
  func succeeds(_ command: String..., as user: User? = nil, input: String = "") -> String {
    let result = run(command, as: user, input: input)
    if result.ending != .exit(0) { report(command, result) }
    return result.text.trimmingCharacters(in: .newlines)
  }

  /// A property of a unit, of the system's manager or of a user's.
  func property(_ name: String, of unit: String = "restored.service", as user: User? = nil) -> String {
    let manager = user == nil ? [] : ["--user"]
    return run(["systemctl"] + manager + ["show", "--value", "--property", name, unit], as: user).text
      .trimmingCharacters(in: .newlines)
  }

  /// The daemon's process, as the machine counts.
  func mainPID(as user: User? = nil) -> String { property("MainPID", as: user) }
}
