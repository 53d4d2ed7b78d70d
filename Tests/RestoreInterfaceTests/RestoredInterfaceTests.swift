import JSONText
import RestoreInterface
import SceneModel
import Testing

@testable import Varlink

@Suite("The types that read and write calls match the interface's text")
struct RestoredInterfaceTests {
  let samples: Samples

  init() throws { samples = try Samples() }

  @Test("every method of the text has its types, in the same order, and no other has")
  func allMethods() {
    #expect(samples.text.name == RestoredInterface.name)
    #expect(RestoredInterface.methods.map { $0.name } == samples.text.methods.map(\.name))
  }

  @Test("parameters with every field of the text are read, written and read again alike")
  func completeParameters() throws {
    for method in samples.text.methods { try checkParameters(try type(method), method) }
  }

  @Test("replies with every field of the text are read, written and read again alike")
  func completeReplies() throws {
    for method in samples.text.methods { try checkReply(try type(method), method) }
  }

  @Test("a required field that is missing or null is named, an optional one may be left out")
  func missingFields() throws {
    for method in samples.text.methods {
      let type = try type(method)
      for field in method.input {
        let isOptional = samples.resolved(field.type).isOptional
        for text in [
          samples.object(method.input, without: field.name),
          samples.object(method.input, replacing: (field.name, "null")),
        ] {
          #expect(
            fault(type, text) == (isOptional ? nil : .invalidParameter(field.name)),
            "\(method.name) \(text)"
          )
        }
      }
    }
  }

  @Test("a field of the wrong type is named")
  func wrongTypes() throws {
    for method in samples.text.methods {
      let type = try type(method)
      for field in method.input {
        for value in samples.wrong(field.type) {
          let text = samples.object(method.input, replacing: (field.name, value))
          #expect(fault(type, text) == .invalidParameter(field.name), "\(method.name) \(text)")
        }
      }
    }
  }

  @Test("a field that the text does not declare, and one that stands twice, are named")
  func unknownFields() throws {
    for method in samples.text.methods {
      let type = try type(method)
      let empty = method.input.isEmpty
      let unknown = samples.object(method.input).dropLast() + (empty ? "" : ",") + #""scnee":1}"#
      #expect(fault(type, String(unknown)) == .invalidParameter("scnee"), "\(method.name)")
      if let first = method.input.first {
        #expect(fault(type, samples.object(method.input + [first])) == .invalidParameter(first.name))
      }
    }
  }

  @Test("every error of the text is written as declared and read again alike")
  func errors() throws {
    for declared in samples.text.errors {
      let text = samples.object(declared.fields)
      let error = try #require(
        InterfaceError(name: "io.restored.\(declared.name)", parameters: Array(text.utf8)[...]),
        "\(declared.name)"
      )
      #expect(error.name == "io.restored.\(declared.name)")
      let written = try JSONDocument(error.parameters)
      #expect(samples.mismatch(written, written.root, declared.fields) == nil)
      #expect(InterfaceError(name: error.name, parameters: error.parameters[...]) == error)
      #expect(InterfaceError(name: error.name, parameters: Array("{}".utf8)[...]) == nil)
    }
    #expect(InterfaceError(name: "io.restored.Nonsense", parameters: Array("{}".utf8)[...]) == nil)
    #expect(InterfaceError(name: "org.other.SceneNotFound", parameters: Array("{}".utf8)[...]) == nil)
  }

  @Test("the words of each enum are those of the text")
  func words() {
    func words(_ name: String) -> [String] {
      guard case .enum(let words) = samples.resolved(.named(name)).type else { return [] }
      return words
    }
    #expect(GuardOutcome.allCases.map(\.rawValue) == words("GuardOutcome"))
    #expect(WatchEventType.allCases.map(\.rawValue) == words("EventType"))
    #expect(Health.allCases.map(\.rawValue) == words("Health"))
    #expect(DropReason.allCases.map(\.rawValue) == words("DropReason"))
    #expect(["drop", "truncate", "keep"].map { StalePolicy(rawValue: $0)?.rawValue } == words("StalePolicy"))
  }

  @Test("more ids than one call may bring are counted, not kept")
  func idLimit() {
    let ids = String(repeating: "\"x\",", count: 10_000) + "\"x\""
    let text = #"{"app":"a","kind":"k","ids":[\#(ids)]}"#
    #expect(
      fault(PutEntities.self, text) == .limitExceeded(limit: "ids", maximum: 10_000, actual: 10_001)
    )
  }

  @Test("parameters that were split in passing are read as they are by themselves")
  func split() {
    let padding = String(repeating: "x", count: 600)
    for parameters in [
      #"{"app":"a","scene":"\#(padding)","state":{"stacks":{}}}"#,
      #"{"app":"a","scene":"s","state":{"x":01,"y":"\#(padding)"}}"#,
      #"{"app":"a","scene":"s","st\u0061te":{},"autosave":true}"#, #"{"app":"a","scene":"s","state":{},"state":{}}"#,
      #"{"app":"a","scene":"s","state":{},"\#(padding)":1}"#, #"{"app":"a","scene":"s","state":{},"other":{}}"#,
      #"{"app":"a","scene":"s","state":[]}"#, #"{"app":"a","scene":"s","state":null}"#, #"{"app":"a","\q":1}"#,
      "{" + (0..<40).map { #""\#($0)":{}"# }.joined(separator: ",") + "}", #"{"app":7,"scene":"s","state":{}}"#, "{}",
    ] {
      let frame = Array(#"{"method":"io.restored.Save","more":false,"parameters":\#(parameters)}"#.utf8)
      let message = frame + [UInt8](repeating: 0x20, count: max(0, 600 - frame.count))
      let short = Result { try Save.Parameters(strictly: Array(parameters.utf8)[...]) }
      let split = Result {
        let call = try CallEnvelope(message[...])
        return try call.split.map { try Save.Parameters(strictly: $0) } ?? Save.Parameters(strictly: call.parameters)
      }
      switch (short, split) {
      case (.success(let short), .success(let split)): #expect(short.encoded == split.encoded)
      case (.failure(let short), .failure(let split)): #expect(short as? WireFault == split as? WireFault)
      default: Issue.record("\(parameters) is read as \(short) alone, and as \(split) in passing")
      }
    }
  }

  private func type(_ method: InterfaceText.MethodDeclaration) throws -> any InterfaceMethod.Type {
    try #require(RestoredInterface.methods.first { $0.name == method.name })
  }

  /// What is wrong with a call of these parameters, or nil.
  private func fault(_ method: any InterfaceMethod.Type, _ text: String) -> WireFault? {
    func read<M: InterfaceMethod>(_: M.Type) throws(WireFault) {
      _ = try M.Parameters(strictly: Array(text.utf8)[...])
    }
    do throws(WireFault) {
      try read(method)
      return nil
    } catch { return error }
  }

  private func checkParameters<M: InterfaceMethod>(
    _: M.Type,
    _ method: InterfaceText.MethodDeclaration
  ) throws { try checkRoundTrip(M.Parameters.self, method.input, method.name) }

  private func checkReply<M: InterfaceMethod>(
    _: M.Type,
    _ method: InterfaceText.MethodDeclaration
  ) throws { try checkRoundTrip(M.Reply.self, method.output, method.name) }

  private func checkRoundTrip<R: WireRecord>(
    _ record: R.Type,
    _ fields: [InterfaceText.Field],
    _ name: String
  ) throws {
    let text = samples.object(fields)
    let encoded = try R(strictly: Array(text.utf8)[...]).encoded
    let document = try JSONDocument(encoded)
    #expect(samples.mismatch(document, document.root, fields) == nil, "\(name)")
    let original = try JSONDocument(Array(text.utf8))
    #expect(document.isEqual(document.root, to: original, original.root), "\(name): \(text)")
  }
}
