import RestoreInterface

extension Command {
  static let watch = Command(
    summary: "Prints changes as they happen: of all apps, of --app, or of --scene.",
    options: [.scene, .app, .after],
    optionSummaries: [
      .scene: "only this scene, and its app's entities and routes (else all)",
      .app: "only this app (else all; with --scene $RESTORECTL_APP, else default)",
    ],
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
    let isTerminal = session.output.isTerminal
    while true {
      if try !session.printsJSON(answer) {
        let event = answer.reply.event
        let line = isTerminal ? EventLine.forReading(event).text(session.output.style) : EventLine.plain(event)
        try session.output.line(line)
      }
      try session.output.flush()
      guard answer.continues else { return .done }
      answer = try session.receive(Watch.self, forever: true)
    }
  }
}

/// One event in a line.
enum EventLine {
  /// For scripts: the time as the interface spells it, the type, and the names, two spaces between them.
  static func plain(_ event: WatchEvent) -> String {
    var parts = [event.time, event.type.rawValue, "revision \(event.revision)"]
    if let app = event.app { parts.append("app \(app)") }
    if let scene = event.scene { parts.append("scene \(scene)") }
    if let kind = event.kind { parts.append("kind \(kind)") }
    return Shown.text(parts.joined(separator: "  "))
  }

  /// For people: the local time, what happened in aligned columns, and what to do where something was missed.
  static func forReading(_ event: WatchEvent, now: Int = Time.now) -> Phrase {
    let time = Time.local(event.time, now: now)
    let tone: Tone = event.type == .gap || event.type == .forgotten ? .doubtful : .plain
    let word = words(event.type)
    var phrase = Phrase(Shown.text(time) + "  ").adding(word, tone)
    let names = [event.scene.map { "scene \($0)" }, event.kind.map { "kind \($0)" }, event.app.map { "app \($0)" }]
    let padding = String(repeating: " ", count: max(0, longestWord - word.utf8.count))
    let revision = "revision \(event.revision)"
    phrase.append(padding + "  " + ([revision] + names.compactMap { $0 }.map(Shown.text)).joined(separator: "  "))
    if event.type == .gap { phrase.append("  changes were missed; read again what matters", .doubtful) }
    return phrase
  }

  private static func words(_ type: WatchEventType) -> String {
    switch type {
    case .entitiesChanged: "entities changed"
    case .routesChanged: "routes changed"
    default: type.rawValue
    }
  }

  private static let longestWord = 16
}
