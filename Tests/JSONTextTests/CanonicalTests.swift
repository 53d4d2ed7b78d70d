import TestSupport
import Testing

@testable import JSONText

/// `isEqual` and `leafHash`: when two texts are the same JSON value.
@Suite struct CanonicalTests {
  private func areEqual(_ left: String, _ right: String) throws -> Bool {
    let (a, b) = (try document(left), try document(right))
    let equal = a.isEqual(0, to: b, 0)
    #expect(b.isEqual(0, to: a, 0) == equal)
    #expect(!equal || a.leafHash(0) == b.leafHash(0), "\(left) \(right)")
    return equal
  }

  /// Texts of 64 bytes, quotes included, whose hashes with the seed of long leaves are the same: two lanes of XXH64 come
  /// to the same state by many pairs of words.
  private func collidingNames(_ count: Int) -> [String] {
    let (prime1, prime2): (UInt64, UInt64) = (0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F)
    let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    var inverse = prime2
    for _ in 0..<6 { inverse = inverse &* (2 &- prime2 &* inverse) }
    var random = SeededGenerator(seed: 7)
    func pairs(_ lane: UInt64, _ wanted: Int) -> [(UInt64, UInt64)] {
      let printable = (0x20...0x7E).filter { $0 != 0x22 && $0 != 0x5C }.map(UInt64.init)
      func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | random.pick(printable) } }
      func after(_ word: UInt64) -> UInt64 {
        let sum = lane &+ word &* prime2
        return (sum << 31 | sum >> 33) &* prime1
      }
      let first = (word(), word())
      let target = after(first.0) &+ first.1 &* prime2
      var found = [first]
      while found.count < wanted {
        let one = word()
        let other = (target &- after(one)) &* inverse
        let bytes = withUnsafeBytes(of: other) { Array($0) }
        if bytes.allSatisfy({ printable.contains(UInt64($0)) }) { found.append((one, other)) }
      }
      return found
    }
    let side = Int(Double(count).squareRoot().rounded(.up))
    let (second, third) = (pairs(seed &+ prime2, side), pairs(seed, side))
    return (0..<count).map { number in
      let (a, b) = (second[number / side], third[number % side])
      let kept = UInt64(0x6B6B_6B6B_6B6B_6B6B)
      let words = [kept, a.0, b.0, kept, kept, a.1, b.1, kept]
      let bytes = words.flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
      return String(decoding: bytes[1..<63], as: UTF8.self)
    }
  }

  @Test("members whose names were made to share a hash are compared as fast as others", .timeLimit(.minutes(1)))
  func collisions() throws {
    let names = collidingNames(10_000)
    #expect(Set(try names.prefix(100).map { try document("\"\($0)\"").leafHash(0) }).count == 1, "they do share it")
    func object(_ names: some Sequence<String>) -> String {
      "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    }
    #expect(try document(object(names)).isEqual(0, to: document(object(names.reversed())), 0))
    #expect(try !document(object(names)).isEqual(0, to: document(object(names.dropLast() + ["other"])), 0))
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
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun &+ UInt64(run))
    let value = Value.random(&random)
    let one = try JSONDocument(Rendering.odd(value, &random))
    let other = try JSONDocument(Rendering.odd(value.shuffled(&random), &random))
    let altered = try JSONDocument(Rendering.odd(value.altered(&random).shuffled(&random), &random))
    let note: Comment = "seed \(SeededGenerator.seedOfThisRun), run \(run): \(string(one.bytes))"
    #expect(one.isEqual(0, to: other, 0) && one.leafHash(0) == other.leafHash(0), note)
    #expect(!one.isEqual(0, to: altered, 0), note)
  }

  /// The hash as it is defined, over a value instead of a text.
  private func definition(_ value: Value) -> UInt64 {
    switch value {
    case .null: definition("null")
    case .bool(let flag): definition("\(flag)")
    case .number(let spelling): definition(spelling)
    case .string(let text): definition("\"\(text)\"")
    case .array(let elements): elements.reduce(definition("[")) { $0 &+ definition($1) }
    case .object(let members):
      members.reduce(definition("{")) { $0 &+ definition(.string($1.key)) &+ definition($1.value) }
    }
  }

  private func definition(_ text: String) -> UInt64 {
    let bytes = Array(text.utf8)
    if bytes.count > 16 { return XXH64.hash(bytes, seed: 0x9E37_79B9_7F4A_7C15) }
    // Its first word and its last, or all of it at the top of one.
    func word(_ piece: ArraySlice<UInt8>) -> UInt64 {
      piece.reversed().reduce(0) { $0 << 8 | UInt64($1) } << UInt64(64 - 8 * piece.count)
    }
    let first = word(bytes.prefix(8)) ^ 0x9E37_79B9_7F4A_7C15
    let product = first.multipliedFullWidth(by: word(bytes.suffix(8)) ^ (0xA076_1D64_78BD_642F &+ UInt64(bytes.count)))
    return product.high ^ product.low
  }

  @Test(
    "the hash is the defined one, however the text is written and wherever in it the value stands",
    arguments: 0..<150
  )
  func defined(_ run: Int) throws {
    var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun &+ UInt64(run))
    let value = Value.random(&random)
    let text = try JSONDocument(Rendering.odd(value, &random))
    let note: Comment = "seed \(SeededGenerator.seedOfThisRun), run \(run): \(string(text.bytes))"
    #expect(text.leafHash(0) == definition(value), note)
    let around = try JSONDocument(Array("[".utf8) + text.bytes + Array(",\"and some more\"]".utf8))
    #expect(around.leafHash(1) == definition(value), note)
  }

  @Test(
    "another byte in a string or a number, or one more, makes another hash",
    arguments: [1, 3, 4, 7, 8, 9, 13, 15, 16, 17, 31, 32, 40]
  )
  func sensitive(_ length: Int) throws {
    let text = (0..<length).map { UInt8(ascii: "1") + UInt8($0 % 9) }
    var hashes: Set<UInt64> = []
    var texts: Set<[UInt8]> = [text, text + [0x31]]
    for place in text.indices {
      var other = text
      other[place] = other[place] == 0x39 ? 0x31 : other[place] + 1
      texts.insert(other)
      if place > 0 {
        other = text
        other.swapAt(place, place - 1)
        texts.insert(other)
      }
    }
    for text in texts {
      hashes.insert(try JSONDocument(text).leafHash(0))
      hashes.insert(try JSONDocument([Byte.quote] + text + [Byte.quote]).leafHash(0))
    }
    #expect(hashes.count == 2 * texts.count)
  }

  @Test("pairs named as unordered may come in any order, but stay pairs")
  func pairs() throws {
    let one = try document(#"{"stacks":["a",[1,2],{"b":{}},[3]]}"#)
    let moved = try document(#"{"stacks":[{"b":{}},[3],"\u0061",[1,2]]}"#)
    let crossed = try document(#"{"stacks":["a",[3],{"b":{}},[1,2]]}"#)
    let inner = try document(#"{"stacks":["a",[2,1],{"b":{}},[3]]}"#)
    let stacks = try #require(one.member(0, "stacks"))
    #expect(!one.isEqual(0, to: moved, 0))
    #expect(one.isEqual(0, to: moved, 0, unorderedPairs: [stacks], otherPairs: [stacks]))
    #expect(one.leafHash(0) == moved.leafHash(0))
    for other in [crossed, inner] {
      #expect(!one.isEqual(0, to: other, 0, unorderedPairs: [stacks], otherPairs: [stacks]))
    }
  }

  @Test("the hash of a value never changes from release to release, since it is stored")
  func stored() throws {
    let state = #"{"stacks":{"boards":[{"board":{"id":"b1"}},3,null,true]},"selectedTab":"bo\u0061rds"}"#
    #expect(try document(state).leafHash(0) == 0x59FC_1F3D_E415_77B2)
    let pairs = try document(#"{"stacks":["a",[1,2.50],{"b":{}},[[],null,false],"odd"],"values":{"a longer text":1}}"#)
    #expect(pairs.leafHash(0) == 0xF460_344D_D22A_079E)
  }
}
