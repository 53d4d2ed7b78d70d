import TestSupport
import Testing

@testable import JSONText

@Suite struct JSONSplitTests {
  private func split(_ text: String, maximum: Int = 32) -> JSONSplit {
    JSONSplit(Array(text.utf8)[...], maximum: maximum)
  }

  /// The value of the first member of a message, split in passing.
  private func passing(_ message: [UInt8], maximum: Int = 32) throws -> (place: Range<Int>, parts: JSONSplit)? {
    var skim = try JSONSkim(message[...], .object)
    guard try skim.nextKeyRange() != nil else { return nil }
    return skim.valueSplit(maximum: maximum, reading: true)
  }

  private func values(_ parts: JSONSplit) -> [[UInt8]] { parts.members.map { Array(parts.text[$0.value]) } }

  @Test("members are found by what their keys decode to")
  func names() throws {
    let object = split(#" {"app":1,"sc\u0065ne":{"a":[]} , "ké":null,"":2} "#)
    #expect(object.fault == nil && object.members.count == 4)
    #expect(object.isNamed(0, "app") && object.isNamed(1, "scene") && object.isNamed(2, "ké") && object.isNamed(3, ""))
    #expect(!object.isNamed(0, "ap") && !object.isNamed(0, "apps") && !object.isNamed(1, "sc\\u0065ne"))
    #expect(values(object).map { String(decoding: $0, as: UTF8.self) } == ["1", #"{"a":[]}"#, "null", "2"])
  }

  @Test("keys are the same where they decode to the same bytes")
  func sameNames() throws {
    let object = split("{\"app\":1,\"\\u0061pp\":2,\"\u{E9}\":3,\"e\u{301}\":4,\"K\":5,\"\u{212A}\":6,\"apq\":7}")
    #expect(try object.isSameName(0, 1) && !object.isSameName(0, 6))
    #expect(try !object.isSameName(2, 3) && !object.isSameName(4, 5))
    let broken = split(#"{"\q":1,"b":2}"#)
    #expect(throws: JSONFault.self) { try broken.isSameName(0, 1) }
  }

  @Test("members before a fault are there, and one more than are of use at most")
  func stops() {
    let broken = split(#"{"a":1,"b":[2],"c" 3}"#)
    #expect(broken.members.count == 2 && broken.fault != nil)
    #expect(split("[1]").fault == JSONFault(.unexpectedByte(0x5B), at: 0))
    let many = split("{" + (0..<50).map { "\"\($0)\":0" }.joined(separator: ",") + "}", maximum: 3)
    #expect(many.members.count == 4 && many.fault == nil)
  }

  @Test("what is split in passing is left to others where it has too many members or is not sound")
  func leaves() throws {
    for value in ["[]", "1", #"{"a":1,"b":2,"c":3}"#, #"{"a" 1}"#, #"{"a":1]"#] {
      #expect(try passing(Array("{\"p\":\(value)}".utf8), maximum: 2) == nil)
    }
    let two = try #require(try passing(Array(#"{"p":{"a":1,"b":2},"q":3}"#.utf8), maximum: 2))
    #expect(two.place == 5..<18 && two.parts.members.count == 2)
  }

  @Test("the first object is read, and its document is the one that its bytes alone have")
  func reads() throws {
    let message = Array(#"{"p":{"a":1,"state": {"x":[1,{"y":"\n"}]} ,"o":{}}}"#.utf8)
    let (_, parts) = try #require(try passing(message))
    let state = Array(parts.text[parts.members[1].value])
    let reading = try #require(parts.reading(of: 1))
    #expect(JSONDocument(state, reading).nodes.elementsEqual(try JSONDocument(state).nodes, by: same))
    #expect(parts.reading(of: 0) == nil && parts.reading(of: 2) == nil)
  }

  @Test("an object that a strict reader refuses is not read, but has its place")
  func readsNoFaults() throws {
    for state in [#"{"a":01}"#, #"{"a":1,"a":2}"#, #"{"b":"\q"}"#, "{\"b\":\"\u{1}\"}", #"{"a":{]}"#] {
      let (place, parts) = try #require(try passing(Array("{\"p\":{\"state\":\(state),\"app\":2}}".utf8)))
      #expect(parts.reading(of: 0) == nil && place.upperBound == 5 + 18 + state.utf8.count)
      #expect(values(parts) == [Array(state.utf8), [0x32]])
    }
  }

  @Test("objects of any making are split in passing as they are split by themselves")
  func differential() throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun)
    var splits = 0
    var readings = 0
    for round in 0..<1_500 {
      let value = [UInt8](#"{"a":"#.utf8) + Mutation.text(&random, isMutated: round % 2 == 0) + [Byte.braceClose]
      let message = [UInt8](#"{"p":"#.utf8) + value + [UInt8](#","q":[]}"#.utf8)
      guard let (place, parts) = try passing(message) else { continue }
      splits += 1
      var skim = try JSONSkim(message[...], .object)
      let whole = try #require(try skim.nextMember()).value
      #expect(Array(message[place]) == Array(whole))
      let alone = JSONSplit(whole, maximum: 32)
      #expect(alone.fault == nil && values(alone) == values(parts))
      let isObject = parts.text[parts.members[0].value].first == Byte.braceOpen
      let document = try? JSONDocument(values(parts)[0])
      if let reading = parts.reading(of: 0) {
        readings += 1
        #expect(try JSONDocument(values(parts)[0], reading).nodes.elementsEqual(#require(document).nodes, by: same))
      } else if isObject, let document {
        // One that is denser than most is left to be read later.
        #expect(document.nodes.count > values(parts)[0].count / 4)
      }
    }
    #expect(splits > 300 && readings > 30)
  }

  private func same(_ a: JSONNode, _ b: JSONNode) -> Bool {
    a.start == b.start && a.end == b.end && a.next == b.next && a.kind == b.kind && a.escaped == b.escaped
  }
}
