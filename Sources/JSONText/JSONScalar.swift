/// Reads a text that is one scalar and nothing else, as `JSONSkim` gives them.
package enum JSONScalar {
  /// The string that `text`, quotes included, stands for.
  ///
  /// - Throws: the fault, where the text is no strict JSON string; its offset counts from the text's start.
  package static func string(_ text: ArraySlice<UInt8>) throws(JSONFault) -> String {
    try withString(text) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the decoded bytes of the string that `text` is; copies only where something is escaped.
  ///
  /// - Throws: the fault, where the text is no strict JSON string; its offset counts from the text's start.
  package static func withString<R>(
    _ text: ArraySlice<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) throws(JSONFault) -> R {
    let result: Result<R, JSONFault> = text.withUnsafeBufferPointer { buffer in
      do throws(JSONFault) {
        guard let first = buffer.first else { throw JSONFault(.empty, at: 0) }
        guard first == Byte.quote else { throw JSONFault(.unexpectedByte(first), at: 0) }
        let scanner = JSONScanner(buffer)
        var node = JSONNode(start: 0, end: 0, next: 0, kind: .string)
        let end = try scanner.string(0, escaped: &node.escaped)
        guard end == buffer.count else { throw JSONFault(.trailingBytes, at: end) }
        node.end = UInt32(truncatingIfNeeded: end)
        return .success(JSONDecode.withDecoded(node, scanner, body))
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// The integer that `text` spells in digits, without point or exponent; nil where it is none or exceeds 64 bits.
  package static func int(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.count <= 20, (try? JSONDocument(Array(text)))?.kind(0) == .number else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }

  /// The truth value that `text` spells; nil where it is none.
  package static func bool(_ text: ArraySlice<UInt8>) -> Bool? {
    if text.elementsEqual("true".utf8) { return true }
    return text.elementsEqual("false".utf8) ? false : nil
  }

  /// Whether `text` is `null`.
  package static func isNull(_ text: ArraySlice<UInt8>) -> Bool { text.elementsEqual("null".utf8) }
}
