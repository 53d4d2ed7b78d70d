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
    var table = Table([
      ("REVISION", .right), ("SAVED", .left), ("SIZE", .right), ("ROUTES", .right), ("TAB", .left), ("MARKS", .left),
    ])
    let now = Time.now
    for revision in answer.reply.revisions {
      let marks = [revision.confirmed ? "confirmed" : nil, revision.quarantined ? "quarantined" : nil]
      table.add([
        "\(revision.revision)", Time.relative(revision.savedAt, now: now), ByteCount.text(revision.size),
        "\(revision.routes)", revision.selectedTab ?? "-", marks.compactMap { $0 }.joined(separator: ", "),
      ])
    }
    try session.output.text(table.text(style: session.output.style))
    return .done
  }
}
