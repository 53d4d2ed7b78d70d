import RestoreInterface
import Testing

@testable import restorectl

@Suite struct EventLineTests {
  private static let event = WatchEvent(
    type: .saved,
    revision: 12,
    time: "2026-01-01T00:00:00.000Z",
    app: "notes",
    scene: "m\u{1B}[2J"
  )

  @Test("for scripts, the time as it came, the type and the names")
  func plain() {
    #expect(
      EventLine.plain(Self.event) == #"2026-01-01T00:00:00.000Z  saved  revision 12  app notes  scene m\u001b[2J"#
    )
  }

  @Test("for people, what happened in aligned columns, and no control character raw")
  func forReading() {
    var gap = Self.event
    gap.type = .gap
    gap.scene = nil
    gap.app = nil
    var kind = gap
    kind.type = .entitiesChanged
    kind.kind = "card"
    kind.app = "notes"
    // A time that is none shows as it stands, so the test knows it wherever it runs.
    let lines = [Self.event, gap, kind].map { event in
      var event = event
      event.time = "T\u{7}"
      return EventLine.forReading(event).text(Style(isColoured: false))
    }
    #expect(
      lines == [
        #"T\u0007  saved             revision 12  scene m\u001b[2J  app notes"#,
        #"T\u0007  gap               revision 12  changes were missed; read again what matters"#,
        #"T\u0007  entities changed  revision 12  kind card  app notes"#,
      ]
    )
  }

  @Test("the local time of day, and the date where it is another day's")
  func local() {
    let day = 86_400_000
    // Noon in UTC is the same day from UTC-11 to UTC+11.
    let noon = Time.milliseconds("2026-03-04T12:00:00.000Z")!
    #expect(Time.local("2026-03-04T12:00:00.000Z", now: noon).utf8.count == "12:00:00".utf8.count)
    #expect(Time.local("2026-03-04T12:00:00.000Z", now: noon + 2 * day).hasPrefix("2026-03-0"))
    #expect(Time.local("?") == "?")
  }
}
