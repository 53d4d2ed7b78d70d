import Foundation
import Testing

@testable import restorectl

@Suite struct TimeTests {
  @Test(
    "a time of the interface is read as Foundation reads it",
    arguments: [
      "1970-01-01T00:00:00.000Z", "2000-02-29T23:59:59.999Z", "2026-11-30T03:07:12.123Z", "2100-03-01T00:00:00.001Z",
    ]
  )
  func milliseconds(_ text: String) throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = try #require(formatter.date(from: text))
    #expect(Time.milliseconds(text) == Int((date.timeIntervalSince1970 * 1000).rounded()))
  }

  @Test(
    "what is no time is shown as it stands",
    arguments: ["", "now", "2026-13-01T00:00:00Z", "2026-11-30 03:07:12Z!"]
  )
  func noTime(_ text: String) {
    #expect(Time.milliseconds(text) == nil)
    #expect(Time.relative(text) == text)
  }

  @Test(
    "a time is seen from now, and the date once it is a week old",
    arguments: [
      (0, "now"), (59, "59 s ago"), (60, "1 min ago"), (3600, "1 h ago"), (86_400, "1 day ago"),
      (172_800, "2 days ago"),
      (604_800, "2026-11-30"), (-3600, "2026-11-30T00:00:00.000Z"),
    ]
  )
  func relative(_ seconds: Int, _ shown: String) throws {
    let text = "2026-11-30T00:00:00.000Z"
    let then = try #require(Time.milliseconds(text))
    #expect(Time.relative(text, now: then + seconds * 1000) == shown)
  }

  @Test(
    "bytes are counted in the largest fitting unit",
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_048_576, "1.0 MiB"), (7_340_032, "7.0 MiB"),
      (1_099_511_627_776, "1.0 TiB"),
    ]
  )
  func bytes(_ count: Int, _ shown: String) {
    #expect(ByteCount.text(count) == shown)
  }
}
