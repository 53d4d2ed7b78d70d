import JSONText

/// One reply as it came in.
///
/// Its envelope has been checked, its parameters have not.
package struct VarlinkReply: Sendable {
  /// The error's qualified name; nil: the call succeeded.
  package let error: String?
  /// The bytes of the parameters, from `{` to `}`; `{}` where there were none.
  package let parameters: ArraySlice<UInt8>
  /// More replies to the same call follow.
  package let continues: Bool

  /// Reads a message, without its NUL.
  ///
  /// - Throws: `malformedReply`.
  package init(_ frame: ArraySlice<UInt8>) throws(VarlinkClientError) {
    var error: String?
    var parameters: ArraySlice<UInt8>?
    var continues: Bool?
    do throws(JSONFault) {
      var skim = try JSONSkim(frame, .object)
      while let (key, value) = try skim.nextMember() {
        switch try JSONScalar.string(key) {
        case "error": error = try JSONScalar.isNull(value) ? nil : JSONScalar.string(value)
        case "parameters": parameters = JSONScalar.isNull(value) ? nil : value
        case "continues": continues = JSONScalar.bool(value)
        default: break
        }
      }
    } catch {
      throw .malformedReply(reason: "\(error.sentence), at byte \(error.offset)")
    }
    self.error = error
    self.parameters = parameters ?? ArraySlice("{}".utf8)
    self.continues = continues ?? false
    guard JSONSkim.kind(of: self.parameters) == .object else {
      throw .malformedReply(reason: "its parameters are no object")
    }
  }
}
