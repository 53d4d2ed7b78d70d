import JSONText
import RestoreInterface

extension Command {
  static let importRecords = Command(
    summary: "Takes JSON Lines that export wrote: of all apps, or only of --app.",
    options: [.app, .replace],
    optionSummaries: [
      .app: "only this app (else all, whatever $RESTORECTL_APP says)"
    ],
    operands: [.optional("FILE")],
    example: "restorectl import --replace backup.jsonl",
    run: ImportCommand.run
  )
}

private enum ImportCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let input = try Input(path: session.operand(0))
    if input.isTerminal { session.notes.note("reading records from the terminal; Ctrl-D ends the input") }
    var batches = RecordBatches(input, app: session.invocation.value(.app))
    var imported = 0
    while true {
      let batch: RecordBatches.Batch?
      do { batch = try batches.next() } catch { throw failure(error, reading: batches, in: session) }
      guard let batch else { break }
      imported += try send(batch, imported: imported, of: batches.name, in: &session)
    }
    session.notes.progressEnded()
    try session.report(ImportRecords.Reply(imported: imported).encoded, "imported \(imported)")
    return .done
  }

  private static func send(
    _ batch: RecordBatches.Batch,
    imported: Int,
    of name: String,
    in session: inout Session
  ) throws(Failure) -> Int {
    let replace = session.invocation.has(.replace)
    do {
      let answer = try session.call(
        ImportRecords.self,
        ImportRecords.Parameters(records: batch.records, replace: replace ? true : nil)
      )
      session.notes.progress(Count.text(imported + answer.reply.imported, "record"))
      return answer.reply.imported
    } catch {
      session.notes.progressEnded()
      throw failure(error, batch, of: name, in: session)
    }
  }

  // MARK: What went wrong, where, and how to go on

  /// A line that cannot be read.
  private static func failure(
    _ error: Failure,
    reading batches: borrowing RecordBatches,
    in session: borrowing Session
  ) -> Failure {
    session.notes.progressEnded()
    let from = batches.firstPendingLine
    return Failure(error.exit, error.what, remedy: "\(before(from)); correct it, and \(goOn(from, session))")
  }

  /// A call that the daemon refused, or of which nothing is known.
  private static func failure(
    _ error: Failure,
    _ batch: RecordBatches.Batch,
    of name: String,
    in session: borrowing Session
  ) -> Failure {
    guard let from = batch.lines.first, let to = batch.lines.last else { return error }
    let before = before(from)
    let goOn = goOn(from, session)
    if let (index, reason) = invalidRecord(error), batch.lines.indices.contains(index) {
      let replaces = !session.invocation.has(.replace) && batch.beginsScene(index)
      return Failure(
        error.exit,
        "\(name): line \(batch.lines[index]): \(Shown.text(reason))",
        remedy: "\(before); correct it" + (replaces ? ", or add --replace for scenes that are there already" : "")
          + ", and \(goOn)",
        json: error.json
      )
    }
    let lines = from == to ? "line \(from)" : "lines \(from) to \(to)"
    let isUnknown = error.exit == .noDaemon || error.exit == .again || error.exit == .brokenReply
    return Failure(
      error.exit,
      "\(error.what) (\(lines) of \(name))",
      remedy: isUnknown
        ? "\(error.remedy); whether \(lines) were imported is unknown: look, and \(goOn)"
        : "\(error.remedy); \(before): \(goOn)",
      json: error.json
    )
  }

  /// The index and the reason of the daemon's `InvalidRecord`; nil: it is another error.
  private static func invalidRecord(_ error: Failure) -> (index: Int, reason: String)? {
    guard let json = error.json, var fields = try? FieldReader(json[...]), let name = try? fields.string("error"),
      let parameters = try? fields.object("parameters"),
      case .invalidRecord(let index, let reason) = InterfaceError(name: name, parameters: parameters.bytes)
    else { return nil }
    return (index, reason)
  }

  private static func before(_ line: Int) -> String {
    line > 1 ? "the lines before \(line) were imported, none from there on" : "nothing was imported"
  }

  /// The command line that imports from a line on.
  private static func goOn(_ line: Int, _ session: borrowing Session) -> String {
    "go on with: \(command(from: line, session))"
  }

  private static func command(from line: Int, _ session: borrowing Session) -> String {
    var words = ["restorectl", "import" + session.invocation.which.daemon]
    if session.invocation.has(.replace) { words.append("--replace") }
    if let app = session.invocation.value(.app) { words += ["--app", Shown.word(app)] }
    let file = session.operand(0).flatMap { $0 == "-" ? nil : $0 }
    if line == 1 { return (words + (file.map { [Shown.word($0)] } ?? [])).joined(separator: " ") }
    return "tail -n +\(line) \(file.map(Shown.word) ?? "INPUT") | " + words.joined(separator: " ")
  }
}
