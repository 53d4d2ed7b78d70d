import RestoreInterface
import Testing

@Suite struct TimestampTests {
  @Test(
    "a time is spelt as RFC 3339 in UTC, and read back",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_827_696_789, "2000-02-29T12:34:56.789Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, String)]
  )
  func spelling(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp.text(milliseconds) == text)
    #expect(Timestamp.milliseconds(text) == milliseconds)
  }

  @Test("every day of four centuries is read back as it was spelt")
  func everyDay() {
    let wrong = stride(from: Int64(-73_000), through: 73_000, by: 11).first { day in
      let time = day * 86_400_000 + 12_345
      return Timestamp.milliseconds(Timestamp.text(time)) != time
    }
    #expect(wrong == nil)
  }

  @Test(
    "what is no such time is refused",
    arguments: [
      "", "2026-11-30", "2026-11-30T02:58:54Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
      "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z", "2026-01-01 00:00:00.000Z", "2026-01-01T00:00:00.000+",
    ]
  )
  func refused(_ text: String) {
    #expect(Timestamp.milliseconds(text) == nil)
  }
}
