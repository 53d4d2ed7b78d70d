@testable import JSONText

/// Spellings of each kind, allowed and forbidden.
enum Grammar {
  static let numbers = [
    "0", "-0", "1", "-1", "10", "123456789", "0.0", "-0.0", "0.5", "1.25", "1e0", "1E0", "1e+0", "1e-0", "0e1", "0E+1",
    "-1.5E-10", "1e400", "-1e400", "1e-400", "123.456e78", "20e1", "1.000000000000000000000000000001",
    "9007199254740993", "9223372036854775808", "18446744073709551616", "-9223372036854775809",
    "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    "0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999969999999006",
  ]

  static let noNumbers = [
    "+1", "++1", "+", "-", "--1", "- 1", "01", "-01", "00", "1.", "-1.", ".5", "-.5", "0.", "1.e1", "1e", "1e+", "1E-",
    "1e1.5", "1.2.3", "1ee2", "1e+-2", "0x1", "0x", "0b1", "1_000", "1,5x", "1a", "1-", "1+2", "-a", "-Infinity",
    "Infinity", "-NaN", "NaN", "nan", "inf", "１", "1\u{FF0E}0", "-\u{0661}", "0e", "0e+", "9.e+", "2.e-3", "1 000.0",
    "-2.", "1eE2", "0.1.2", "0.3e", "0.3e+", "0.e1", "1.0e", "1.0e-", ".2e-3", ".-1", "1/2", "'1'",
  ]

