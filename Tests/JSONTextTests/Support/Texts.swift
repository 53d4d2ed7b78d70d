@testable import JSONText

/// The fault for which `text` is refused, or nil where it is accepted.
func fault(of text: [UInt8], maximumDepth: Int = JSONDocument.maximumDepth) -> JSONFault? {
  do throws(JSONFault) {
    _ = try JSONDocument(text, maximumDepth: maximumDepth)
    return nil
  } catch { return error }
}

func fault(of text: String) -> JSONFault? { fault(of: Array(text.utf8)) }

func document(_ text: String) throws -> JSONDocument { try JSONDocument(Array(text.utf8)) }

func string(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// `count` times `[`, and as many times `]`.
func nested(_ count: Int) -> [UInt8] {
  Array(repeating: UInt8(ascii: "["), count: count) + Array(repeating: UInt8(ascii: "]"), count: count)
}
