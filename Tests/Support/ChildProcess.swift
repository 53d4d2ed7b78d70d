import CLinux
import Glibc

/// A program that a test runs.
///
/// Killed when the test lets go of it.
public final class ChildProcess {
  /// How a process ended.
  public enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The process id.
  public let pid: pid_t
  /// Its standard output and error go into these files.
  public let outputPath: String, errorPath: String
  private let folder: TemporaryFolder
  private let lifeline: Int32
  private var ending: Ending?

  /// Starts `path`.
  ///
  /// - Parameters:
  ///   - environment: the whole environment, but for `PATH`, which is this process's.
  ///   - input: what it reads from standard input.
  public init(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    input: some Collection<UInt8> = []
  ) {
    folder = TemporaryFolder()
    folder.write(input, to: "in")
    (outputPath, errorPath) = (folder.file("out"), folder.file("err"))
    var pipes: [Int32] = [-1, -1]
    guard clinux_unix_pair(&pipes) == 0 else { fatalError("socketpair") }
    lifeline = pipes[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, folder.file("in"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    // Held open by the child alone: its closing tells the end.
    posix_spawn_file_actions_adddup2(&actions, pipes[1], Self.lifelineNumber)
    var whole = environment
    whole["PATH"] = whole["PATH"] ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    // A program under a sanitizer needs what the tests were told about it; one that tests makes folders, too.
    for name in ["TSAN_OPTIONS", "ASAN_OPTIONS", "TMPDIR", "RESTORED_PRODUCTS"] where whole[name] == nil {
      whole[name] = getenv(name).map { String(cString: $0) }
    }
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    let envp = whole.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var child: pid_t = 0
    let result = posix_spawnp(&child, path, &actions, nil, argv, envp)
    for pointer in argv + envp { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    close(pipes[1])
    guard result == 0 else { fatalError("cannot run \(path): \(String(cString: strerror(result)))") }
    pid = child
    Undertaker.begins(child)
  }

  private static let lifelineNumber: Int32 = 59

  deinit {
    if ending == nil {
      kill(pid, SIGKILL)
      _ = wait()
    }
    close(lifeline)
  }

  /// Sends it a signal.
  public func send(_ signal: Int32) { kill(pid, signal) }

  /// Blocks until it has ended.
  @discardableResult public func wait() -> Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    Undertaker.ended(pid)
    let signal = status & 0x7F
    let result: Ending = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    ending = result
    return result
  }

  /// Blocks until `descriptor` is readable (true), or the process has ended or `seconds` have passed (false).
  public func isReadable(_ descriptor: Int32, orEndsWithin seconds: Int = 30) -> Bool {
    var waits = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, 2, Int32(seconds * 1_000)) < 0, errno == EINTR {}
    return waits[0].revents & Int16(POLLIN) != 0
  }

  /// Blocks until it has written `text` to standard error (true), or has ended or `seconds` have passed (false).
  public func says(_ text: String, within seconds: Int = 60) -> Bool {
    // Begun before the first look, so that nothing is written in between unnoticed. inotify(7)
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(watch) }
    guard watch >= 0, inotify_add_watch(watch, errorPath, UInt32(IN_MODIFY)) >= 0 else { fatalError("inotify") }
    var events = [UInt8](repeating: 0, count: 4_096)
    while !errors.contains(text) {
      guard isReadable(watch, orEndsWithin: seconds) else { return errors.contains(text) }
      _ = read(watch, &events, events.count)
    }
    return true
  }

  /// What it has written to standard output so far.
  public var output: [UInt8] { Files.read(outputPath) }
  /// What it has written to standard error so far.
  public var errors: String { String(decoding: Files.read(errorPath), as: UTF8.self) }
}

/// What a program that has ended left.
public struct Finished: Sendable {
  /// How it ended.
  public let ending: ChildProcess.Ending
  /// Its standard output.
  public let output: [UInt8]
  /// Its standard error.
  public let errors: String

  /// Its standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a program to its end.
  public init(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    input: some Collection<UInt8> = []
  ) {
    let child = ChildProcess(path, arguments, environment: environment, input: input)
    ending = child.wait()
    output = child.output
    errors = child.errors
  }
}
