import RestoreInterface

extension Command {
  static let watch = Command(
    summary: "Prints changes as they happen: of all apps, of --app, or of --scene.",
    options: [.scene, .app, .after],
    example: "restorectl watch --app notes --after 120",
    run: WatchCommand.run
  )
}

private enum WatchCommand {
  static func run(_ session: inout Session) throws(Failure) -> ExitCode {
    let scene = session.invocation.value(.scene)
    // A scene is one of an app's, so naming one means the usual app where none is named.
    let app = session.invocation.value(.app) ?? (scene == nil ? nil : session.app)
    let parameters = Watch.Parameters(app: app, scene: scene, after: try session.invocation.number(.after))
    try session.send(Watch.self, parameters, more: true)
    var answer = try session.receive(Watch.self)
    while true {
      if try !session.printsJSON(answer) { try session.output.line(line(answer.reply.event)) }
      try session.output.flush()
      guard answer.continues else { return .done }
      answer = try session.receive(Watch.self, forever: true)
    }
  }

  private static func line(_ event: WatchEvent) -> String {
    var parts = [event.time, event.type.rawValue, "revision \(event.revision)"]
    if let app = event.app { parts.append("app \(app)") }
    if let scene = event.scene { parts.append("scene \(scene)") }
    if let kind = event.kind { parts.append("kind \(kind)") }
    return Shown.text(parts.joined(separator: "  "))
  }
}
