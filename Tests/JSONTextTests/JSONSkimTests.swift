import TestSupport
import Testing

@testable import JSONText

@Suite struct JSONSkimTests {
  private func members(_ text: ArraySlice<UInt8>) throws(JSONFault) -> [[String]] {
    var skim = try JSONSkim(text, .object)
    var found: [[String]] = []
    while let (key, value) = try skim.nextMember() { found.append([string(key), string(value)]) }
    return found
  }

  private func elements(_ text: ArraySlice<UInt8>) throws(JSONFault) -> [String] {
    var skim = try JSONSkim(text, .array)
    var found: [String] = []
    while let element = try skim.nextElement() { found.append(string(element)) }
    return found
  }

  @Test("members come with their keys as spelled and their values as they stand")
  func splitsObjects() throws {
    let text = Array(#" { "a" : 1 , "\u0062":{"x":[1,"}"]} ,"c":"\"}," , "d" : [ ] , "e":null} "#.utf8)
    #expect(
      try members(text[...]) == [
        [#""a""#, "1"], [#""\u0062""#, #"{"x":[1,"}"]}"#], [#""c""#, #""\"},""#], [#""d""#, "[ ]"], [#""e""#, "null"],
      ]
    )
    #expect(try members(Array("{}".utf8)[...]).isEmpty && members(Array(" { } ".utf8)[...]).isEmpty)
  }

  @Test("elements come as they stand")
  func splitsArrays() throws {
    let text = Array(#"[1.0, "a,]" ,[[],[{"]":1}]],{}, -3e5 ]"#.utf8)
    #expect(try elements(text[...]) == ["1.0", #""a,]""#, #"[[],[{"]":1}]]"#, "{}", "-3e5"])
    #expect(try elements(Array("[ ]".utf8)[...]).isEmpty)
  }

  @Test(
    "a fault inside a part is left to who reads the part",
    arguments: [
      #"{"a":01}"#, #"{"a":1,1}"#, #"{"b":"\q"}"#, #"{"b":"\ud800"}"#, #"{"a":1,"a":2}"#, "[nul]",
    ]
  )
  func judgesNoParts(_ inner: String) throws {
    #expect(
      try members(Array("{\"state\":\(inner),\"app\":\"x\"}".utf8)[...]) == [
        ["\"state\"", inner], ["\"app\"", "\"x\""],
      ]
    )
    #expect(fault(of: inner) != nil)
  }

  @Test(
    "a level whose own punctuation is broken is refused with a place inside it",
    arguments: [
      "", " ", "[]", "1", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\" 1}",
      "{\"a\":,}",
      "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{a:1}", "{1:2}", "{}{}", "{} x", "{\"a\":{}", "{\"a\":\"x}",
      "{\"a\":[1}",
      "{\"a\"::1}", "{\"a\":1:2}", "{\"a\":1 2}", "{\"a\":\"x\"\"y\"}", "{\"a\":{}{}}", "{\"a\\\":1}", "{\"a\":1}\0",
    ]
  )
  func brokenObjects(_ text: String) throws {
    let padded = Array("##\(text)".utf8)
    do throws(JSONFault) {
      let found = try members(padded[2...])
      Issue.record("\(text) was split into \(found)")
    } catch { #expect((0...text.utf8.count).contains(error.offset)) }
  }

  @Test(
    "a broken array is refused",
    arguments: [
      "", "{}", "[", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "[\"a\" \"b\"]", "[[]", "[\"a]", "[]]",
      "[] 1",
      "[1\"a\"]", "[{}[]]",
    ]
  )
  func brokenArrays(_ text: String) {
    #expect(throws: JSONFault.self) { try elements(Array(text.utf8)[...]) }
  }

  @Test("the kind of a value is told by its first byte")
  func kinds() {
    let kinds: [(String, JSONKind?)] = [
      ("{}", .object), ("[", .array), ("\"", .string), ("-1", .number), ("9", .number), ("true", .true),
      ("false", .false), ("null", .null), ("", nil), ("+1", nil), ("x", nil), (" 1", nil), ("\u{E9}", nil),
    ]
    for (text, kind) in kinds { #expect(JSONSkim.kind(of: Array(text.utf8)[...]) == kind) }
  }

  @Test("splitting agrees with the document on every container of generated texts", arguments: 0..<150)
  func generated(_ run: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun &+ UInt64(run))
    let whole = try JSONDocument(Rendering.odd(.random(&random), &random))
    for node in JSONDocumentTests.nodes(of: whole) {
      let note: Comment = "seed \(SeededGenerator.seedOfThisRun), run \(run): \(string(whole.text(node)))"
      if whole.kind(node) == .object {
        let wanted = whole.members(node).map { [string(whole.text($0.key)), string(whole.text($0.value))] }
        #expect(try members(whole.text(node)) == wanted, note)
      } else if whole.kind(node) == .array {
        #expect(try elements(whole.text(node)) == whole.elements(node).map { string(whole.text($0)) }, note)
      }
    }
  }

  @Test("a part nested a million levels deep is skipped without using the stack")
  func deep() throws {
    #expect(try elements((Array("[1,".utf8) + nested(1_000_000) + Array("]".utf8))[...]).count == 2)
  }
}
