import Foundation

/// Runs the built programs as a shell would.
enum Tool {
  /// How a program ended, and what it said.
  struct Result: Sendable {
    var exit: Int32
    var out: Data
    var error: String
    var text: String { String(decoding: out, as: UTF8.self) }
  }

  /// The folder of the built programs: that of the tests' own executable.
  static let programs: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent
  }()

  /// Runs restorectl to its end.
  ///
  /// Its output goes to files, so that no pipe can fill.
  ///
  /// - Parameter socket: given by `RESTORED_SOCKET`; nil: none is.
  /// - Parameter terminal: whether standard output is a terminal, whose bytes `out` then holds.
  static func restorectl(
    _ arguments: [String],
    socket: String? = nil,
    input: Data = Data(),
    environment: [String: String] = [:],
    terminal: Bool = false
  ) throws -> Result {
    let folder = TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: programs + "/restorectl")
    process.arguments = arguments
    var variables = ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path]
    if let socket { variables["RESTORED_SOCKET"] = socket }
    process.environment = variables.merging(environment) { $1 }
    try input.write(to: URL(fileURLWithPath: folder.file("in")))
    process.standardInput = FileHandle(forReadingAtPath: folder.file("in"))
    _ = try folder.write("error", "")
    process.standardError = FileHandle(forWritingAtPath: folder.file("error"))
    let pseudo = terminal ? try Terminal() : nil
    _ = try folder.write("out", "")
    process.standardOutput = pseudo?.other ?? FileHandle(forWritingAtPath: folder.file("out"))
    try process.run()
    let fromTerminal = pseudo?.readToEnd()
    process.waitUntilExit()
    let out = try fromTerminal ?? Data(contentsOf: URL(fileURLWithPath: folder.file("out")))
    return Result(exit: process.terminationStatus, out: out, error: try folder.read("error"))
  }

  /// Runs a shell's line, in which `restorectl` is the built one, to its end.
  static func shell(_ line: String, socket: String, shell: String = "bash") throws -> Result {
    let folder = TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [shell, "-c", "{ \(line)\n} >\(folder.file("out")) 2>\(folder.file("error")) </dev/null"]
    process.environment = ["PATH": programs + ":/usr/bin:/bin", "RESTORED_SOCKET": socket]
    try process.run()
    process.waitUntilExit()
    return Result(
      exit: process.terminationStatus,
      out: Data(try folder.read("out").utf8),
      error: try folder.read("error")
    )
  }
}

/// A pseudo-terminal, see pty(7).
final class Terminal {
  private let main: Int32
  /// The end that a program has as its standard output.
  let other: FileHandle

  init() throws {
    main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: Int32 = 0
    guard main >= 0, ioctl(main, Self.setLock, &locked) == 0, ioctl(main, Self.getNumber, &number) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    let opened = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var mode = termios()
    tcgetattr(opened, &mode)
    // Bytes as they are written: no carriage returns put in.
    mode.c_oflag = 0
    tcsetattr(opened, TCSANOW, &mode)
    other = FileHandle(fileDescriptor: opened, closeOnDealloc: true)
  }

  deinit { close(main) }

  /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// What was written until the last program that has the other end is gone.
  func readToEnd() -> Data {
    try? other.close()
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(main, &piece, piece.count)
      guard count > 0 else { return data }
      data.append(contentsOf: piece[..<count])
    }
  }
}
