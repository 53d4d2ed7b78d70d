import Glibc

/// Times as people read them.
enum Time {
  /// Milliseconds since 1970 of an RFC 3339 time in UTC, as the interface spells it; nil: it is none.
  static func milliseconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    // 2026-11-30T03:07:12.123Z, with or without the fraction.
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(0 as Int?) { sum, byte in
        guard let sum, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        return sum * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), (1...12).contains(month),
      (1...31).contains(day), let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
    else { return nil }
    var fraction = 0
    if bytes.count > 21 {
      let digits = min(3, bytes.count - 21)
      guard bytes[19] == UInt8(ascii: "."), let value = number(20..<(20 + digits)) else { return nil }
      fraction = value * [100, 10, 1][digits - 1]
    }
    return ((days(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
  }

  /// The time seen from now: `12 s ago`, and the date once it is a week old.
  ///
  /// What is no time, or lies ahead by more
  /// than a clock's slack, is shown as it stands.
  static func relative(_ text: String, now: Int = Time.now) -> String {
    guard let then = milliseconds(text) else { return text }
    let seconds = (now - then) / 1000
    switch seconds {
    case -5..<2: return "now"
    case 2..<60: return "\(seconds) s ago"
    case 60..<3600: return "\(seconds / 60) min ago"
    case 3600..<86_400: return "\(seconds / 3600) h ago"
    case 86_400..<172_800: return "1 day ago"
    case 172_800..<604_800: return "\(seconds / 86_400) days ago"
    case 604_800...: return String(text.prefix(10))
    default: return text
    }
  }

  /// The local time of day, `14:03:22`, with the date before it unless that is today's.
  static func local(_ text: String, now: Int = Time.now) -> String {
    guard let then = milliseconds(text) else { return text }
    let (at, today) = (localTime(then), localTime(now))
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(at.tm_hour)):\(two(at.tm_min)):\(two(at.tm_sec))"
    if at.tm_year == today.tm_year, at.tm_yday == today.tm_yday { return clock }
    return "\(at.tm_year + 1900)-\(two(at.tm_mon + 1))-\(two(at.tm_mday)) \(clock)"
  }

  private static func localTime(_ milliseconds: Int) -> tm {
    var (seconds, parts) = (time_t(milliseconds / 1000), tm())
    localtime_r(&seconds, &parts)
    return parts
  }

  /// A length of time: `3 d 4 h`, `12 min`.
  static func span(seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    default: "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
    }
  }

  /// Milliseconds since 1970.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Days since 1970-01-01 in the Gregorian calendar: years counted from March, so that a leap day ends one.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let fromMarch = (month + 9) % 12
    let counted = year - (month <= 2 ? 1 : 0)
    let leapDays = counted / 4 - counted / 100 + counted / 400
    return 365 * counted + leapDays + (153 * fromMarch + 2) / 5 + day - 1 - 719_468
  }
}

/// Numbers of bytes as people read them.
enum ByteCount {
  /// `812 B`, `1.2 KiB`, `7.0 MiB`.
  static func text(_ bytes: Int) -> String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var tenths = bytes * 10 / 1024
    var unit = 0
    while tenths >= 10_240, unit < units.count - 1 {
      tenths /= 1024
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  private static let units = ["KiB", "MiB", "GiB", "TiB"]
}

/// Numbers of things as people read them.
enum Count {
  /// `1 scene`, `3 scenes`.
  static func text(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
}
