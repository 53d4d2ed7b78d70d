import RestoreInterface

extension Command {
  static let status = Command(
    summary: "Tells how the daemon is, and where it listens.",
    options: [.exitCode],
    optionSummaries: [
      .exitCode: "exit 1 if the daemon is degraded"
    ],
    example: "restorectl status --exit-code",
    run: StatusCommand.run
  )
}

private enum StatusCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let answer = try session.call(GetStatus.self, GetStatus.Parameters())
    let reply = answer.reply
    if try !session.printsJSON(answer) {
      let rows = lines(reply, socket: session.socket)
      let width = rows.map(\.0.utf8.count).max() ?? 0
      for (name, value) in rows {
        let padding = String(repeating: " ", count: width - name.utf8.count)
        try session.output.line("\(session.output.style.set(name, .title))\(padding)  \(Shown.text(value))")
      }
    }
    return session.invocation.has(.exitCode) && reply.health != .ok ? .reported : .done
  }

  private static func lines(_ reply: GetStatus.Reply, socket: String) -> [(String, String)] {
    let lastSave = reply.lastSaveAt.map { time in
      let relative = Time.relative(time)
      return relative == time ? time : "\(time) (\(relative))"
    }
    var rows = [("socket", socket), ("version", reply.version), ("health", reply.health.rawValue)]
    rows += reply.problems.map { ("problem", $0) }
    rows += [
      ("uptime", Time.span(seconds: reply.uptimeSeconds)),
      ("connections", "\(reply.connections)"),
      ("scenes", "\(reply.scenes)"),
      ("entities", "\(reply.entities)"),
      ("revision", "\(reply.revision)"),
      ("last save", lastSave ?? "none"),
      ("database", ByteCount.text(reply.databaseBytes)),
      ("log", ByteCount.text(reply.walBytes)),
      ("used", ByteCount.text(reply.usedBytes) + (reply.quotaBytes.map { " of \(ByteCount.text($0))" } ?? "")),
      ("saves", "\(reply.saves)"),
      ("restores", "\(reply.restores)"),
      ("dropped routes", "\(reply.droppedRoutes)"),
    ]
    return rows
  }
}
