import JSONText

/// How one route is spelled: where its case name stands, and which of its parts are its parameters.
struct Route {
  /// The parameters of a route, by the nodes that hold them.
  enum Parameters {
    /// There are none that could refer to anything.
    case none
    /// The members of the object, but for the one with the key `except`.
    case members(of: Int, except: Int?)
    /// This value alone, as `_0`.
    case value(Int)
    /// The elements of the array, as `_0`, `_1` and on.
    case elements(of: Int)
  }

  /// The node that spells the case name: a string, or an integer of a raw-value enum; nil where there is none.
  ///
  /// What it spells may still be no name at all; see `caseName(in:)`.
  private let name: Int?
  let parameters: Parameters

  private init(_ name: Int?, _ parameters: Parameters = .none) {
    self.name = name
    self.parameters = parameters
  }

  /// Reads a value as a route, by the first spelling that fits.
  ///
  /// - Parameter names: those of the route table. A lone key that is one of its cases is that case, also where it would
  ///   else be taken for another spelling: only so does a route read the same after its case was renamed.
  init(_ node: Int, in tape: JSONTape, _ names: RouteNames?) {
    switch tape.kind(node) {
    case .object: self = Self.object(node, in: tape, names)
    case .string: self.init(node)
    case .number: self.init(tape.isInteger(node) ? node : nil)
    default: self.init(nil)
    }
  }

  private static func object(_ node: Int, in tape: JSONTape, _ names: RouteNames?) -> Route {
    let members = KnownMembers(of: node, in: tape)
    if members.type != nil || members.name != nil, isCase(node, in: tape, names) {
      return Route(node + 1, .value(node + 2))
    }
    if let key = members.type {
      return Route(key + 1, .members(of: node, except: key))
    }
    if let name = members.name, !members.hasOthers {
      guard let params = members.params, tape.kind(params) == .object else {
        return Route(name)
      }
      return Route(name, .members(of: params, except: nil))
    }
    if members.count == 1 { return keyed(node, in: tape, names) }
    return Route(nil, .members(of: node, except: nil))
  }

  /// Whether the object has one member, and its key is a case of the route table.
  private static func isCase(_ node: Int, in tape: JSONTape, _ names: RouteNames?) -> Bool {
    guard let names, tape.next(node + 2) == tape.next(node) else { return false }
    return tape.withDecoded(node + 1) { names.cases.place(of: $0) } != nil
  }

  /// A route of one key, as Swift's synthesized `Codable` and serde write a case.
  private static func keyed(_ node: Int, in tape: JSONTape, _ names: RouteNames?) -> Route {
    let (key, payload) = (node + 1, node + 2)
    switch tape.kind(payload) {
    case .object:
      return Route(key, .members(of: payload, except: nil))
    case _ where tape.withDecoded(key, { ReferenceForm.kindLength(in: $0) }) != nil && !isCase(node, in: tape, names):
      // {"boardID":"b1"} is a struct with one property, and no case called boardID.
      return Route(nil, .members(of: node, except: nil))
    case .array:
      return Route(key, .elements(of: payload))
    default:
      return Route(key, .value(payload))
    }
  }

  /// The node that spells the case name; nil where there is none, or where it is no name: empty, longer than a name may
  /// be, or with a control character in it.
  func caseName(in tape: JSONTape) -> Int? {
    guard let name, tape.withDecoded(name, { Names.fault($0) }) == nil else { return nil }
    return name
  }
}

/// The members by which the spellings of an object are told apart, found in one pass.
private struct KnownMembers {
  /// The key `type`, where its value is a string.
  var type: Int?
  /// The value of `name`, where it is a string.
  var name: Int?
  /// The value of `params`.
  var params: Int?
  /// Whether there is a member that no route of React Navigation has.
  var hasOthers = false
  var count = 0

  init(of object: Int, in tape: JSONTape) {
    for (key, value) in tape.members(object) {
      count += 1
      if tape.isString(key, "type"), tape.kind(value) == .string {
        type = key
        return
      }
      if hasOthers { continue }
      if tape.isString(key, "name") {
        if tape.kind(value) == .string { name = value } else { hasOthers = true }
      } else if tape.isString(key, "params") {
        params = value
      } else if !tape.isString(key, "key"), !tape.isString(key, "path"), !tape.isString(key, "state") {
        hasOthers = true
      }
    }
  }
}
