import JSONText

/// Makes whole call messages, NUL included.
///
/// See https://varlink.org/Method-Call.
package enum CallFrame {
  /// A call.
  ///
  /// - Parameters:
  ///   - method: the qualified name.
  ///   - parameters: one JSON object; not checked. It holds no NUL.
  ///   - more: whether several replies are wanted.
  ///   - oneway: whether none is.
  package static func make(
    _ method: String,
    _ parameters: some Collection<UInt8>,
    more: Bool = false,
    oneway: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter(reserving: method.utf8.count + parameters.count + 64)
    writer.beginObject()
    writer.key("method")
    writer.string(method)
    if more {
      writer.key("more")
      writer.bool(true)
    }
    if oneway {
      writer.key("oneway")
      writer.bool(true)
    }
    writer.key("parameters")
    writer.raw(parameters)
    writer.endObject()
    var frame = writer.bytes
    writer = JSONWriter(reserving: 0)
    frame.append(0)
    return frame
  }
}
