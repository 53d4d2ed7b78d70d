import RestoreInterface

extension Command {
  static let entitiesPut = Command(
    summary: "Adds entities, ids as arguments or one a line on standard input, and declares the kind.",
    options: [.app, .null],
    operands: [.one("KIND"), .any("ID")],
    example: "restorectl entities put card c1 c2 c3",
    run: EntitiesPutCommand.run
  )
}

private enum EntitiesPutCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let app = session.app
    let kind = session.operand(0) ?? ""
    var batches = try session.idsFromArgumentsOrInput()
    var calls = EntityCalls(PutEntities.self) {
      PutEntities.Parameters(app: app, kind: kind, ids: $0)
    } counted: {
      $0.added
    }
    try calls.sendAll(&batches, in: &session)
    try session.report(PutEntities.Reply(added: calls.total).encoded, "added \(calls.total)")
    return .done
  }
}

extension Session {
  /// The ids after KIND, or where there are none, those on standard input.
  func idsFromArgumentsOrInput() throws(Failure) -> IDBatches {
    let arguments = invocation.operands.dropFirst()
    return arguments.isEmpty ? IDBatches(try Input(path: nil), of: self) : IDBatches(arguments: arguments)
  }

  /// Prints what several calls came to together, as JSON or in words; with `--quiet`, only as JSON.
  mutating func report(_ parameters: [UInt8], _ words: String) throws(Failure) {
    if wantsJSON { return try output.jsonLine(parameters) }
    if !invocation.has(.quiet) { try output.line(words) }
  }
}

extension EntityCalls {
  /// Sends all ids and waits for the replies.
  ///
  /// Without ids there is one call, with none.
  ///
  /// Each call takes effect by itself: on a failure, what earlier ones did stays, and the failure says so.
  mutating func sendAll(_ batches: inout IDBatches, in session: inout Session) throws(Failure) {
    do {
      var isFirst = true
      while case .batch(let batch) = try batches.next() {
        try send(batch, in: &session)
        isFirst = false
      }
      if isFirst { try send(IDBatches.Batch(), in: &session) }
      try finish(in: &session)
    } catch {
      throw Failure(
        error.exit,
        answers > 0 ? "\(error.what); \(answers) earlier calls were done and stay" : error.what,
        // Others were sent before its answer came.
        remedy: error.exit == .input && calls > answers + 1
          ? "mend it and give all ids again: calls that were sent beside it may be done, and that does no harm"
          : error.remedy,
        json: error.json
      )
    }
  }
}
