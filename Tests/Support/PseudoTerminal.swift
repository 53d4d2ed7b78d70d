import Glibc

/// A program that a test runs on a terminal of its own, as a person would.
///
/// Killed when the test lets go of it. Made for programs that draw their whole screen from `ESC [ H` to `ESC [ J`.
public final class PseudoTerminal {
  private let master: Int32
  private let pid: pid_t
  private var ending: ChildProcess.Ending?
  /// Whether the program has let go of its terminal, as it does when it ends.
  private var isHungUp = false
  /// All that was written so far.
  public private(set) var output: [UInt8] = []

  /// TIOCSPTLCK and TIOCGPTN, ioctl_tty(2).
  private static let unlock: UInt = 0x4004_5431
  private static let number: UInt = 0x8004_5430
  /// How long a test waits for something that never comes.
  private static let patience: Int32 = 60_000

  /// Starts `path` on a terminal of so many columns and rows.
  ///
  /// - Parameter environment: the whole environment, but for `PATH` and `TERM`.
  public init(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String],
    columns: Int = 80,
    rows: Int = 24
  ) {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, UInt32) = (0, 0)
    // What unlockpt(3) and ptsname(3) do, which Swift's Glibc lacks.
    guard master >= 0, ioctl(master, Self.unlock, &locked) == 0, ioctl(master, Self.number, &number) == 0 else {
      fatalError("no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    let name = "/dev/pts/\(number)"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // The first terminal that the leader of a new session opens becomes its own.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    var whole = environment
    whole["PATH"] = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    whole["TERM"] = "xterm-256color"
    for name in ["TSAN_OPTIONS", "ASAN_OPTIONS"] { whole[name] = getenv(name).map { String(cString: $0) } }
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    let envp = whole.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var child: pid_t = 0
    Self.resize(master, columns, rows)
    let result = posix_spawn(&child, path, &actions, &attributes, argv, envp)
    for pointer in argv + envp { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    guard result == 0 else { fatalError("cannot run \(path): \(String(cString: strerror(result)))") }
    pid = child
  }

  deinit {
    if ending == nil {
      kill(pid, SIGKILL)
      wait()
    }
    close(master)
  }

  /// Types; what is typed is UTF-8.
  public func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    guard write(master, bytes, bytes.count) == bytes.count else { fatalError("cannot type") }
  }

  /// Sends it a signal.
  public func send(_ signal: Int32) { kill(pid, signal) }

  /// Makes the terminal larger or smaller; the kernel tells the program.
  public func resize(columns: Int, rows: Int) { Self.resize(master, columns, rows) }

  private static func resize(_ master: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Blocks until it has ended; what it wrote until then is in `output`.
  ///
  /// One that neither writes nor ends for a long time is killed.
  @discardableResult public func wait() -> ChildProcess.Ending {
    if let ending { return ending }
    while readMore() {}
    if !isHungUp { kill(pid, SIGKILL) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let result: ChildProcess.Ending = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    ending = result
    return result
  }

  /// The lines of the last screen that was drawn to its end, without colours.
  public var screen: [String] {
    guard let end = Self.last("\u{1B}[J", in: output[...]), let begin = Self.last("\u{1B}[H", in: output[..<end]) else {
      return []
    }
    return Self.plain(String(decoding: output[(begin + 3)..<end], as: UTF8.self))
      .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Where the last occurrence of `text` begins.
  private static func last(_ text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.last { bytes[$0...].starts(with: text.utf8) }
  }

  /// Waits until a screen is drawn that `matches`.
  ///
  /// - Returns: its lines; nil where the program ended before, or drew none for a long time.
  public func screen(where matches: ([String]) -> Bool) -> [String]? {
    while true {
      let lines = screen
      if !lines.isEmpty, matches(lines) { return lines }
      if !readMore() { return nil }
    }
  }

  /// Waits until a screen is drawn that holds `text`.
  @discardableResult public func screen(with text: String) -> [String]? {
    screen { lines in lines.contains { $0.contains(text) } }
  }

  /// Waits for something to be written; false at the end.
  private func readMore() -> Bool {
    var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, Self.patience) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = read(master, &buffer, buffer.count)
    if count > 0 { output += buffer[..<count] } else { isHungUp = true }
    return count > 0
  }

  /// A text without its escape sequences.
  private static func plain(_ text: String) -> String {
    var plain = ""
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\u{1B}" else {
        plain.unicodeScalars.append(scalar)
        continue
      }
      while let next = scalars.next(), !(0x40...0x7E ~= next.value) || next == "[" {}
    }
    return plain
  }
}
