/// The convention by which names of parameters and of cases refer to kinds.
enum ReferenceForm {
  /// How many bytes of a parameter's name are the kind that it refers to, where the name has one of
  /// the forms `boardID`, `boardId`, `board_id` or their plurals; nil where it has none of them.
  ///
  /// Before `ID` or `Id` stands a lower-case letter, of whatever alphabet, or a digit, so that `UUID` is none.
  static func kindLength(in name: UnsafeBufferPointer<UInt8>) -> Int? {
    var end = name.count
    if end > 0, name[end - 1] == UInt8(ascii: "s") { end -= 1 }
    guard end > 2, name[end - 1] | 0x20 == UInt8(ascii: "d") else { return nil }
    if name[end - 2] == UInt8(ascii: "I") {
      return endsSmall(UnsafeBufferPointer(rebasing: name[..<(end - 2)])) ? end - 2 : nil
    }
    let isSnake = name[end - 1] == UInt8(ascii: "d") && name[end - 2] == UInt8(ascii: "i")
    return isSnake && name[end - 3] == UInt8(ascii: "_") && end > 3 ? end - 3 : nil
  }

  /// Where in a case name the kind begins that `id` refers to: after the last `.` or `/`.
  static func kindStart(inCase name: UnsafeBufferPointer<UInt8>) -> Int {
    guard let separator = name.lastIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }) else {
      return 0
    }
    return separator + 1
  }

  private static func endsSmall(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let last = text.last else { return false }
    switch last {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): return true
    case 0x80...: break
    default: return false
    }
    guard let scalar = String(decoding: text.suffix(4), as: UTF8.self).unicodeScalars.last else { return false }
    let category = scalar.properties.generalCategory
    return category == .lowercaseLetter || category == .decimalNumber
  }
}
