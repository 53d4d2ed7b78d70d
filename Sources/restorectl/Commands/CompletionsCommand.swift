extension Command {
  static let completions = Command(
    summary: "Prints what makes bash, zsh or fish complete restorectl's command lines.",
    operands: [.one("bash|zsh|fish")],
    example: "source <(restorectl completions bash)",
    run: CompletionsCommand.run
  )
}

private enum CompletionsCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let shell = session.operand(0) ?? ""
    guard let script = Completions.script(for: shell) else {
      // All three end alike, so that a guess would be as good as none.
      throw .usage(
        "there are no completions for \(Shown.quoted(shell))",
        remedy: "there are some for: \(Completions.shells.joined(separator: ", "))"
      )
    }
    try session.output.text(script)
    return .done
  }
}
