/// How a limit that was passed is put into words.
package enum LimitWords {
  /// What was given, of a limit of the interface: those named in the plural are of a number, all others of bytes.
  package static func amount(_ actual: Int, of limit: String) -> String {
    limit.hasSuffix("s") ? "\(actual) \(limit)" : "\(limit) has \(actual) bytes"
  }
}
