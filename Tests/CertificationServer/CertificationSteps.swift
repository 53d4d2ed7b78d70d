/// One call of the certification: what it has to bring, and what it gets.
struct CertificationStep {
  enum Manner { case single, more, oneway }

  /// The method's bare name.
  let method: String
  let manner: Manner
  /// The parameters beside `client_id`, as JSON members; any of the spellings will do.
  let wants: [String]
  /// The parameters of each reply.
  let replies: [String]

  init(_ method: String, _ manner: Manner = .single, wants: [String], replies: [String]) {
    self.method = method
    self.manner = manner
    self.wants = wants
    self.replies = replies
  }

  /// The calls after `Start`, in this order.
  ///
  /// Each call brings what the reply before it held.
  static let all: [CertificationStep] = [
    .init("Test01", wants: [""], replies: [bool]),
    .init("Test02", wants: [bool], replies: [int]),
    .init("Test03", wants: [int], replies: [float]),
    .init("Test04", wants: [float, wholeFloat], replies: [string]),
    .init("Test05", wants: [string], replies: [scalars]),
    .init("Test06", wants: [scalars], replies: [structure]),
    .init("Test07", wants: [structure], replies: [map]),
    .init("Test08", wants: [map], replies: [set]),
    .init("Test09", wants: [set], replies: [myType(nullable)]),
    .init("Test10", .more, wants: withoutSomeNulls.map(myType), replies: numbered.map { #""string":"\#($0)""# }),
    .init("Test11", .oneway, wants: [#""last_more_replies":[\#(quoted)]"#], replies: []),
    .init("End", wants: [""], replies: [#""all_ok":true"#]),
  ]

  private static let bool = #""bool":true"#
  private static let int = #""int":1"#
  private static let float = #""float":1.0"#
  /// One value, as a client writes it that drops the fraction.
  private static let wholeFloat = #""float":1"#
  private static let string = #""string":"ping""#
  private static let scalars = #""bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string""#
  private static let structure = #""struct":{\#(scalars)}"#
  private static let map = #""map":{"foo":"Foo","bar":"Bar"}"#
  private static let set = #""set":{"one":{},"two":{},"three":{}}"#
  private static let numbered = (1...10).map { "Reply number \($0)" }
  private static let quoted = numbered.map { "\"\($0)\"" }.joined(separator: ",")

  private static let nullable = #""nullable":null,"nullable_array_struct":null,"#
  /// What is null may be left out.
  private static let withoutSomeNulls = [nullable, "", #""nullable":null,"#, #""nullable_array_struct":null,"#]

  private static func myType(_ nulls: String) -> String {
    #"""
    "mytype":{\#(nulls)
      "object":{"method":"org.varlink.certification.Test09","parameters":{"map":{"foo":"Foo","bar":"Bar"}}},
      "enum":"two","struct":{"first":1,"second":"2"},"array":["one","two","three"],
      "dictionary":{"foo":"Foo","bar":"Bar"},"stringset":{"one":{},"two":{},"three":{}},
      "interface":{"foo":[null,{"foo":"foo","bar":"bar"},null,{"one":"foo","two":"bar"}],
                   "anon":{"foo":true,"bar":false}}}
    """#
  }
}
