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
      let near = Hint.nearest(to: shell, among: Completions.shells)
      throw .usage(
        "there are no completions for \(Shown.quoted(shell))",
        remedy: near.map { "did you mean \($0)?" } ?? "there are some for: bash, zsh, fish"
      )
    }
    try session.output.text(script)
    return .done
  }
}
