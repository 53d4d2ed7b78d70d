import Testing

@testable import JSONText

/// What RFC 8259 allows and forbids, one kind of spelling after another, and what is decided here where it leaves
/// a choice.
@Suite struct GrammarTests {
  @Test("every number of the grammar is accepted with its spelling", arguments: Grammar.numbers)
  func numbers(_ text: String) throws {
    for around in ["\(text)", "[\(text)]", "{\"a\":\(text)}", " \(text) ", "[\(text) , 1]"] {
      #expect(fault(of: around) == nil, "\(around)")
    }
    #expect(try document(text).string(0) == text)
    #expect(try document(text).kind(0) == .number)
  }

  @Test("what only looks like a number is refused", arguments: Grammar.noNumbers)
  func noNumbers(_ text: String) {
    #expect(fault(of: text) != nil)
    #expect(fault(of: "[\(text)]") != nil)
    #expect(fault(of: "{\"a\":\(text)}") != nil)
  }

  @Test("every string of the grammar is accepted and decodes", arguments: Grammar.strings)
  func strings(_ text: String, _ decoded: String) throws {
    #expect(try document(text).string(0).unicodeScalars.elementsEqual(decoded.unicodeScalars))
    let keyed = try document("{\(text):[\(text)]}")
    #expect(keyed.string(1).unicodeScalars.elementsEqual(decoded.unicodeScalars))
    #expect(keyed.string(3).unicodeScalars.elementsEqual(decoded.unicodeScalars))
  }

  @Test("what breaks a string's rules is refused, as value and as key", arguments: Grammar.noStrings)
  func noStrings(_ text: String, _ reason: JSONFault.Reason) {
    #expect(fault(of: text)?.reason == reason)
    #expect(fault(of: "[\(text)]") != nil)
    #expect(fault(of: "{\(text):1}") != nil)
  }

  @Test("raw control characters in a string are refused, DEL is not", arguments: UInt8(0)...0x1F)
  func controlCharacters(_ byte: UInt8) {
    let text = Array("\"a".utf8) + [byte] + Array("b\"".utf8)
    #expect(fault(of: text) == JSONFault(byte == 0 ? .nullCharacter : .controlCharacter(byte), at: 2))
    #expect(fault(of: "\"a\u{7F}b\"") == nil)
  }

  @Test("what is no UTF-8 is refused wherever it stands in a string", arguments: Grammar.noUTF8)
  func noUTF8(_ bytes: [UInt8]) {
    // Before and after runs of each length, since runs of plain bytes are skipped eight at a time.
    for length in 0...9 {
      let run = Array(repeating: UInt8(ascii: "x"), count: length)
      let text = [0x22] + run + bytes + run + [0x22]
      #expect(fault(of: text) == JSONFault(.invalidUTF8, at: 1 + length))
      #expect(fault(of: [0x7B] + text + Array(":1}".utf8)) == JSONFault(.invalidUTF8, at: 2 + length))
    }
    #expect(fault(of: bytes) != nil)
    #expect(fault(of: Array("[1,".utf8) + bytes + [0x5D]) != nil)
  }

  @Test("the first and last character of each length of UTF-8 is accepted", arguments: Grammar.edgesOfUTF8)
  func edgesOfUTF8(_ scalar: UnicodeScalar) throws {
    let text = "[\"\(scalar)\",\"12345678\(scalar)\",\"\(scalar)\(scalar)\"]"
    #expect(try document(text).string(1) == String(scalar))
  }

  @Test("every structure of the grammar is accepted", arguments: Grammar.structures)
  func structures(_ text: String) { #expect(fault(of: text) == nil) }

  @Test("a broken structure is refused", arguments: Grammar.noStructures)
  func noStructures(_ text: String) { #expect(fault(of: text) != nil) }

  @Test("every byte that is none of the four is no white space", arguments: UInt8.min...UInt8.max)
  func whiteSpace(_ byte: UInt8) {
    let isWhiteSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    #expect((fault(of: [byte, 0x5B, 0x5D]) == nil) == isWhiteSpace)
    #expect((fault(of: [0x5B, byte, 0x5D]) == nil) == (isWhiteSpace || Byte.isDigit(byte)))
    #expect((fault(of: [0x5B, 0x5D, byte]) == nil) == isWhiteSpace)
  }

  @Test("a text cut at any byte is refused, with the place at most its length")
  func everyPrefix() throws {
    let text = Array(#"{"a":[1.5e+3,-0,true,false,null,"é\ud83d\ude00\n",{}],"b":{"c":[[]]}}"#.utf8)
    #expect(fault(of: text) == nil)
    for length in 0..<text.count {
      let refused = try #require(fault(of: Array(text.prefix(length))))
      #expect(refused.offset <= length)
    }
  }
}
