/// What a command is: its words, what it takes, what it says about itself, and what it does.
struct Command: Sendable {
  /// What stands on the command line beside options.
  struct Operand: Sendable {
    enum Count: Sendable { case one, optional, any }
    let name: String
    let count: Count

    static func one(_ name: String) -> Operand { Operand(name: name, count: .one) }
    static func optional(_ name: String) -> Operand { Operand(name: name, count: .optional) }
    static func any(_ name: String) -> Operand { Operand(name: name, count: .any) }
  }

  /// One sentence.
  let summary: String
  /// Options beyond those that every command takes.
  var options: [Option] = []
  /// What an option does on this command, where `Option.summary` does not say it.
  var optionSummaries: [Option: String] = [:]
  var operands: [Operand] = []
  /// A command line to try.
  let example: String
  /// Does it, and answers with the exit code.
  let run: @Sendable (inout Session) throws(Failure) -> ExitCode

  /// Whether it may stand on this command.
  func takes(_ option: Option) -> Bool { options.contains(option) || Option.common.contains(option) }

  /// One line of help about an option.
  func summary(of option: Option) -> String { optionSummaries[option] ?? option.summary }

  /// The fewest operands that it can do with.
  var fewestOperands: Int { operands.count { $0.count == .one } }

  /// The most operands that it takes; nil: any number.
  var mostOperands: Int? { operands.contains { $0.count == .any } ? nil : operands.count }
}
