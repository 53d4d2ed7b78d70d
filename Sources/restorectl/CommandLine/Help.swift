/// The help texts, made from the command table.
enum Help {
  /// Help on everything (nil), on a group, or on one command.
  ///
  /// Throws usage, with the nearest one, where there is no such command.
  static func text(on topic: String?) throws(Failure) -> String {
    guard let topic else { return overview }
    if let verb = Verb(rawValue: topic) { return text(on: verb) }
    if Verb.groups.contains(topic) {
      return "Usage: restorectl \(topic) COMMAND\n\nCommands:\n" + list(Verb.members(of: topic))
        + "\nMore on one: restorectl \(topic) COMMAND --help\n"
    }
    let near = Verb.nearest(to: topic)
    throw .usage(
      "there is no command \(Shown.quoted(topic))",
      remedy: near.map { "did you mean: restorectl \($0) --help?" } ?? "all are listed by: restorectl --help"
    )
  }

  private static var overview: String {
    "Usage: restorectl COMMAND [OPTIONS]\n\n"
      + "Saves and restores the navigation state of apps' scenes, by way of the restored daemon.\n\nCommands:\n"
      + list(Verb.allCases) + "\nCommon options:\n" + list([.scene, .app] + Option.common, \.summary)
      + "\nMore on one command, with an example: restorectl COMMAND --help\n"
  }

  private static func text(on verb: Verb) -> String {
    let command = verb.command
    var text = "Usage: restorectl \(synopsis(of: verb))\n\n\(command.summary)\n"
    let own = command.options.filter { $0 != .scene && $0 != .app }
    if !own.isEmpty { text += "\nOptions:\n" + list(own, command.summary) }
    // Where --version is the command's own, the common one is not to be had.
    let common = Option.common.filter { $0 != .version || !own.contains(.modelVersion) }
    let which = command.options.filter { $0 == .scene || $0 == .app }
    text += "\nCommon options:\n" + list(which + common, command.summary)
    return text + "\nExample:\n  \(command.example)\n"
  }

  /// `save [--if-revision N] [FILE]`: the words, the options of its own, the operands.
  static func synopsis(of verb: Verb) -> String {
    let command = verb.command
    var parts = [verb.rawValue]
    for option in command.options where option != .scene && option != .app {
      parts.append(option == .null ? "[-0]" : "[\(option.spelling)]")
    }
    for operand in command.operands {
      switch operand.count {
      case .one: parts.append(operand.name)
      case .optional: parts.append("[\(operand.name)]")
      case .any: parts.append("[\(operand.name)...]")
      }
    }
    return parts.joined(separator: " ")
  }

  private static func list(_ verbs: [Verb]) -> String {
    columns(verbs.map { ($0.rawValue, $0.command.summary) })
  }

  private static func list(_ options: [Option], _ summary: (Option) -> String) -> String {
    columns(options.map { ($0.spelling, summary($0)) })
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map { $0.0.utf8.count }.max() ?? 0
    return rows.reduce(into: "") { text, row in
      text += "  \(row.0)\(String(repeating: " ", count: width - row.0.utf8.count))  \(row.1)\n"
    }
  }
}
