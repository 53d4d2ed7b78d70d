import Testing

@testable import Varlink

@Suite struct InterfaceTextTests {
  private func firstFault(_ text: String) -> InterfaceTextFault? {
    do throws(InterfaceTextFault) { _ = try InterfaceText(parsing: text) } catch { return error }
    return nil
  }

  @Test("every form of type is read, comments and layout aside")
  func allTypes() throws {
    let text = try InterfaceText(
      parsing: """
        # A comment ( that -> means nothing
        interface org.example-1.all2
        type Colour (red, green)
        type Empty ()
        method Do(a: ?bool, b: []int,c:[string]float, # here too
          d: ?[](x: string, y_1: object), e: Colour, f: (up, down), g: [string](), h: any) -> ()
        error Failed (why: string)
        error Bare
        """
    )
    #expect(text.name == "org.example-1.all2")
    #expect(text.types.map(\.name) == ["Colour", "Empty"])
    #expect(text.types[0].type == .enum(["red", "green"]))
    #expect(text.types[1].type == .struct([]))
    #expect(text.errors.map(\.name) == ["Failed", "Bare"])
    let method = text.methods[0]
    #expect(method.output.isEmpty)
    #expect(method.input.map(\.name) == ["a", "b", "c", "d", "e", "f", "g", "h"])
    #expect(
      method.input.map(\.type) == [
        .optional(.bool), .array(.int), .map(.float),
        .optional(.array(.struct([.init(name: "x", type: .string), .init(name: "y_1", type: .object)]))),
        .named("Colour"), .enum(["up", "down"]), .map(.struct([])), .any,
      ]
    )
  }

  @Test(
    "a fault is named with its line",
    arguments: [
      ("", 1, "expected interface"), ("interface lonely", 1, "interface name"),
      ("interface a.b\nmethod do() -> ()", 2, "capital"), ("interface a.b\n\nmethod Do() ()", 3, "expected ->"),
      ("interface a.b\ntype T (a: Unknown)", 2, "Unknown is not declared"),
      ("interface a.b\ntype T (a, b: int)", 2, "either all fields"),
      ("interface a.b\ntype T (a: int)\ntype T ()", 3, "declared twice"),
      ("interface a.b\ntype T (a: int, a: int)", 2, "there twice"),
      ("interface a.b\ntype T (a: ??int)", 2, "??"), ("interface a.b\ntype T (a_: int)", 2, "field name"),
      ("interface a.b\nwhat", 2, "found what"), ("interface a.b\ntype T (a: int", 2, "the end"),
      ("interface a.b\ntype T {}", 2, "unexpected byte"), ("interface a.-b\n", 1, "interface name"),
    ]
  )
  func faults(text: String, line: Int, reason: String) throws {
    let fault = try #require(firstFault(text))
    #expect(fault.line == line)
    #expect(fault.reason.contains(reason), "\(fault.reason)")
  }

  @Test("types nested without end are refused, and cost no stack")
  func deepTypes() throws {
    let open = String(repeating: "[]", count: 100_000)
    #expect(try #require(firstFault("interface a.b\ntype T (a: \(open)int)")).reason.contains("nested deeper"))
    let structs = String(repeating: "(a: ", count: 100_000)
    #expect(try #require(firstFault("interface a.b\ntype T (a: \(structs)")).reason.contains("nested deeper"))
  }
}
