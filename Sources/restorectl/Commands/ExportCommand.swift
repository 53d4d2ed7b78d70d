import RestoreInterface

extension Command {
  static let export = Command(
    summary: "Writes scenes, entities and route tables as JSON Lines: of all apps, or of --app.",
    options: [.app],
    optionSummaries: [
      .app: "only this app (else all, whatever $RESTORECTL_APP says)"
    ],
    operands: [.optional("FILE")],
    example: "restorectl export backup.jsonl",
    run: ExportCommand.run
  )
}

private enum ExportCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    // Not $RESTORECTL_APP: a backup of all must not turn into one of a part by a variable.
    let parameters = ExportRecords.Parameters(app: session.invocation.value(.app))
    let path = session.operand(0).flatMap { $0 == "-" ? nil : $0 }
    var file: AtomicFile? = nil
    if let path { file = try AtomicFile(path: path) }
    try session.send(ExportRecords.self, parameters, more: true)
    var count = 0
    while true {
      let answer = try session.receive(ExportRecords.self)
      count += answer.reply.records.count
      if file != nil {
        try file!.append(answer.reply.records.flatMap { JSONLine.of($0.bytes) + [UInt8(ascii: "\n")] })
      } else if try !session.printsJSON(answer) {
        for record in answer.reply.records { try session.output.jsonLine(record.bytes) }
      }
      session.notes.progress(Count.text(count, "record"))
      guard answer.continues else { break }
    }
    session.notes.progressEnded()
    if file != nil { try file!.commit() }
    noteProblems(&session)
    return .done
  }

  /// Passes on what the daemon says is wrong with it: what is damaged in its database was left out.
  private static func noteProblems(_ session: inout Session) {
    guard let status = try? session.call(GetStatus.self, GetStatus.Parameters()).reply else { return }
    session.notes.notes(status.problems.map(Shown.text))
  }
}
