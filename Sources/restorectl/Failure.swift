import JSONText

/// Why a command ends without having done what it was asked to.
struct Failure: Error, Sendable {
  let exit: ExitCode
  /// What is wrong, and where.
  let what: String
  /// What to do about it; empty where nothing can be said.
  let remedy: String
  /// The error as the daemon replied it, or in another form that `--json` prints; nil: this program found it.
  let json: [UInt8]?

  init(_ exit: ExitCode, _ what: String, remedy: String = "", json: [UInt8]? = nil) {
    self.exit = exit
    self.what = what
    self.remedy = remedy
    self.json = json
  }

  /// What `--json` prints: one JSON object.
  ///
  /// An error that this program found has the form of one that the daemon replies with, and a name for its exit code.
  var jsonObject: [UInt8] {
    if let json { return json }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.string(exit.errorName)
    writer.key("parameters")
    writer.beginObject()
    writer.key("reason")
    writer.string(what)
    writer.key("remedy")
    writer.string(remedy)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  /// A command line that cannot be obeyed.
  static func usage(_ what: String, remedy: String) -> Failure { Failure(.usage, what, remedy: remedy) }

  /// The reader of standard output has gone; nothing is said about it.
  static var brokenPipe: Failure { Failure(.brokenPipe, "") }
}
