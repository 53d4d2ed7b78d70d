import SceneModel
import Testing

@Suite struct SceneNameTests {
  @Test(
    "a tab id or presentation may stand once, whatever its forms",
    arguments: [
      #"{"stacks":["a",[],"a",[]]}"#, #"{"stacks":["a",[],{"a":{}},[]]}"#, #"{"stacks":[7,[],"7",[]]}"#,
      #"{"stacks":[{"a":{}},[],"\u0061",[]]}"#, #"{"modals":["sheet","x",{"sheet":{}},"y"]}"#,
    ]
  )
  func repeated(state: String) {
    guard case .invalid(let path, let reason) = fault(of: state) else {
      Issue.record("must be refused")
      return
    }
    #expect(path.hasSuffix("/2"))
    #expect(reason.contains("once"))
  }

  @Test("a repeated tab id is found among many, and letters composed and decomposed make two")
  func many() {
    let pairs = (0..<500).map { "\($0),[]" }.joined(separator: ",")
    #expect(fault(of: #"{"stacks":[\#(pairs)]}"#) == nil)
    #expect(fault(of: #"{"stacks":[\#(pairs),"499",[]]}"#) != nil)
    #expect(fault(of: #"{"stacks":[\#(pairs),"3",[]]}"#) != nil)
    #expect(fault(of: "{\"stacks\":[\"\u{E9}\",[],\"e\u{301}\",[]]}") == nil)
  }

  @Test("a tab id or presentation of more than 255 bytes goes beyond a limit, in each form")
  func tooLong() {
    let long = String(repeating: "7", count: 256)
    let tab = StateFault.limit(name: "tab id", maximum: 255, actual: 256)
    #expect(fault(of: #"{"stacks":{"\#(long)":[]}}"#) == tab)
    #expect(fault(of: #"{"stacks":["\#(long)",[]]}"#) == tab)
    #expect(fault(of: #"{"stacks":[\#(long),[]]}"#) == tab)
    #expect(fault(of: #"{"selectedTab":{"\#(long)":{}}}"#) == tab)
    #expect(
      fault(of: #"{"modals":{"\#(long)":"x"}}"#) == .limit(name: "presentation", maximum: 255, actual: 256)
    )
    #expect(fault(of: #"{"stacks":{"\#(String(repeating: "7", count: 255))":[]}}"#) == nil)
  }

  @Test(
    "a control character or an empty name is refused, also where it is escaped",
    arguments: [
      (#"{"stacks":{"a\u001b[2J":[]}}"#, "/stacks/a\u{1B}[2J"), (#"{"stacks":{"":[]}}"#, "/stacks/"),
      (#"{"stacks":["a\n",[]]}"#, "/stacks/0"), (#"{"selectedTab":"\u009b"}"#, "/selectedTab"),
      (#"{"modals":{"\u007f":"x"}}"#, "/modals/\u{7F}"), (#"{"stacks":[{"":{}},[]]}"#, "/stacks/0"),
    ]
  )
  func controlCharacters(state: String, place: String) {
    guard case .invalid(let path, let reason) = fault(of: state) else {
      Issue.record("must be refused")
      return
    }
    #expect(path == place)
    #expect(!reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test("each form comes back as it was, and emptied names the id")
  func forms() throws {
    let state = #"{"stacks":[{"boards":{}},[{"card":{"cardID":1}}],0,[{"card":{"cardID":1}}],"in/box",[]]}"#
    let result = try restore(state, ["card": []])
    #expect(result.text == #"{"stacks":[{"boards":{}},[],0,[],"in/box",[]]}"#)
    #expect(result.emptied == ["boards", "0"])
    #expect(result.paths == ["/stacks/1/0", "/stacks/3/0"])
  }
}
