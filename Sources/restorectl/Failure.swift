/// Why a command ends without having done what it was asked to.
struct Failure: Error, Sendable {
  let exit: ExitCode
  /// What is wrong, and where.
  let what: String
  /// What to do about it; empty where nothing can be said.
  let remedy: String
  /// For `--json`, the error as the daemon replied it: one line of JSON without its line break.
  let json: [UInt8]?

  init(_ exit: ExitCode, _ what: String, remedy: String = "", json: [UInt8]? = nil) {
    self.exit = exit
    self.what = what
    self.remedy = remedy
    self.json = json
  }

  /// A command line that cannot be obeyed.
  static func usage(_ what: String, remedy: String) -> Failure { Failure(.usage, what, remedy: remedy) }

  /// The reader of standard output has gone; nothing is said about it.
  static var brokenPipe: Failure { Failure(.brokenPipe, "") }
}
