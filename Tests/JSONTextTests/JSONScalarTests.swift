import Testing

@testable import JSONText

@Suite struct JSONScalarTests {
  private func slice(_ text: String) -> ArraySlice<UInt8> { Array("##\(text)##".utf8).dropFirst(2).dropLast(2) }

  @Test("a string decodes, and nothing may stand before or after it")
  func strings() throws {
    #expect(try JSONScalar.string(slice(#""a\u00e9\n""#)) == "aé\n")
    #expect(try JSONScalar.string(slice(#""""#)).isEmpty)
    #expect(try JSONScalar.withString(slice(#""é""#)) { $0.count } == 2)
    let refused: [(String, JSONFault)] = [
      ("", JSONFault(.empty, at: 0)), ("x", JSONFault(.unexpectedByte(0x78), at: 0)),
      (" \"a\"", JSONFault(.unexpectedByte(0x20), at: 0)), ("\"a\" ", JSONFault(.trailingBytes, at: 3)),
      ("\"a", JSONFault(.unexpectedEnd, at: 2)), (#""\ud800""#, JSONFault(.loneSurrogate, at: 1)),
      (#""\u0000""#, JSONFault(.nullCharacter, at: 1)), ("\"a\nb\"", JSONFault(.controlCharacter(0x0A), at: 2)),
    ]
    for (text, fault) in refused {
      #expect(throws: fault) { try JSONScalar.string(slice(text)) }
    }
  }

  @Test(
    "an integer is digits that fit 64 bits, and nothing else is",
    arguments: [
      ("0", 0), ("-0", 0), ("42", 42), ("-1", -1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("18446744073709551616", nil), ("1.0", nil), ("1e3", nil), ("01", nil), ("+1", nil),
      ("", nil), (" 1", nil), ("1 ", nil), ("\"1\"", nil), ("1x", nil), ("null", nil), ("-", nil),
      ("00000000000000000000000001", nil),
    ] as [(String, Int?)]
  )
  func integers(_ text: String, _ value: Int?) { #expect(JSONScalar.int(slice(text)) == value) }

  @Test("a truth value and null are their words exactly")
  func words() {
    #expect(JSONScalar.bool(slice("true")) == true && JSONScalar.bool(slice("false")) == false)
    for text in ["True", "true ", "1", "\"true\"", "", "null", "truex"] { #expect(JSONScalar.bool(slice(text)) == nil) }
    #expect(JSONScalar.isNull(slice("null")))
    for text in ["Null", "null ", "\"null\"", "", "nul", "nulll"] { #expect(!JSONScalar.isNull(slice(text))) }
  }
}
