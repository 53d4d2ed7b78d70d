/// JSON in one line.
enum JSONLine {
  /// The text without its line breaks, which in JSON stand outside strings only; nothing else is changed.
  static func of(_ bytes: some Collection<UInt8>) -> [UInt8] {
    bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }
}
