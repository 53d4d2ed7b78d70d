import JSONText

/// Makes whole reply messages, NUL included.
///
/// A reply holds `parameters`, always an object, and where they apply `continues` and `error`; strict clients hang up
/// on anything else. See https://varlink.org/Method-Call.
package enum ReplyFrame {
  private static let parametersPrefix = Array(#"{"parameters":"#.utf8)
  private static let continuesSuffix = Array(#","continues":true}"#.utf8)
  private static let closing: [UInt8] = [UInt8(ascii: "}"), 0]

  /// A reply, final or, with `continues`, one of several.
  ///
  /// - Parameter parameters: one JSON object; not checked. It holds no NUL.
  package static func make(_ parameters: some Collection<UInt8>, continues: Bool = false) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(parametersPrefix.count + parameters.count + continuesSuffix.count + 1)
    frame += parametersPrefix
    frame += parameters
    close(&frame, continues)
    return frame
  }

  /// A reply whose parameters `body` writes in place: one JSON object.
  package static func make(
    reserving capacity: Int = 256,
    continues: Bool = false,
    _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(reserving: capacity)
    writer.beginObject()
    writer.key("parameters")
    body(&writer)
    var frame = writer.bytes
    writer = JSONWriter(reserving: 0)
    close(&frame, continues)
    return frame
  }

  /// An error reply.
  package static func make(_ error: VarlinkError) -> [UInt8] {
    var writer = JSONWriter(reserving: error.name.utf8.count + error.parameters.count + 32)
    writer.beginObject()
    writer.key("error")
    writer.string(error.name)
    writer.key("parameters")
    writer.raw(error.parameters)
    writer.endObject()
    return writer.bytes + [0]
  }

  private static func close(_ frame: inout [UInt8], _ continues: Bool) {
    if continues {
      frame += continuesSuffix
      frame.append(0)
    } else {
      frame += closing
    }
  }
}
