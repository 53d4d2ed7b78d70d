/// Reads an interface description, declaration by declaration.
struct InterfaceTextParser {
  /// Types inside types; far beyond what anyone writes.
  private static let maximumDepth = 32

  private var tokens: InterfaceTextTokens
  private var declared: Set<String> = []
  private var referred: [(name: String, line: Int)] = []
  private var types: [InterfaceText.TypeDeclaration] = []
  private var methods: [InterfaceText.MethodDeclaration] = []
  private var errors: [InterfaceText.ErrorDeclaration] = []

  init(_ text: String) throws(InterfaceTextFault) { tokens = try InterfaceTextTokens(text) }

  mutating func interface() throws(InterfaceTextFault) -> InterfaceText {
    try expect("interface")
    let name = try word("an interface name", InterfaceNames.isInterface)
    while let token = tokens.current {
      switch token {
      case "type": try type()
      case "method": try method()
      case "error": try error()
      default: throw fault("expected type, method or error, found \(token)")
      }
    }
    for (type, line) in referred where !types.contains(where: { $0.name == type }) {
      throw InterfaceTextFault(line: line, reason: "type \(type) is not declared")
    }
    return InterfaceText(name: name, types: types, methods: methods, errors: errors)
  }

  // MARK: Declarations

  private mutating func type() throws(InterfaceTextFault) {
    let name = try declaration()
    types.append(.init(name: name, type: try structOrEnum(depth: 0)))
  }

  private mutating func method() throws(InterfaceTextFault) {
    let name = try declaration()
    let input = try fields()
    try expect("->")
    methods.append(.init(name: name, input: input, output: try fields()))
  }

  private mutating func error() throws(InterfaceTextFault) {
    let name = try declaration()
    errors.append(.init(name: name, fields: tokens.current == "(" ? try fields() : []))
  }

  private mutating func declaration() throws(InterfaceTextFault) -> String {
    tokens.advance()
    let name = try word("a name that begins with a capital letter", InterfaceNames.isMember)
    guard declared.insert(name).inserted else { throw fault("\(name) is declared twice") }
    return name
  }

  private mutating func fields() throws(InterfaceTextFault) -> [InterfaceText.Field] {
    guard case .struct(let fields) = try structOrEnum(depth: 0) else { throw fault("fields need types") }
    return fields
  }

  // MARK: Types

  private mutating func fieldType(depth: Int) throws(InterfaceTextFault) -> InterfaceText.FieldType {
    guard depth < Self.maximumDepth else { throw fault("types are nested deeper than \(Self.maximumDepth)") }
    switch tokens.current {
    case "?":
      tokens.advance()
      guard tokens.current != "?" else { throw fault("?? says no more than ?") }
      return .optional(try fieldType(depth: depth + 1))
    case "[":
      tokens.advance()
      let isMap = tokens.current == "string"
      if isMap { tokens.advance() }
      try expect("]")
      let element = try fieldType(depth: depth + 1)
      return isMap ? .map(element) : .array(element)
    case "(": return try structOrEnum(depth: depth + 1)
    default: return try namedType()
    }
  }

  private mutating func namedType() throws(InterfaceTextFault) -> InterfaceText.FieldType {
    let line = tokens.line
    let name = try word("a type", InterfaceNames.isField)
    switch name {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "any": return .any
    default:
      referred.append((name, line))
      return .named(name)
    }
  }

  /// `(a: int, b: string)`, `(one, two)`, or `()`, which is a struct without fields.
  private mutating func structOrEnum(depth: Int) throws(InterfaceTextFault) -> InterfaceText.FieldType {
    try expect("(")
    var fields: [InterfaceText.Field] = []
    var cases: [String] = []
    var names: Set<String> = []
    while tokens.current != ")" {
      if !names.isEmpty { try expect(",") }
      let name = try word("a field name", InterfaceNames.isField)
      guard names.insert(name).inserted else { throw fault("\(name) is there twice") }
      if tokens.current == ":" {
        tokens.advance()
        fields.append(.init(name: name, type: try fieldType(depth: depth + 1)))
      } else {
        cases.append(name)
      }
      guard fields.isEmpty || cases.isEmpty else { throw fault("either all fields have a type, or none has") }
    }
    tokens.advance()
    return cases.isEmpty ? .struct(fields) : .enum(cases)
  }

  // MARK: Words

  private mutating func expect(_ token: String) throws(InterfaceTextFault) {
    guard tokens.current == token else { throw fault("expected \(token), found \(tokens.current ?? "the end")") }
    tokens.advance()
  }

  private mutating func word(_ what: String, _ isValid: (String) -> Bool) throws(InterfaceTextFault) -> String {
    guard let token = tokens.current, isValid(token) else {
      throw fault("expected \(what), found \(tokens.current ?? "the end")")
    }
    tokens.advance()
    return token
  }

  private func fault(_ reason: String) -> InterfaceTextFault { InterfaceTextFault(line: tokens.line, reason: reason) }
}

/// The words and marks of a text, without comments.
private struct InterfaceTextTokens {
  private var tokens: [(text: String, line: Int)] = []
  private var position = 0

  var current: String? { position < tokens.count ? tokens[position].text : nil }
  /// The current token's line; at the end, the last one's.
  var line: Int { tokens.isEmpty ? 1 : tokens[min(position, tokens.count - 1)].line }

  mutating func advance() { position += 1 }

  init(_ text: String) throws(InterfaceTextFault) {
    let bytes = Array(text.utf8)
    var line = 1
    var i = 0
    while i < bytes.count {
      let start = i
      switch bytes[i] {
      case UInt8(ascii: "\n"):
        line += 1
        i += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): i += 1
      case UInt8(ascii: "#"):
        while i < bytes.count, bytes[i] != UInt8(ascii: "\n") { i += 1 }
      case UInt8(ascii: "-") where bytes[i...].starts(with: "->".utf8):
        i += 2
        tokens.append(("->", line))
      case let byte where "()[]?:,".utf8.contains(byte):
        i += 1
        tokens.append((String(UnicodeScalar(byte)), line))
      default:
        while i < bytes.count, InterfaceNames.isWordByte(bytes[i]) { i += 1 }
        guard i > start else { throw InterfaceTextFault(line: line, reason: "unexpected byte \(bytes[i])") }
        tokens.append((String(decoding: bytes[start..<i], as: UTF8.self), line))
      }
    }
  }
}
