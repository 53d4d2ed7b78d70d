/// Times as the wire spells them: RFC 3339 in UTC with milliseconds, `2026-11-30T02:58:54.123Z`.
package enum Timestamp {
  private static let millisecondsPerDay: Int64 = 86_400_000

  /// Spells a time.
  ///
  /// - Parameter milliseconds: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  package static func text(_ milliseconds: Int64) -> String {
    let day = floorDivide(milliseconds, millisecondsPerDay)
    let rest = milliseconds - day * millisecondsPerDay
    let (year, month, dayOfMonth) = civil(day)
    return String(unsafeUninitializedCapacity: template.utf8CodeUnitCount) { buffer in
      let blank = UnsafeBufferPointer(start: template.utf8Start, count: template.utf8CodeUnitCount)
      _ = buffer.initialize(fromContentsOf: blank)
      write(year, before: 4, width: 4, to: buffer)
      write(month, before: 7, width: 2, to: buffer)
      write(dayOfMonth, before: 10, width: 2, to: buffer)
      write(rest / 3_600_000, before: 13, width: 2, to: buffer)
      write(rest / 60_000 % 60, before: 16, width: 2, to: buffer)
      write(rest / 1_000 % 60, before: 19, width: 2, to: buffer)
      write(rest % 1_000, before: 23, width: 3, to: buffer)
      return blank.count
    }
  }

  private static let template: StaticString = "0000-00-00T00:00:00.000Z"

  @inline(__always)
  private static func write(_ value: Int64, before end: Int, width: Int, to buffer: UnsafeMutableBufferPointer<UInt8>) {
    var rest = value
    for step in 1...width {
      buffer[end - step] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Reads a time that `text` spelt; milliseconds since 1970, or nil where the text is none.
  package static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[23] == UInt8(ascii: "Z") else { return nil }
    for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, ".")] {
      guard bytes[place] == mark.utf8.first else { return nil }
    }
    let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19, 20..<23].map { number(bytes[$0]) }
    guard let year = numbers[0], let month = numbers[1], let day = numbers[2], let hour = numbers[3],
      let minute = numbers[4], let second = numbers[5], let millisecond = numbers[6],
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    return ((days(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + millisecond
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int64(digit - 0x30)
    }
    return value
  }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((b - 1 - a) / b) }

  /// The Gregorian date of a day counted from 1970-01-01: years begin in March, so that leap days come last.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let calendarMonth = month < 10 ? month + 3 : month - 9
    return (
      yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
