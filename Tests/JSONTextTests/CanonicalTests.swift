import Testing

@testable import JSONText

/// `canonicalHash` and `isEqual`: when two texts are the same JSON value.
@Suite struct CanonicalTests {
  private func areEqual(_ left: String, _ right: String) throws -> Bool {
    let (a, b) = (try document(left), try document(right))
    let equal = a.isEqual(0, to: b, 0)
    #expect(b.isEqual(0, to: a, 0) == equal)
    #expect((a.canonicalHash(0) == b.canonicalHash(0)) == equal, "\(left) \(right)")
    return equal
  }

  @Test(
    "order of members, white space and escapes mean nothing",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), ("[1,2]", " [ 1 , 2 ] "), (#""é""#, #""\u00e9""#),
      (#""a/b""#, #""a\/b""#),
      (#"{"a":{"x":1,"y":[]}}"#, #"{"\u0061":{"y":[ ],"x":1}}"#), (#""😀""#, #""\uD83D\uDE00""#),
      (
        #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9}"#,
        #"{"i":9,"h":8,"g":7,"f":6,"e":5,"d":4,"c":3,"b":2,"a":1}"#
      ),
    ]
  )
  func same(_ left: String, _ right: String) throws { #expect(try areEqual(left, right)) }

  @Test(
    "order of elements, kinds, spellings of numbers and code points do",
    arguments: [
      ("[1,2]", "[2,1]"), ("1", "1.0"), ("1e3", "1000"), ("0", "-0"), ("1e1", "1E1"), ("1", #""1""#),
      ("null", #""null""#),
      ("true", "false"), ("[]", "{}"), ("[]", "null"), ("[[]]", "[]"), ("[[1],2]", "[[1,2]]"), ("[1]", "[1,1]"),
      (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#),
      (#"{"a":"b"}"#, #"{"b":"a"}"#),
      ("\"\u{E9}\"", "\"e\u{301}\""), (#""""#, "[]"), (#"{"a":{"b":1}}"#, #"{"b":{"a":1}}"#),
      (#"["a",1]"#, #"{"a":1}"#),
      ("0", "false"), (#"{"a":[1],"b":[2]}"#, #"{"a":[2],"b":[1]}"#), ("\"a\"", "\"a\u{200D}\""),
    ]
  )
  func different(_ left: String, _ right: String) throws { #expect(try !areEqual(left, right)) }

  @Test("a value written in two ways is equal, with one thing changed it is not", arguments: 0..<150)
  func generated(_ run: Int) throws {
    var random = Seeded(Seeded.ofThisRun &+ UInt64(run))
    let value = Value.random(&random)
    let one = try JSONDocument(Rendering.odd(value, &random))
    let other = try JSONDocument(Rendering.odd(value.shuffled(&random), &random))
    let altered = try JSONDocument(Rendering.odd(value.altered(&random).shuffled(&random), &random))
    let note: Comment = "seed \(Seeded.ofThisRun), run \(run): \(string(one.bytes))"
    #expect(one.isEqual(0, to: other, 0) && one.canonicalHash(0) == other.canonicalHash(0), note)
    #expect(!one.isEqual(0, to: altered, 0) && one.canonicalHash(0) != altered.canonicalHash(0), note)
  }

  /// The hash as it is defined, over a value instead of a text.
  private func definition(_ value: Value) -> UInt64 {
    func seed(_ kind: JSONKind) -> UInt64 { XXH64.avalanche(UInt64(kind.rawValue) &+ 1) }
    return switch value {
    case .null: seed(.null)
    case .bool(let flag): seed(flag ? .true : .false)
    case .number(let spelling): XXH64.hash(Array(spelling.utf8), seed: seed(.number))
    case .string(let text): XXH64.hash(Array(text.utf8), seed: seed(.string))
    case .array(let elements):
      XXH64.avalanche(elements.reduce(seed(.array)) { XXH64.fold($0, definition($1)) })
    case .object(let members):
      members.reduce(seed(.object)) {
        $0 &+ XXH64.avalanche(XXH64.fold(definition(.string($1.key)), definition($1.value)))
      }
    }
  }

  @Test("the hash is the defined one, however the text is written", arguments: 0..<150)
  func defined(_ run: Int) throws {
    var random = Seeded(Seeded.ofThisRun &+ UInt64(run))
    let value = Value.random(&random)
    let text = try JSONDocument(Rendering.odd(value, &random))
    #expect(
      text.canonicalHash(0) == definition(value),
      "seed \(Seeded.ofThisRun), run \(run): \(string(text.bytes))"
    )
  }

  @Test("pairs named as unordered may come in any order, but stay pairs")
  func pairs() throws {
    let one = try document(#"{"stacks":["a",[1,2],{"b":{}},[3]]}"#)
    let moved = try document(#"{"stacks":[{"b":{}},[3],"\u0061",[1,2]]}"#)
    let crossed = try document(#"{"stacks":["a",[3],{"b":{}},[1,2]]}"#)
    let inner = try document(#"{"stacks":["a",[2,1],{"b":{}},[3]]}"#)
    let stacks = try #require(one.member(0, "stacks"))
    #expect(!one.isEqual(0, to: moved, 0) && one.canonicalHash(0) != moved.canonicalHash(0))
    let hash = one.canonicalHash(0, unorderedPairs: [stacks])
    #expect(one.isEqual(0, to: moved, 0, unorderedPairs: [stacks], otherPairs: [stacks]))
    #expect(hash == moved.canonicalHash(0, unorderedPairs: [stacks]))
    for other in [crossed, inner] {
      #expect(!one.isEqual(0, to: other, 0, unorderedPairs: [stacks], otherPairs: [stacks]))
      #expect(hash != other.canonicalHash(0, unorderedPairs: [stacks]))
    }
  }

  @Test("the hash of a value never changes from release to release, since it is stored")
  func stored() throws {
    let state = #"{"stacks":{"boards":[{"board":{"id":"b1"}},3,null,true]},"selectedTab":"bo\u0061rds"}"#
    #expect(try document(state).canonicalHash(0) == 0x46D2_8617_7591_CE78)
    let pairs = try document(#"{"stacks":["a",[1,2.50],{"b":{}},[[],null,false],"odd"]}"#)
    #expect(pairs.canonicalHash(0) == 0x4C7C_D555_C188_535B)
    #expect(pairs.canonicalHash(0, unorderedPairs: [try #require(pairs.member(0, "stacks"))]) == 0xA1D7_1EF2_0E7D_FE2F)
  }
}
