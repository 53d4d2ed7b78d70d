import TestSupport
import Testing

@testable import JSONText

@Suite struct JSONDocumentTests {
  static let sample = #" { "a" : [ 1 , "x\n" , { } ] , "b/c~d" : { "é" : null } , "" : true } "#

  /// Every node of a document, in order.
  static func nodes(of document: JSONDocument) -> [Int] { Array(document.root..<document.next(document.root)) }

  @Test("a node's range is its value and no white space around it")
  func ranges() throws {
    let sample = try document(Self.sample)
    let texts = Self.nodes(of: sample).map { string(sample.text($0)) }
    #expect(
      texts == [
        String(Self.sample.dropFirst().dropLast()), #""a""#, #"[ 1 , "x\n" , { } ]"#, "1", #""x\n""#, "{ }",
        #""b/c~d""#,
        #"{ "é" : null }"#, #""é""#, "null", #""""#, "true",
      ]
    )
  }

  @Test("a node's next is the node after all that it holds")
  func next() throws {
    let sample = try document(Self.sample)
    #expect(Self.nodes(of: sample).map(sample.next) == [12, 2, 6, 4, 5, 6, 7, 10, 9, 10, 11, 12])
  }

  @Test("kinds, elements, members and counts are those of the text")
  func structure() throws {
    let sample = try document(Self.sample)
    #expect(sample.members(0).map(\.key) == [1, 6, 10])
    #expect(sample.members(0).map(\.value) == [2, 7, 11])
    #expect(Array(sample.elements(2)) == [3, 4, 5])
    #expect(sample.count(0) == 3 && sample.count(2) == 3 && sample.count(5) == 0 && sample.count(3) == 0)
    #expect([0, 2, 3, 4, 9, 11].map(sample.kind) == [.object, .array, .number, .string, .null, .true])
    #expect(Array(sample.elements(0)).isEmpty && Array(sample.members(2)).isEmpty && Array(sample.members(3)).isEmpty)
  }

  @Test("a member is found by its decoded name, and only in an object")
  func member() throws {
    let found = try document(#"{"\u0069d":1,"name":{"id":2},"ids":3}"#)
    #expect(found.member(0, "id").map(found.string) == "1")
    #expect(found.member(0, "ids").map(found.string) == "3")
    #expect(found.member(0, "i") == nil && found.member(0, "") == nil && found.member(0, "ID") == nil)
    #expect(try document(#"["id"]"#).member(0, "id") == nil)
    #expect(try document(#""id""#).member(0, "id") == nil)
  }

  @Test("a string is compared decoded, anything else is no string")
  func isString() throws {
    let values = try document(#"["sheet","\u0073heet","shee","sheets",1,null,"é","\u00e9"]"#)
    #expect((1...8).map { values.isString($0, "sheet") } == [true, true] + Array(repeating: false, count: 6))
    #expect(values.isString(7, "é") && values.isString(8, "é"))
    #expect(!values.isString(5, "1") && !values.isString(6, "null"))
  }

  @Test("a string decodes, a number keeps its spelling")
  func strings() throws {
    let values = try document(#"["a\/b\u00e9\ud83d\ude00",9007199254740993,1.0,721692800.1229999,1E+2,-0]"#)
    #expect(
      values.elements(0).map(values.string)
        == ["a/bé😀", "9007199254740993", "1.0", "721692800.1229999", "1E+2", "-0"]
    )
    let length = values.withDecoded(1) { $0.count }
    #expect(length == "a/bé😀".utf8.count)
  }

  @Test("a pointer escapes ~ and /, decodes keys and counts elements")
  func pointers() throws {
    let sample = try document(Self.sample)
    let pointers = [0, 2, 3, 4, 5, 7, 9, 11].map(sample.pointer(to:))
    #expect(pointers == ["", "/a", "/a/0", "/a/1", "/a/2", "/b~1c~0d", "/b~1c~0d/é", "/"])
    let escaped = try document(#"{"\u0061\n":[[0,{"k":1}]]}"#)
    #expect(escaped.pointer(to: escaped.next(0) - 1) == "/a\n/0/1/k")
  }

  @Test(
    "the pointer to a fault names the innermost value around it",
    arguments: [
      (#"{"a":[1,{"b":tru}]}"#, "/a/1/b"), (#"{"a":[1,2,x]}"#, "/a/2"), (#"[1,2"#, "/1"), (#"{"a":1,"a":2}"#, "/a"),
      (#"{"a":{"x":1,"x":1}}"#, "/a/x"), ("x", ""), ("", ""), (#"{"a/b":"\q"}"#, "/a~1b"),
      (#"[[],[[1,"\ud800"]]]"#, "/1/0/1"),
      (#"{"a":[{}],"b":"\u0000"}"#, "/b"), (#"{"stacks":{"boards":[{"id":01}]}}"#, "/stacks/boards/0/id"),
      (#"[{"a":"]}"},nul]"#, "/1"), (#"{"a":{"b"#, "/a"), (#"{"a":"b"#, "/a"), (#"{"a"#, ""),
    ]
  )
  func pointerToFault(_ text: String, _ pointer: String) throws {
    let refused = try #require(fault(of: text))
    #expect(JSONDocument.pointer(toOffset: refused.offset, in: Array(text.utf8)) == pointer)
  }

  @Test(
    "a fault says what it is and where",
    arguments: [
      ("", JSONFault.Reason.empty, 0), ("  ", .empty, 2), ("[1,", .unexpectedEnd, 3),
      ("[1 2]", .unexpectedByte(0x32), 3),
      ("{} {}", .trailingBytes, 3), ("{}}", .trailingBytes, 2), ("[01]", .invalidNumber, 1),
      ("[nulp]", .invalidLiteral, 1),
      ("{1:2}", .unexpectedByte(0x31), 1), ("{\"a\"1}", .unexpectedByte(0x31), 4), ("[1]\0", .trailingBytes, 3),
      ("[\"\\q\"]", .invalidEscape, 2), ("[.5]", .unexpectedByte(0x2E), 1), ("[1.]", .invalidNumber, 1),
    ]
  )
  func faults(_ text: String, _ reason: JSONFault.Reason, _ offset: Int) {
    #expect(fault(of: text) == JSONFault(reason, at: offset))
    #expect(!JSONFault(reason, at: offset).sentence.isEmpty)
  }

  @Test("a text of another encoding is told by its first byte, a byte elsewhere is not")
  func encodings() {
    let unexpected = { (byte: UInt8, offset: Int) in JSONFault(.unexpectedByte(byte), at: offset).sentence }
    #expect(unexpected(0xEF, 0).contains("byte order mark"))
    #expect(unexpected(0xFF, 0).contains("UTF-16") && unexpected(0xFE, 0).contains("UTF-16"))
    #expect(unexpected(0xEF, 1) == "unexpected byte 0xEF")
  }

  @Test("a sentence never prints a control byte raw")
  func sentences() {
    for byte in UInt8.min...UInt8.max {
      for reason in [JSONFault.Reason.unexpectedByte(byte), .controlCharacter(byte)] {
        #expect(JSONFault(reason, at: 0).sentence.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
      }
    }
  }

  @Test("each node's text is by itself the same value", arguments: 0..<100)
  func nodesAlone(_ run: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun &+ UInt64(run))
    let text = Rendering.odd(.random(&random), &random)
    let whole = try JSONDocument(text)
    for node in Self.nodes(of: whole) {
      let alone = try JSONDocument(Array(whole.text(node)))
      #expect(alone.range(0) == 0..<alone.bytes.count)
      #expect(alone.isEqual(0, to: whole, node), "seed \(SeededGenerator.seedOfThisRun), run \(run)")
      #expect(alone.leafHash(0) == whole.leafHash(node))
      #expect(Array(whole.decoded(node)) == Array(whole.string(node).utf8))
    }
  }
}
