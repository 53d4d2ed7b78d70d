import JSONText
import RestoreInterface
import Varlink

/// Makes JSON values of the types that the interface's text declares.
struct Samples {
  let text: InterfaceText

  init() throws { text = try InterfaceText(parsing: RestoredInterface.text) }

  /// The type that a name stands for, and whether it may be left out.
  func resolved(_ type: InterfaceText.FieldType) -> (type: InterfaceText.FieldType, isOptional: Bool) {
    switch type {
    case .optional(let inner): (resolved(inner).type, true)
    case .named(let name): (text.types.first { $0.name == name }?.type ?? .any, false)
    default: (type, false)
    }
  }

  /// A value of the type.
  func value(_ type: InterfaceText.FieldType) -> String {
    switch resolved(type).type {
    case .bool: "true"
    case .int: "7"
    case .float: "1.5"
    case .string: #""text""#
    case .object, .any, .map: #"{"x":1}"#
    case .enum(let words): "\"\(words[words.count - 1])\""
    case .struct(let fields): object(fields)
    case .array(let element): "[\(value(element)),\(value(element))]"
    case .named, .optional: "null"
    }
  }

  /// Values that are not of the type.
  func wrong(_ type: InterfaceText.FieldType) -> [String] {
    switch resolved(type).type {
    case .bool: ["1", #""true""#, "{}", "[]"]
    case .int: ["true", "1.5", "1e3", #""7""#, "{}", "[]", "99999999999999999999"]
    case .string: ["7", "true", "{}", "[]", #""\ud800""#, "\"\\u0000\""]
    case .enum: [#""nonsense""#, "7", "{}"]
    case .object, .struct: ["7", #""{}""#, "[]", "true"]
    case .array(let element): ["7", "{}"] + wrong(element).map { "[\($0)]" }
    default: []
    }
  }

  /// An object with a value for each field, but those left out or replaced.
  func object(
    _ fields: [InterfaceText.Field],
    without: String? = nil,
    replacing: (name: String, value: String)? = nil
  ) -> String {
    let members = fields.filter { $0.name != without }.map { field in
      "\"\(field.name)\":\(replacing?.name == field.name ? replacing?.value ?? "" : value(field.type))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// Where `document`'s value at `node` is not of the type: the pointer and what is wrong, or nil.
  func mismatch(_ document: JSONDocument, _ node: Int, _ type: InterfaceText.FieldType) -> String? {
    let kind = document.kind(node)
    let place = document.pointer(to: node)
    func unless(_ holds: Bool) -> String? { holds ? nil : "\(place) is \(kind.phrase)" }
    switch resolved(type).type {
    case .bool: return unless(kind == .true || kind == .false)
    case .int: return unless(JSONScalar.int(document.text(node)) != nil)
    case .string: return unless(kind == .string)
    case .enum(let words): return unless(words.contains(document.string(node)))
    case .object, .any, .map: return unless(kind == .object)
    case .struct(let fields): return mismatch(document, node, fields)
    case .array(let element):
      guard kind == .array else { return unless(false) }
      return document.elements(node).lazy.compactMap { mismatch(document, $0, element) }.first
    case .float: return unless(kind == .number)
    case .named, .optional: return "\(place): unresolved"
    }
  }

  /// As above, of an object that must have these fields and no others.
  func mismatch(_ document: JSONDocument, _ node: Int, _ fields: [InterfaceText.Field]) -> String? {
    guard document.kind(node) == .object else { return "\(document.pointer(to: node)) is no object" }
    var missing = Set(fields.filter { !resolved($0.type).isOptional }.map(\.name))
    for (key, value) in document.members(node) {
      guard let field = fields.first(where: { $0.name == document.string(key) }) else {
        return "\(document.pointer(to: value)) is in no declaration"
      }
      missing.remove(field.name)
      if let fault = mismatch(document, value, field.type) { return fault }
    }
    return missing.isEmpty ? nil : "\(document.pointer(to: node)) lacks \(missing.sorted())"
  }
}
