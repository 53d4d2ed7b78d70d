import TestSupport
import Testing

@testable import JSONText

@Suite struct JSONWriterTests {
  @Test("commas and colons stand where they must")
  func punctuation() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.int(1)
    writer.string("x")
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.bool(true)
    writer.bool(false)
    writer.raw("{ \"raw\" : 1.0 }".utf8)
    writer.endArray()
    writer.key(escaping: "b" as String)
    writer.int(Int.min)
    writer.key("c")
    writer.int(UInt64.max)
    writer.endObject()
    #expect(
      string(writer.bytes)
        == #"{"a":[1,"x",{},[],null,true,false,{ "raw" : 1.0 }],"b":-9223372036854775808,"c":18446744073709551615}"#
    )
  }

  @Test("every character that must be escaped is, and none else")
  func escapes() throws {
    for value in UInt32(1)...0x2FF {
      guard let scalar = UnicodeScalar(value) else { continue }
      var writer = JSONWriter()
      writer.string("a\(scalar)b")
      #expect(try JSONDocument(writer.bytes).string(0) == "a\(scalar)b")
      let isEscaped = writer.bytes.contains(UInt8(ascii: "\\"))
      #expect(isEscaped == (value < 0x20 || scalar == "\"" || scalar == "\\"))
    }
  }

  @Test("a key is escaped like any string")
  func keys() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(escaping: "a\"\n\\" as String)
    writer.int(1)
    writer.endObject()
    #expect(try JSONDocument(writer.bytes).string(1) == "a\"\n\\")
  }

  @Test("what is written reads back as the same value", arguments: 0..<150)
  func generated(_ run: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun &+ UInt64(run))
    let value = Value.random(&random)
    var writer = JSONWriter()
    value.write(to: &writer)
    let odd = try JSONDocument(Rendering.odd(value, &random))
    let written = try JSONDocument(writer.bytes)
    #expect(
      written.isEqual(0, to: odd, 0),
      "seed \(SeededGenerator.seedOfThisRun), run \(run): \(string(writer.bytes))"
    )
  }
}

extension Value {
  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .number(let spelling): writer.raw(spelling.utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(escaping: member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
