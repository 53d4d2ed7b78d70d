import RestoreInterface

extension Command {
  static let rollback = Command(
    summary: "Saves an earlier revision again as the newest: revision N, else the one before the newest.",
    options: [.scene, .app, .revision],
    optionSummaries: [
      .revision: "revision N, not the one before the newest"
    ],
    example: "restorectl rollback --scene main --revision 41",
    run: RollbackCommand.run
  )
}

private enum RollbackCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let revisions = try session.call(
      ListRevisions.self,
      ListRevisions.Parameters(app: session.app, scene: session.scene)
    ).reply.revisions
    let named = try session.invocation.number(.revision)
    let target = if let named { named } else { try theOneBefore(revisions, session) }
    let answer = try session.call(
      Rollback.self,
      Rollback.Parameters(app: session.app, scene: session.scene, revision: target)
    )
    try session.report(answer, "revision \(answer.reply.revision)")
    try session.output.flush()
    if let newest = revisions.first {
      session.notes.note(words(from: newest, to: target, answer.reply.revision, revisions))
    }
    return .done
  }

  private static func words(
    from newest: RevisionEntry,
    to target: Int,
    _ now: Int,
    _ revisions: [RevisionEntry]
  ) -> String {
    let entry = revisions.first { $0.revision == target }
    let saved = entry.map { ", saved \(Shown.text(Time.relative($0.savedAt)))" } ?? ""
    // Whoever goes back to one that the guard had set aside should know it.
    let wasQuarantined = entry?.quarantined == true ? "; it was quarantined, and is no more" : ""
    if now == newest.revision {
      return "nothing to roll back: revision \(now), the newest, has that state already" + wasQuarantined
    }
    return "rolled back from revision \(newest.revision) to revision \(target)\(saved), which is revision \(now) now"
      + wasQuarantined
  }

  private static func theOneBefore(
    _ revisions: [RevisionEntry],
    _ session: borrowing Session
  ) throws(Failure) -> Int {
    guard revisions.count > 1 else {
      throw Failure(
        .absent,
        "scene \(Shown.quoted(session.scene)) has no revision before its newest (at \(Shown.text(session.socket)))",
        remedy: "what there is, is listed by: restorectl history\(session.invocation.which.scene)"
      )
    }
    return revisions[1].revision
  }
}