  static let strings: [(String, String)] = [
    (#""""#, ""), (#"" ""#, " "), (#""a""#, "a"), (#""é""#, "é"), (#""😀""#, "😀"), (#""\u00e9""#, "é"),
    (#""\u00E9""#, "é"), (#""\uD83D\uDE00""#, "😀"), (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    (#""\uD800\uDC00""#, "\u{10000}"), (#""\uFFFF""#, "\u{FFFF}"),
    (#""\uFDD0""#, String(UnicodeScalar(UInt16(0xFDD0)).map(Character.init) ?? "-")),
    (#""\uD7FF""#, "\u{D7FF}"), (#""\uE000""#, "\u{E000}"), (#""\u0001""#, "\u{1}"), (#""\u007F""#, "\u{7F}"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\\u0000""#, #"\u0000"#), (#""\\n""#, #"\n"#),
    (#""/""#, "/"), (#""/*comment*/""#, "/*comment*/"), (#""\u2028 \u2029""#, "\u{2028} \u{2029}"),
    ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), ("\"\u{FEFF}\"", "\u{FEFF}"), ("\"\u{7F}\"", "\u{7F}"),
    (#""\u0061\u0030""#, "a0"), (#""a\ud83d\ude00b\u00e9c""#, "a😀béc"),
    (#""[\",{:}]""#, #"[",{:}]"#), (#""12345678\u00419""#, "12345678A9"),
  ]

  static let noStrings: [(String, JSONFault.Reason)] = [
    (#"""#, .unexpectedEnd), (#""a"#, .unexpectedEnd), (#""\"#, .unexpectedEnd), (#""\""#, .unexpectedEnd),
    (#""\\\""#, .unexpectedEnd), (#""\a""#, .invalidEscape), (#""\x00""#, .invalidEscape), (#""\'""#, .invalidEscape),
    (#""\U0041""#, .invalidEscape), (#""\ ""#, .invalidEscape), (#""\é""#, .invalidEscape), (#""\😀""#, .invalidEscape),
    (#""\0""#, .invalidEscape), (#""\v""#, .invalidEscape), (#""\u00A""#, .invalidEscape),
    (#""\u00g0""#, .invalidEscape), (#""\u 041""#, .invalidEscape), (#""\u+041""#, .invalidEscape),
    (#""\u""#, .unexpectedEnd), (#""\u00"}"#, .invalidEscape), (#""\u00"}}"#, .invalidEscape),
    (#""\u0000""#, .nullCharacter), (#""a\u0000b""#, .nullCharacter),
    (#""\uD800""#, .loneSurrogate), (#""\uDBFF""#, .loneSurrogate), (#""\uDC00""#, .loneSurrogate),
    (#""\uDFFF""#, .loneSurrogate), (#""\uD800\n""#, .loneSurrogate), (#""\uD800a""#, .loneSurrogate),
    (#""\uD800\uD800""#, .loneSurrogate), (#""\uDC00\uD800""#, .loneSurrogate), (#""\uD800\u0041""#, .loneSurrogate),
    (#""\uD800\uD800\uDC00""#, .loneSurrogate), (#""\uDd1e\uD834""#, .loneSurrogate),
    (#""\uD834\uDd""#, .unexpectedEnd), (#""\uD834\x""#, .loneSurrogate),
    ("'a'", .unexpectedByte(0x27)), ("\u{201C}a\u{201D}", .unexpectedByte(0xE2)), ("a", .invalidLiteral),
    (#"\u0022a\u0022"#, .unexpectedByte(0x5C)), (#""a"b"#, .trailingBytes), (#""a""b""#, .trailingBytes),
  ]

  /// Ill-formed: stray, truncated, overlong, surrogates, beyond U+10FFFF, bytes that never occur.
  static let noUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0x81, 0x81], [0xC3], [0xC3, 0x28], [0xC2, 0xC2], [0xE0, 0xA0], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
    [0xE2, 0x82, 0x28], [0xF0, 0x9F, 0x98], [0xF0, 0x9F], [0xF0], [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x9F, 0x28, 0x80],
    [0xF0, 0x9F, 0x98, 0x28], [0xC0, 0xAF], [0xC1, 0xBF], [0xC0, 0x80], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
    [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xFE, 0xFF], [0xFF, 0xFE], [0xE9],
  ]

  static let edgesOfUTF8: [UnicodeScalar] = [
    "\u{20}", "\u{7E}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{CFFF}", "\u{D000}",
    "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFF}", "\u{10000}", "\u{3FFFF}", "\u{40000}", "\u{FFFFF}", "\u{100000}",
    "\u{10FFFF}",
  ].filter { $0 != "\u{22}" && $0 != "\u{5C}" }

  static let structures = [
    "[]", "{}", "[[]]", "[{}]", #"{"a":{}}"#, "[[],[]]", "[1]", "[1,2]", "[null]", "[true,false,null]", #"{"a":1}"#,
    #"{"":0}"#, #"{"a":1,"b":2}"#, "null", "true", "false", "0", #""a""#, " [] ", "\t\n\r [ 1 , 2 ] \t\n\r",
    #" { "a" : [ ] , "b" : { } } "#, "[1,null,null,null,2]", "[[[[1]]],[[]]]", #"[{"a":[{"b":[]}]}]"#, "-1", "\n1\n",
    #"{"a":"b","A":"b","á":1}"#, #"[{"a":1},{"a":1}]"#, #"{"a":{"a":{"a":1}}}"#,
  ]

  static let noStructures = [
    "", " ", "\n", "[", "]", "{", "}", "[}", "{]", "[]]", "{}}", "[[]", "{}{}", "[][]", "{} {}", "1 2", "[] x", "[1",
    "[1,", "[1,]", "[,1]", "[,]", "[,", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[1\n,", "[\"a\" \"b\"]", "[\"a\",",
    "{,}", "{1:2}", "{null:1}", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\",1}", "{\"a\" 1}", "{\"a\"::1}",
    "{\"a\":1,}", "{,\"a\":1}", "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1", "{\"a\":", "{\"a\"", "{\"",
    "{\"a\":1]", "[\"a\":1]", "{[]:1}", "{\"a\":1;\"b\":2}", "{\"a\":1}#", "{\"a\":1}//", "{\"a\":1}/**/", "// a\n1",
    "/**/1", "[1/**/]", "#1", "tru", "nul", "fals", "True", "NULL", "nulll", "truefalse", "true,", "undefined", "[nul]",
    "[tru]", "[fals]", "[True]", "*", "<null>", "[<null>]", "[a]", "[\"\": 1]", "[*]", "$", "[x", "[1e1,]", "[...]",
    "&", "\u{FEFF}[]", "\u{FEFF}", "[]\u{FEFF}", "\u{A0}[]", "[]\u{2060}", "\u{2028}1", "[\u{0C}]", "[]\u{0B}", "\0",
    "[]\0", "\0[]", "[1]\0\0", "{\"a\":1}\0", "[\0]", "`1`", "(1)", "[1)", "{\"a\":1}a", "[\"a\"]]", ":", ",", ":1",
  ]

  /// All of them, allowed or not, each as a text of its own and inside an array.
  static let all: [[UInt8]] =
    (numbers + noNumbers + strings.map(\.0) + noStrings.map(\.0) + structures + noStructures)
    .flatMap { [Array($0.utf8), Array("[\($0)]".utf8)] }
    + noUTF8.flatMap { [$0, [0x22] + $0 + [0x22]] }
}
