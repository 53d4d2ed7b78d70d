import RestoreInterface
import SceneModel

extension Command {
  static let restore = Command(
    summary: "Prints a scene's state without what no longer exists; each dropped part is a line on standard error.",
    options: [.scene, .app, .revision, .launch, .stale, .expired, .state, .exitCode],
    optionSummaries: [
      .exitCode: "exit 1 if something was dropped, 2 if a launch was served an older or an empty state"
    ],
    example: "restorectl restore --scene main --stale truncate",
    run: RestoreCommand.run
  )
}

private enum RestoreCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let invocation = session.invocation
    if invocation.has(.launch), invocation.has(.revision) {
      throw .usage(
        "--launch and --revision exclude each other: a launch serves what the guard chooses",
        remedy:
          "to read one revision, leave out --launch; to launch it, first: restorectl rollback\(invocation.which.scene) --revision N"
      )
    }
    return invocation.has(.launch) ? try launch(&session) : try restore(&session)
  }

  private static func restore(_ session: inout Session) throws(Failure) -> ExitCode {
    let parameters = Restore.Parameters(
      app: session.app,
      scene: session.scene,
      revision: try session.invocation.number(.revision),
      stale: try session.invocation.stale,
      expired: session.invocation.has(.expired) ? true : nil
    )
    let file = try openFile(session)
    let answer = try session.call(Restore.self, parameters)
    try deliver(answer, state: answer.reply.state, dropped: answer.reply.dropped, to: file, in: &session)
    return exit(dropped: answer.reply.dropped, outcome: .normal, in: session)
  }

  private static func launch(_ session: inout Session) throws(Failure) -> ExitCode {
    let parameters = Launch.Parameters(
      app: session.app,
      scene: session.scene,
      stale: try session.invocation.stale,
      expired: session.invocation.has(.expired) ? true : nil
    )
    let file = try openFile(session)
    let answer = try session.call(Launch.self, parameters)
    try deliver(answer, state: answer.reply.state, dropped: answer.reply.dropped, to: file, in: &session)
    session.notes.notes(guardLines(answer.reply, in: session))
    return exit(dropped: answer.reply.dropped, outcome: answer.reply.outcome, in: session)
  }

  // MARK: What it prints

  /// The file of `--state`, opened before the call: a launch counts, so nothing foreseeable may fail after it.
  private static func openFile(_ session: borrowing Session) throws(Failure) -> AtomicFile? {
    guard let path = session.invocation.value(.state) else { return nil }
    // Standard output has the rest of the reply.
    guard path != "-", !path.isEmpty else {
      throw .usage("--state takes a file's name", remedy: "for the state on standard output, leave out --state")
    }
    return try AtomicFile(path: path)
  }

  private static func deliver<M>(
    _ answer: Answer<M>,
    state: JSONObjectText,
    dropped: [Dropped],
    to file: consuming AtomicFile?,
    in session: inout Session
  ) throws(Failure) {
    guard var file else {
      return try StateOutput.print(answer, state: state, dropped: dropped, in: &session)
    }
    try file.append(Array(state.bytes))
    try file.commit()
    try session.output.jsonLine(StateOutput.rest(of: answer.parameters))
    try session.output.flush()
    StateOutput.note(dropped, in: session)
  }

  private static func guardLines(_ reply: Launch.Reply, in session: borrowing Session) -> [String] {
    guard reply.outcome != .normal else { return [] }
    let quarantined = reply.quarantined.map(String.init).joined(separator: ", ")
    let noun = reply.quarantined.count == 1 ? "revision" : "revisions"
    let served =
      reply.outcome == .empty ? "an empty state was served" : "the older revision \(reply.revision) was served"
    // Named whatever the environment said: the lines may be read in a log.
    let scene = " --app \(Shown.word(session.app)) --scene \(Shown.word(session.scene))"
    let whole = session.invocation.which.daemon + scene
    let newest = reply.quarantined.max() ?? reply.newest
    return [
      "\(served): launches without confirm have quarantined \(noun) \(quarantined)",
      "to read one: restorectl restore\(whole) --revision \(newest)",
      "to launch it again: restorectl rollback\(whole) --revision \(newest)",
    ]
  }

  private static func exit(dropped: [Dropped], outcome: GuardOutcome, in session: borrowing Session) -> ExitCode {
    guard session.invocation.has(.exitCode) else { return .done }
    if outcome != .normal { return .guarded }
    return dropped.isEmpty ? .done : .reported
  }
}
