import Glibc
import RestoreInterface

/// The whole program: from arguments to an exit code.
enum Program {
  /// The version, as `--version` prints it.
  static let version = RestoredInterface.productVersion

  /// Runs with the process's own arguments and streams.
  static func run() -> Int32 {
    Streams.reserveStandardStreams()
    // A reader that has gone is told by EPIPE, so that a note on a closed stderr cannot end a sync half-way.
    signal(SIGPIPE, SIG_IGN)
    do {
      return try run(try arguments()).rawValue
    } catch {
      // The command line was not understood, so it is looked at word by word.
      if CommandLine.arguments.prefix(while: { $0 != "--" }).contains("--\(Option.json.name)") {
        var output = Output(noColor: true)
        try? output.jsonLine(error.jsonObject)
        try? output.flush()
      }
      Notes(quiet: false, noColor: false).failure(error)
      return error.exit.rawValue
    }
  }

  private static func run(_ arguments: [String]) throws(Failure) -> ExitCode {
    switch try Parser.parse(arguments) {
    case .help(let topic): return try printed(Help.text(on: topic))
    case .version: return try printed("restorectl \(version)\n")
    case .run(let invocation):
      try Environment.check()
      return try run(invocation)
    }
  }

  private static func printed(_ text: String) throws(Failure) -> ExitCode {
    var output = Output(noColor: true)
    try output.text(text)
    try output.flush()
    return .done
  }

  private static func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
    var session = try Session(invocation)
    do {
      let exit = try invocation.command.run(&session)
      try session.output.flush()
      return exit
    } catch {
      session.notes.progressEnded()
      if error.exit != .brokenPipe, invocation.has(.json) { try session.output.jsonLine(error.jsonObject) }
      // What was printed before the failure is true all the same; the failure itself goes before one of writing it.
      try? session.output.flush()
      session.notes.failure(error)
      return error.exit
    }
  }

  /// The arguments after the program's name, which have to be UTF-8: a name altered silently would be another name.
  private static func arguments() throws(Failure) -> [String] {
    var arguments: [String] = []
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[place] else { break }
      guard let argument = String(validatingCString: pointer) else {
        throw .usage(
          "argument \(place) is not valid UTF-8: \(Shown.quoted(String(cString: pointer)))",
          remedy: "write it in UTF-8; a file of another name can be given on standard input"
        )
      }
      arguments.append(argument)
    }
    return arguments
  }
}
