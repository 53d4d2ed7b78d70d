import Testing

@testable import JSONText

/// Depth, sizes and repeated keys: what a hostile text would use.
@Suite struct LimitTests {
  @Test("512 levels are accepted and 513 are refused, at the byte of the 513th")
  func depth() {
    #expect(fault(of: nested(512)) == nil)
    #expect(fault(of: nested(513)) == JSONFault(.tooDeep(maximum: 512), at: 512))
    let objects = String(repeating: "{\"a\":", count: 511) + "{}" + String(repeating: "}", count: 511)
    #expect(fault(of: objects) == nil)
    #expect(fault(of: "[" + objects + "]")?.reason == .tooDeep(maximum: 512))
  }

  @Test("the limit is the caller's: a scalar needs no level, a lone container one")
  func chosenDepth() {
    #expect(fault(of: Array("1".utf8), maximumDepth: 0) == nil)
    #expect(fault(of: nested(1), maximumDepth: 0)?.reason == .tooDeep(maximum: 0))
    #expect(fault(of: nested(1), maximumDepth: 1) == nil)
    #expect(fault(of: nested(2), maximumDepth: 1)?.offset == 1)
  }

  @Test("100,000 levels are refused without using the stack, closed or not, arrays or objects")
  func veryDeep() {
    #expect(fault(of: nested(100_000))?.reason == .tooDeep(maximum: 512))
    #expect(fault(of: Array(repeating: UInt8(ascii: "["), count: 100_000))?.offset == 512)
    #expect(fault(of: String(repeating: "{\"a\":", count: 100_000))?.reason == .tooDeep(maximum: 512))
    #expect(fault(of: nested(100_000), maximumDepth: 100_000) == nil)
  }

  @Test("many siblings count as one level")
  func wide() throws {
    let text = "[" + Array(repeating: "[]", count: 20_000).joined(separator: ",") + "]"
    #expect(try document(text).count(0) == 20_000)
  }

  @Test(
    "a key that stands twice is refused at the second one, whatever spells it",
    arguments: [
      (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"b":2,"a":1}"#, 13), (#"{"a":1,"\u0061":2}"#, 7), (#"{"\u0061":1,"a":2}"#, 12),
      (#"{"é":1,"\u00e9":2}"#, 8), (#"{"😀":1,"\ud83d\ude00":2}"#, 10), (#"{"/":1,"\/":2}"#, 7), (#"{"":1,"":2}"#, 6),
      (#"[{"b":{"x":1,"x":1}}]"#, 13), (#"{"board":{"id":"good","id":"evil"}}"#, 22), (#"{"a":{},"a":[]}"#, 8),
      (#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"\u0065":0}"#, 55),
    ]
  )
  func duplicates(_ text: String, _ offset: Int) {
    #expect(fault(of: text) == JSONFault(.duplicateKey, at: offset))
  }

  @Test(
    "keys that only look alike are different",
    arguments: [
      "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"a":1,"A":2}"#, #"{"a":1,"a ":2}"#, #"{"a":1,"\\u0061":2}"#,
      #"{"a":{"a":1}}"#,
      #"[{"a":1},{"a":1}]"#, #"{"a":"a","b":"a"}"#, #"{"\n":1,"\\n":2}"#,
    ]
  )
  func distinct(_ text: String) { #expect(fault(of: text) == nil) }

  @Test("10,000 keys are told apart in the time of a sort, and the one that repeats is found")
  func manyKeys() throws {
    let members = (0..<10_000).map { "\"k\($0)\":\($0)" }
    let clock = ContinuousClock()
    let text = Array(("{" + members.joined(separator: ",") + "}").utf8)
    let started = clock.now
    #expect(try JSONDocument(text).count(0) == 10_000)
    let took = clock.now - started
    // Comparing each with each would be 50,000,000 comparisons: tens of seconds in this build.
    #expect(took < .seconds(5))
    let twice = "{" + members.joined(separator: ",") + ",\"\\u006b42\":0}"
    #expect(fault(of: twice) == JSONFault(.duplicateKey, at: twice.utf8.count - "\"\\u006b42\":0}".utf8.count))
  }

  @Test("one key 10,000 times is refused at its second place")
  func sameKeyManyTimes() {
    let text = "{" + Array(repeating: "\"k\":0", count: 10_000).joined(separator: ",") + "}"
    #expect(fault(of: text) == JSONFault(.duplicateKey, at: 7))
  }
}
