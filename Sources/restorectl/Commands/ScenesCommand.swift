import RestoreInterface

extension Command {
  static let scenes = Command(
    summary: "Lists the app's scenes, last saved first.",
    options: [.app, .allApps, .closed],
    example: "restorectl scenes --all-apps",
    run: ScenesCommand.run
  )
}

private enum ScenesCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let all = session.invocation.has(.allApps)
    let closed = session.invocation.has(.closed)
    if all, session.invocation.has(.app) {
      throw .usage("--all-apps and --app exclude each other", remedy: "leave one of them out")
    }
    let answer = try session.call(
      ListScenes.self,
      ListScenes.Parameters(app: all ? nil : session.app, closed: closed ? true : nil)
    )
    if try session.printsJSON(answer) { return .done }
    let scenes = answer.reply.scenes
    guard !scenes.isEmpty else {
      let whose = all ? "" : " of app \(Shown.quoted(session.app))"
      session.notes.note("no \(closed ? "closed" : "open") scene\(whose) at \(Shown.text(session.socket))")
      return .done
    }
    try session.output.table(table(scenes, showsApps: all, closed: closed))
    try session.output.flush()
    if closed, session.output.isTerminal {
      let which = session.invocation.which
      session.notes.note("reopen one with: restorectl reopen\(all ? which.daemon + " --app ID" : which.app) --scene ID")
    }
    return .done
  }

  private static func table(_ scenes: [SceneEntry], showsApps: Bool, closed: Bool) -> Table {
    // Launches that wait for a confirm are worth a column only where there are any.
    let showsLaunches = scenes.contains { $0.unconfirmedLaunches > 0 }
    var columns: [Table.Column] = showsApps ? [.left("APP", .cuts)] : []
    columns += [.left("SCENE", .cuts), .right("REVISION", leaves: 1)]
    // Of a closed scene, the time that matters is when it was closed.
    columns.append(.left("SAVED", leaves: closed ? 2 : nil))
    if closed { columns.append(.left("CLOSED")) }
    columns += [.right("SIZE", leaves: 5), .right("ROUTES", leaves: 4), .left("TAB", .cuts, leaves: 3)]
    if showsLaunches { columns.append(.right("UNCONFIRMED", leaves: 2)) }
    var table = Table(columns)
    let now = Time.now
    for scene in scenes {
      var row = showsApps ? [scene.app] : []
      row += [scene.scene, "\(scene.revision)", Time.relative(scene.savedAt, now: now)]
      if closed { row.append(scene.closedAt.map { Time.relative($0, now: now) } ?? "") }
      row += [ByteCount.text(scene.size), "\(scene.routes)", scene.selectedTab ?? "-"]
      if showsLaunches { row.append(scene.unconfirmedLaunches > 0 ? "\(scene.unconfirmedLaunches)" : "-") }
      table.add(row)
    }
    return table
  }
}
