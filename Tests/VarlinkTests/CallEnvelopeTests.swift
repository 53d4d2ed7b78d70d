import Testing

@testable import Varlink

@Suite struct CallEnvelopeTests {
  private func read(_ text: String) throws(EnvelopeFault) -> CallEnvelope { try CallEnvelope(ArraySlice(text.utf8)) }

  private func fault(_ text: String) -> EnvelopeFault? {
    do throws(EnvelopeFault) { _ = try read(text) } catch { return error }
    return nil
  }

  @Test("members in any order and unknown ones are read, parameters byte for byte")
  func reads() throws {
    let envelope = try read(#" {"x":[1], "more" : true,"parameters":{"a": 1.0 }, "method":"a.b.C","oneway":null} "#)
    #expect(Array(envelope.method) == Array(#""a.b.C""#.utf8))
    #expect(Array(envelope.parameters) == Array(#"{"a": 1.0 }"#.utf8))
    #expect(envelope.more)
    #expect(!envelope.oneway)
    #expect(!envelope.upgrade)
  }

  @Test(
    "parameters left out or null are none",
    arguments: [#"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":null}"#]
  )
  func noParameters(text: String) throws {
    #expect(Array(try read(text).parameters) == Array("{}".utf8))
  }

  @Test("an escaped key is the same key")
  func escapedKeys() throws {
    #expect(try read(#"{"m\u0065thod":"a.b.C"}"#).method.count == 7)
    #expect(fault(#"{"method":"a.b.C","m\u0065thod":"a.b.D"}"#) == .member("method", oneway: false))
  }

  @Test(
    "a member that is missing, there twice or of the wrong type is named, with whether a reply is wanted",
    arguments: [
      (#"{}"#, "method", false), (#"{"method":1}"#, "method", false), (#"{"method":null}"#, "method", false),
      (#"{"method":"a.b.C","method":"a.b.C"}"#, "method", false),
      (#"{"method":"a.b.C","more":1}"#, "more", false),
      (#"{"method":"a.b.C","more":"true","oneway":true}"#, "more", true),
      (#"{"method":"a.b.C","oneway":0}"#, "oneway", false),
      (#"{"method":"a.b.C","upgrade":[]}"#, "upgrade", false),
      (#"{"oneway":true}"#, "method", true),
      (#"{"method":"a.b.C","parameters":{},"parameters":{}}"#, "parameters", false),
    ]
  )
  func wrongMembers(text: String, member: String, oneway: Bool) {
    #expect(fault(text) == .member(member, oneway: oneway))
  }

  @Test("parameters that are no object are a fault of their own", arguments: ["[]", "1", #""{}""#, "true"])
  func parametersOfAnotherType(value: String) {
    #expect(fault(#"{"method":"a.b.C","parameters":\#(value)}"#) == .parameters(oneway: false))
  }

  @Test(
    "what is no object is unreadable",
    arguments: [
      "", " ", "null", "[]", "{", "{}}", "{} {}", #"{"method":"a.b.C""#, #"{"method":"a.b.C",}"#, #"{"method"}"#,
      #"{"method":"a.b.C"} x"#, #"{'method':"a.b.C"}"#,
      "\u{FEFF}{}", #"{"method":"a.b.C" "more":true}"#,
    ].map { $0 }
  )
  func unreadable(text: String) {
    #expect(fault(text) == .unreadable)
  }

  @Test("the beginning of a message shows whether a reply is wanted")
  func beginnings() {
    func wants(_ text: String) -> Bool { CallEnvelope.wantsReply(beginning: ArraySlice(text.utf8)) }
    #expect(wants(#"{"method":"a.b.C","parameters":{"x":"yy"#))
    #expect(!wants(#"{"method":"a.b.C","oneway":true,"parameters":{"x":"#))
    #expect(!wants(#"{"parameters":{"x":"yy"#))
    #expect(!wants("xxxx"))
  }

  @Test(
    "parameters of a message that may hold a state are split in passing, and the state is read where it is not large"
  )
  func splits() throws {
    for (length, isSplit, isRead) in [
      (400, false, false), (600, true, true), (60_000, true, true), (70_000, true, false),
    ] {
      let state = #"{"x":"\#(String(repeating: "a", count: length))"}"#
      let envelope = try read(#"{"method":"a.b.C","parameters":{"app":"b","state":\#(state)},"more":true}"#)
      #expect((envelope.split != nil) == isSplit && envelope.more)
      #expect(String(decoding: envelope.parameters, as: UTF8.self) == #"{"app":"b","state":\#(state)}"#)
      guard let split = envelope.split else { continue }
      #expect(split.members.count == 2 && split.isNamed(1, "state") && (split.reading(of: 1) != nil) == isRead)
      #expect(Array(split.text[split.members[1].value]) == Array(state.utf8))
    }
  }

  @Test("what is no object, is not sound or stands twice is told as in a short message")
  func splitsNoFaults() throws {
    let padding = String(repeating: " ", count: 600)
    #expect(fault(#"{"method":"a.b.C","parameters":[]\#(padding)}"#) == .parameters(oneway: false))
    #expect(
      fault(#"{"method":"a.b.C","parameters":{"a":{}},\#(padding)"parameters":{}}"#)
        == .member("parameters", oneway: false)
    )
    let broken = try read(#"{"method":"a.b.C","parameters":{"a" 1}\#(padding)}"#)
    #expect(broken.split == nil && broken.parameters.count == 7)
    #expect(try read(#"{"method":"a.b.C","parameters":null\#(padding)}"#).split == nil)
  }
}
