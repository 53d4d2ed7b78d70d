import JSONText

/// An object of the wire that can be read and written.
package protocol WireRecord: Sendable {
  /// Reads the members that `fields` holds.
  init(from fields: inout FieldReader) throws(WireFault)
  /// Writes the members, leaving out those that are nil.
  func write(to fields: inout JSONWriter)
}

extension WireRecord {
  /// Reads a record from the text of one JSON object, refusing members that it does not know.
  ///
  /// For calls: a misspelt parameter must not pass for one left out.
  ///
  /// - Throws: `WireFault` naming the member.
  package init(strictly text: ArraySlice<UInt8>) throws(WireFault) {
    try self.init(strictly: FieldReader(text))
  }

  /// Reads a record that has been split, refusing members that it does not know.
  ///
  /// - Throws: `WireFault` naming the member.
  package init(strictly object: JSONSplit) throws(WireFault) {
    try self.init(strictly: FieldReader(object))
  }

  private init(strictly fields: consuming FieldReader) throws(WireFault) {
    var fields = fields
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
    var text = JSONWriter()
    encode(in: &text)
    return text.bytes
  }

  /// Writes the record as the next value of a text.
  package func encode(in text: inout JSONWriter) {
    text.beginObject()
    write(to: &text)
    text.endObject()
  }
}

/// The text of one JSON object that is passed on as it stands.
///
/// Only its first byte and its balance were looked at: whoever uses it checks it.
package struct JSONObjectText: Hashable, Sendable {
  /// The bytes, without white space around them.
  package let bytes: ArraySlice<UInt8>
  /// The strict reading of the bytes, where they have been read in passing; nil says nothing about them.
  package let reading: JSONReading?

  /// The object that `bytes` are.
  ///
  /// - Parameter bytes: a slice shares the memory of what it was cut from.
  package init(_ bytes: ArraySlice<UInt8>) { self.init(bytes, nil) }

  /// The object that `bytes` are.
  package init(_ bytes: some Collection<UInt8>) { self.init(ArraySlice(bytes), nil) }

  /// The object that `bytes` are, which have been read.
  ///
  /// - Parameter reading: what reading these very bytes found.
  init(_ bytes: ArraySlice<UInt8>, _ reading: JSONReading?) {
    self.bytes = bytes
    self.reading = reading
  }

  /// Whether both are the same bytes, read or not.
  package static func == (a: JSONObjectText, b: JSONObjectText) -> Bool { a.bytes == b.bytes }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Why parameters cannot be read.
package enum WireFault: Error, Hashable, Sendable {
  /// A parameter is missing, mistyped, out of range or unknown; `parameter` is its name.
  case invalidParameter(String)
  /// A list is longer than one call may bring.
  case limitExceeded(limit: String, maximum: Int, actual: Int)
}
