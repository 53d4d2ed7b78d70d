import Glibc
import TestSupport

/// Runs restorectl as a shell would.
enum Tool {
  /// How it ended, and what it said.
  struct Result {
    let exit: Int32
    let bytes: [UInt8]
    let error: String
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  static let program = Files.products + "/restorectl"

  /// Runs it to its end.
  ///
  /// - Parameter socket: given by `RESTORED_SOCKET`; nil: none is.
  static func run(
    _ arguments: [String],
    socket: String? = nil,
    input: String = "",
    environment: [String: String] = [:]
  ) -> Result {
    run(arguments, socket: socket, bytes: Array(input.utf8), environment: environment)
  }

  /// Runs it to its end, with any bytes as its input.
  static func run(
    _ arguments: [String],
    socket: String? = nil,
    bytes: [UInt8],
    environment: [String: String] = [:]
  ) -> Result {
    result(Finished(program, arguments, environment: variables(socket, environment), input: bytes))
  }

  /// Runs a line of a shell in which `restorectl` is the built one.
  static func shell(_ line: String, socket: String? = nil, environment: [String: String] = [:]) -> Result {
    var variables = variables(socket, environment)
    variables["PATH"] = Files.products + ":/usr/local/bin:/usr/bin:/bin"
    return result(Finished("/bin/bash", ["-c", line], environment: variables))
  }

  /// Runs it with a terminal as its standard output, whose bytes are the result's.
  ///
  /// - Parameters:
  ///   - columns: how wide the terminal is.
  ///   - stream: which stream is the terminal, as a shell numbers them.
  static func runOnTerminal(
    _ line: String,
    socket: String,
    columns: Int = 80,
    stream: Int = 1,
    environment: [String: String] = [:]
  ) -> Result {
    let terminal = Terminal(columns: columns)
    // `other` of the terminal stays open meanwhile, so nothing that was written is lost.
    let ended = shell(
      "restorectl \(line) \(stream)>\(terminal.path)",
      socket: socket,
      environment: environment
    )
    let shown = terminal.read()
    if stream == 1 { return Result(exit: ended.exit, bytes: shown, error: ended.error) }
    return Result(exit: ended.exit, bytes: ended.bytes, error: String(decoding: shown, as: UTF8.self))
  }

  /// Whether there is a program of that name.
  static func has(_ program: String) -> Bool { shell("command -v \(program)").exit == 0 }

  private static func variables(_ socket: String?, _ more: [String: String]) -> [String: String] {
    var variables = ["XDG_RUNTIME_DIR": "/nowhere"]
    variables["RESTORED_SOCKET"] = socket
    return variables.merging(more) { $1 }
  }

  private static func result(_ finished: Finished) -> Result {
    // A signal as a shell reports it.
    let exit: Int32 =
      switch finished.ending {
      case .exit(let code): code
      case .signal(let signal): 128 + signal
      }
    return Result(exit: exit, bytes: finished.output, error: finished.errors)
  }
}

/// A pseudo-terminal, see pty(7).
final class Terminal {
  private let main: Int32
  private let other: Int32
  /// What a program opens to write to the terminal.
  let path: String

  init(columns: Int = 80) {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = 0
    guard main >= 0, ioctl(main, Self.setLock, &locked) == 0, ioctl(main, Self.getNumber, &number) == 0 else {
      fatalError("no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    path = "/dev/pts/\(number)"
    other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var mode = termios()
    tcgetattr(other, &mode)
    // Bytes as they are written: no carriage returns put in.
    mode.c_oflag = 0
    tcsetattr(other, TCSANOW, &mode)
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(other, UInt(TIOCSWINSZ), &size)
  }

  deinit {
    close(other)
    close(main)
  }

  /// What was written so far, up to what a terminal holds unread (about 4 KiB).
  func read() -> [UInt8] {
    _ = fcntl(main, F_SETFL, O_NONBLOCK)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 8192)
    while case let count = Glibc.read(main, &piece, piece.count), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430
}
