import RestoreInterface

extension Command {
  static let history = Command(
    summary: "Lists a scene's revisions, newest first.",
    options: [.scene, .app],
    example: "restorectl history --scene main",
    run: HistoryCommand.run
  )
}

private enum HistoryCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(
      ListRevisions.self,
      ListRevisions.Parameters(app: session.app, scene: session.scene)
    )
    if try session.printsJSON(answer) { return .done }
    let revisions = answer.reply.revisions
    try session.output.table(table(revisions))
    try session.output.flush()
    guard session.output.isTerminal, let newest = revisions.first else { return .done }
    let which = session.invocation.which.scene
    let other = (revisions.first { $0.quarantined } ?? revisions.dropFirst().first ?? newest).revision
    session.notes.notes([
      "look at one with: restorectl show\(which) --revision \(other)",
      "save one again as the newest with: restorectl rollback\(which) --revision \(other)",
    ])
    return .done
  }

  private static func table(_ revisions: [RevisionEntry]) -> Table {
    var table = Table([
      .right("REVISION"), .left("SAVED"), .right("SIZE", leaves: 3), .right("ROUTES", leaves: 2),
      .left("TAB", .cuts, leaves: 1), .left("MARKS", .wraps),
    ])
    let now = Time.now
    for (place, revision) in revisions.enumerated() {
      table.add([
        Phrase("\(revision.revision)"), Phrase(Shown.text(Time.relative(revision.savedAt, now: now))),
        Phrase(ByteCount.text(revision.size)), Phrase("\(revision.routes)"),
        Phrase(Shown.text(revision.selectedTab ?? "-")), marks(of: revision, isNewest: place == 0),
      ])
    }
    return table
  }

  private static func marks(of revision: RevisionEntry, isNewest: Bool) -> Phrase {
    var marks: [(String, Tone)] = isNewest ? [("newest", .plain)] : []
    if revision.confirmed { marks.append(("confirmed", .plain)) }
    if revision.quarantined { marks.append(("quarantined", .bad)) }
    var phrase = Phrase("")
    for (place, mark) in marks.enumerated() {
      phrase.append(mark.0, mark.1)
      if place < marks.count - 1 { phrase.append(", ") }
    }
    return phrase
  }
}
