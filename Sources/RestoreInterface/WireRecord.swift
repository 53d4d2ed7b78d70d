import JSONText

/// An object of the wire that can be read and written.
package protocol WireRecord: Sendable {
  /// Reads the members that `fields` holds.
  init(from fields: inout FieldReader) throws(WireFault)
  /// Writes the members, leaving out those that are nil.
  func write(to fields: inout FieldWriter)
}

extension WireRecord {
  /// Reads a record from the text of one JSON object, refusing members that it does not know.
  ///
  /// For calls: a misspelt parameter must not pass for one left out.
  ///
  /// - Throws: `WireFault` naming the member.
  package init(strictly text: ArraySlice<UInt8>) throws(WireFault) {
    var fields = try FieldReader(text)
    try self.init(from: &fields)
    try fields.finish()
  }

  /// Reads a record from the text of one JSON object, passing over members that it does not know.
  ///
  /// For replies: a newer daemon may answer with more.
  ///
  /// - Throws: `WireFault` naming the member.
  package init(leniently text: ArraySlice<UInt8>) throws(WireFault) {
    var fields = try FieldReader(text)
    try self.init(from: &fields)
  }

  /// The record as the text of one JSON object.
  package var encoded: [UInt8] {
    var fields = FieldWriter()
    write(to: &fields)
    return fields.finished()
  }
}

/// The text of one JSON object that is passed on as it stands.
///
/// Only its first byte and its balance were looked at: whoever uses it checks it.
package struct JSONObjectText: Hashable, Sendable {
  /// The bytes, without white space around them.
  package var bytes: ArraySlice<UInt8>

  /// The object that `bytes` are.
  package init(_ bytes: some Collection<UInt8>) { self.bytes = ArraySlice(bytes) }
}

/// Why parameters cannot be read.
package enum WireFault: Error, Hashable, Sendable {
  /// A parameter is missing, mistyped, out of range or unknown; `parameter` is its name.
  case invalidParameter(String)
  /// A list is longer than one call may bring.
  case limitExceeded(limit: String, maximum: Int, actual: Int)
}
