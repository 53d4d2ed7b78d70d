import Testing

@testable import JSONText

/// The tape's room is guessed from the text's length: texts that are denser than most are walked a second time.
@Suite struct JSONWalkTests {
  @Test("texts with a node for every second byte have all their nodes", arguments: [0, 1, 2, 3, 7, 8, 9, 100, 10_001])
  func dense(_ count: Int) throws {
    let digits = try document("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]")
    #expect(digits.count(0) == count && digits.next(0) == count + 1)
    let lists = try document("[" + Array(repeating: "[]", count: count).joined(separator: ",") + "]")
    #expect(lists.count(0) == count && lists.next(0) == count + 1)
    let nested = try JSONDocument(
      Array((String(repeating: "[", count: count + 1) + String(repeating: "]", count: count + 1)).utf8),
      maximumDepth: .max
    )
    #expect(nested.next(0) == count + 1)
  }

  @Test("texts that end anywhere in a dense text are refused where they end, whatever is open")
  func cutOff() {
    let whole = Array(String(repeating: #"[1,{"":[2,"#, count: 60).utf8)
    for length in 1..<whole.count {
      #expect(throws: JSONFault(.unexpectedEnd, at: length)) {
        try JSONDocument(Array(whole[..<length]), maximumDepth: .max)
      }
    }
    #expect(throws: JSONFault(.unexpectedEnd, at: 512)) { try JSONDocument([UInt8](repeating: 0x5B, count: 512)) }
    #expect(throws: JSONFault(.tooDeep(maximum: 512), at: 512)) {
      try JSONDocument([UInt8](repeating: 0x5B, count: 513))
    }
  }

  @Test(
    "a key that stands twice is found among few and among many, and the first one is told",
    arguments: [2, 8, 9, 500]
  )
  func duplicates(_ count: Int) {
    for second in 1..<min(count, 20) {
      var keys = (0..<count).map { "key\($0)" }
      keys[second] = "k\\u0065y0"
      keys[count - 1] = "key0"
      let members = keys.map { #""\#($0)":{"a":1,"b":[]}"# }
      let text = "{" + members.joined(separator: ",") + "}"
      let place = 1 + members[..<second].reduce(0) { $0 + $1.utf8.count + 1 }
      #expect(throws: JSONFault(.duplicateKey, at: place)) { try JSONDocument(Array(text.utf8)) }
    }
  }
}
