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
    try session.output.text(table(scenes, showsApps: all, closed: closed).text(style: session.output.style))
    return .done
  }

  private static func table(_ scenes: [SceneEntry], showsApps: Bool, closed: Bool) -> Table {
    var columns: [(String, Table.Alignment)] = showsApps ? [("APP", .left)] : []
    columns += [("SCENE", .left), ("REVISION", .right), ("SAVED", .left)]
    if closed { columns.append(("CLOSED", .left)) }
    columns += [("SIZE", .right), ("ROUTES", .right), ("TAB", .left), ("UNCONFIRMED", .right)]
    var table = Table(columns)
    let now = Time.now
    for scene in scenes {
      var row = showsApps ? [scene.app] : []
      row += [scene.scene, "\(scene.revision)", Time.relative(scene.savedAt, now: now)]
      if closed { row.append(scene.closedAt.map { Time.relative($0, now: now) } ?? "") }
      row += [ByteCount.text(scene.size), "\(scene.routes)", scene.selectedTab ?? "-", "\(scene.unconfirmedLaunches)"]
      table.add(row)
    }
    return table
  }
}
