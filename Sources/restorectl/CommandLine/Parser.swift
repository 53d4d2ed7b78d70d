/// Reads a command line: words, then options anywhere (`--name=value`, `--name value`, `--` ends them).
struct Parser {
  /// What a command line asks for.
  enum Outcome {
    case run(Invocation)
    /// Help on everything (nil), on a group (`entities`), or on one command.
    case help(String?)
    case version
  }

  private var arguments: ArraySlice<String>
  private var words: [String] = []
  private var verb: Verb?
  private var command: Command?
  private var options: [(option: Option, value: String)] = []
  private var operands: [String] = []

  /// Understands a command line.
  ///
  /// - Parameter arguments: all words after the program's name.
  /// - Throws: `Failure` with `usage`, and with the nearest command or option where one was mistyped.
  static func parse(_ arguments: [String]) throws(Failure) -> Outcome {
    var parser = Parser(arguments: arguments[...])
    return try parser.run()
  }

  private init(arguments: ArraySlice<String>) { self.arguments = arguments }

  private mutating func run() throws(Failure) -> Outcome {
    var optionsEnded = false
    while let argument = arguments.popFirst() {
      if optionsEnded || argument == "-" || !argument.hasPrefix("-") {
        if command == nil, argument == "help" { return .help(topic) }
        try take(word: argument)
      } else if argument == "--" {
        optionsEnded = true
      } else {
        let option = try take(option: argument)
        if option == .help { return .help(topic) }
        if option == .version { return .version }
      }
    }
    return .run(try finish())
  }

  /// What help is asked for: `entities put --help`, `--help entities put` and `help entities put` are one.
  private var topic: String? {
    let typed = words + arguments.prefix { !$0.hasPrefix("-") }
    guard let first = typed.first else { return nil }
    return Verb.groups.contains(first) ? typed.prefix(2).joined(separator: " ") : first
  }

  // MARK: Words

  private mutating func take(word: String) throws(Failure) {
    guard command == nil else {
      operands.append(word)
      return
    }
    words.append(word)
    let typed = words.joined(separator: " ")
    if let found = Verb(rawValue: typed) {
      verb = found
      command = found.command
    } else if words.count > 1 || !Verb.groups.contains(word) {
      throw unknown(typed)
    }
  }

  private func unknown(_ typed: String) -> Failure {
    let what = "there is no command \(Shown.quoted(typed))"
    // Of the group that was typed, since its own word is nearer to what was typed than most of its commands.
    let group = words.count > 1 ? words.first : nil
    let near = group.map { Verb.nearest(to: words[1], of: $0) } ?? Verb.nearest(to: typed)
    if let near { return .usage(what, remedy: "did you mean: restorectl \(near)?") }
    if let group { return .usage(what, remedy: "those of \(group) are listed by: restorectl \(group) --help") }
    return .usage(what, remedy: "all commands are listed by: restorectl --help")
  }

  // MARK: Options

  private mutating func take(option argument: String) throws(Failure) -> Option {
    guard argument.hasPrefix("--") else { return try take(short: argument) }
    let body = argument.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(body[..<(equals ?? body.endIndex)])
    guard let option = candidates.first(where: { $0.name == name }) else { throw unknown(option: name) }
    guard option.placeholder != nil else {
      guard equals == nil else {
        throw .usage("--\(name) takes no value", remedy: "write --\(name) alone")
      }
      options.append((option, ""))
      return option
    }
    if let equals {
      options.append((option, String(body[body.index(after: equals)...])))
    } else {
      options.append((option, try value(of: option)))
    }
    return option
  }

  private mutating func take(short argument: String) throws(Failure) -> Option {
    guard argument.count == 2, let option = candidates.first(where: { $0.short == argument.last }) else {
      throw .usage(
        "there is no option \(Shown.quoted(argument))",
        remedy: "for a word that begins with -, write -- before it; \(helpRemedy)"
      )
    }
    options.append((option, ""))
    return option
  }

  /// The options that may be meant here: those of the command, or before there is one, of any.
  private var candidates: [Option] {
    guard let command else { return Option.allCases.filter { $0 != .modelVersion } }
    return command.options + Option.common
  }

  private mutating func value(of option: Option) throws(Failure) -> String {
    // An unquoted variable that is empty must not make the next option its value.
    guard let next = arguments.first, !next.hasPrefix("--") else {
      let example = arguments.first ?? "VALUE"
      throw .usage(
        option == .modelVersion
          ? "--version takes the app's mark of its model here" : "--\(option.name) needs a value",
        remedy: option == .modelVersion
          ? "write --version=V; the version of restorectl is printed by: restorectl --version"
          : "write --\(option.name)=\(Shown.text(example))"
      )
    }
    arguments.removeFirst()
    return next
  }

  private func unknown(option name: String) -> Failure {
    let here = verb.map { " in \($0.rawValue)" } ?? ""
    let what = "there is no option --\(Shown.text(name))\(here)"
    if let near = Hint.nearest(to: name, among: candidates.lazy.map(\.name)) {
      return .usage(what, remedy: "did you mean --\(near)?")
    }
    return .usage(what, remedy: helpRemedy)
  }

  private var helpRemedy: String {
    "what there is, is listed by: restorectl \(verb.map { $0.rawValue + " " } ?? "")--help"
  }

  // MARK: The whole

  private func finish() throws(Failure) -> Invocation {
    guard let verb, let command else {
      guard let group = words.first else {
        throw .usage("no command given", remedy: "all commands are listed by: restorectl --help")
      }
      let members = Verb.members(of: group).map(\.lastWord).joined(separator: ", ")
      throw .usage("\(group) needs a second word", remedy: "one of: \(members)")
    }
    for (option, _) in options where !command.takes(option) {
      throw .usage("\(verb.rawValue) takes no option --\(option.name)", remedy: helpRemedy)
    }
    if operands.count < command.fewestOperands {
      let missing = command.operands.filter { $0.count == .one }[operands.count].name
      throw .usage("\(verb.rawValue) needs \(missing)", remedy: "as in: \(command.example)")
    }
    if let most = command.mostOperands, operands.count > most {
      let extra = operands[most]
      throw .usage(
        "\(verb.rawValue) does not take the word \(Shown.quoted(extra))",
        remedy: command.options.contains(.scene) && command.operands.isEmpty
          ? "a scene is named by: --scene \(Shown.text(extra))" : helpRemedy
      )
    }
    return Invocation(verb: verb, command: command, options: options, operands: operands)
  }
}
