import RestoreInterface

extension Command {
  static let rollback = Command(
    summary: "Saves an earlier revision again as the newest: revision N, else the one before the newest.",
    options: [.scene, .app, .revision],
    example: "restorectl rollback --scene main --revision 41",
    run: RollbackCommand.run
  )
}

private enum RollbackCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    var revision = try session.invocation.number(.revision)
    if revision == nil { revision = try theOneBefore(&session) }
    let answer = try session.call(
      Rollback.self,
      Rollback.Parameters(app: session.app, scene: session.scene, revision: revision ?? 0)
    )
    try session.report(answer, "revision \(answer.reply.revision)")
    return .done
  }

  private static func theOneBefore(_ session: inout Session) throws(Failure) -> Int {
    let revisions = try session.call(
      ListRevisions.self,
      ListRevisions.Parameters(app: session.app, scene: session.scene)
    ).reply.revisions
    guard revisions.count > 1 else {
      throw Failure(
        .absent,
        "scene \(Shown.quoted(session.scene)) has no revision before its newest (at \(Shown.text(session.socket)))",
        remedy: "what there is, is listed by: restorectl history --scene \(Shown.text(session.scene))"
      )
    }
    return revisions[1].revision
  }
}
