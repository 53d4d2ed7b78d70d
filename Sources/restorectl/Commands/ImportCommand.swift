import JSONText
import RestoreInterface

extension Command {
  static let importRecords = Command(
    summary: "Takes JSON Lines that export wrote: of all apps, or only of --app.",
    options: [.app, .replace],
    operands: [.optional("FILE")],
    example: "restorectl import --replace backup.jsonl",
    run: ImportCommand.run
  )
}

private enum ImportCommand {
  /// Bytes of one call.
  ///
  /// What fits in one is taken whole or not at all.
  private static let maximumBytes = 8 * 1024 * 1024
  /// A record holds at most one state or one portion of ids.
  private static let longestLine = 4 * 1024 * 1024

  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let input = try Input(path: session.operand(0))
    if input.isTerminal { session.notes.note("reading records from the terminal; Ctrl-D ends the input") }
    var lines = LineReader(input, longest: longestLine)
    let app = session.invocation.value(.app)
    var pending: [(line: Int, record: JSONObjectText)] = []
    var bytes = 0
    var imported = 0
    while case .line(let line) = try lines.next() {
      guard let record = try record(line, app: app, lines) else { continue }
      if bytes + line.count > maximumBytes {
        imported += try send(pending, imported: imported, in: &session)
        pending = []
        bytes = 0
      }
      pending.append((lines.number, record))
      bytes += line.count
    }
    imported += try send(pending, imported: imported, in: &session)
    session.notes.progressEnded()
    try session.report(ImportRecords.Reply(imported: imported).encoded, "imported \(imported)")
    return .done
  }

  /// The record of a line; nil: it is of another app.
  private static func record(
    _ line: [UInt8],
    app: String?,
    _ lines: borrowing LineReader
  ) throws(Failure) -> JSONObjectText? {
    let document: JSONDocument
    do {
      document = try JSONDocument(line, maximumDepth: Daemon.deepestReply)
    } catch {
      throw lines.fault(
        "column \(TextPosition(offset: error.offset, in: line).column): \(error.sentence)",
        line: lines.number
      )
    }
    guard document.kind(document.root) == .object else { throw lines.fault("is no JSON object", line: lines.number) }
    if let app, document.member(document.root, "app").map(document.string) != app { return nil }
    return JSONObjectText(document.text(document.root))
  }

  private static func send(
    _ pending: [(line: Int, record: JSONObjectText)],
    imported: Int,
    in session: inout Session
  ) throws(Failure) -> Int {
    let replace = session.invocation.has(.replace)
    do {
      let answer = try session.call(
        ImportRecords.self,
        ImportRecords.Parameters(records: pending.map(\.record), replace: replace ? true : nil)
      )
      session.notes.progress(Count.text(imported + answer.reply.imported, "record"))
      return answer.reply.imported
    } catch {
      guard let first = pending.first, let last = pending.last else { throw error }
      let stays = imported > 0 ? "; \(imported) records before them were taken and stay" : ""
      throw Failure(
        error.exit,
        "\(error.what) (lines \(first.line) to \(last.line))\(stays)",
        remedy: error.remedy,
        json: error.json
      )
    }
  }
}
