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

  /// The node that spells the case name: a string, or an integer of a raw-value enum. Nil where there is none.
  let name: Int?
  let parameters: Parameters

  private init(_ name: Int?, _ parameters: Parameters = .none) {
    self.name = name
    self.parameters = parameters
  }

  /// Reads a value as a route, by the first spelling that fits.
  init(_ node: Int, in document: JSONDocument) {
    switch document.kind(node) {
    case .object: self = Self.object(node, in: document)
    case .string: self.init(Self.named(node, in: document))
    case .number: self.init(document.isInteger(node) ? Self.named(node, in: document) : nil)
    default: self.init(nil)
    }
  }

  private static func object(_ node: Int, in document: JSONDocument) -> Route {
    let members = KnownMembers(of: node, in: document)
    if let key = members.type {
      return Route(named(key + 1, in: document), .members(of: node, except: key))
    }
    if let name = members.name, !members.hasOthers {
      guard let params = members.params, document.kind(params) == .object else {
        return Route(named(name, in: document))
      }
      return Route(named(name, in: document), .members(of: params, except: nil))
    }
    if members.count == 1 { return keyed(node, in: document) }
    return Route(nil, .members(of: node, except: nil))
  }

  /// A route of one key, as Swift's synthesized `Codable` and serde write a case.
  private static func keyed(_ node: Int, in document: JSONDocument) -> Route {
    let (key, payload) = (node + 1, node + 2)
    switch document.kind(payload) {
    case .object:
      return Route(named(key, in: document), .members(of: payload, except: nil))
    case _ where document.withDecoded(key, { ReferenceForm.kindLength(in: $0) }) != nil:
      // {"boardID":"b1"} is a struct with one property, and no case called boardID.
      return Route(nil, .members(of: node, except: nil))
    case .array:
      return Route(named(key, in: document), .elements(of: payload))
    default:
      return Route(named(key, in: document), .value(payload))
    }
  }

  /// The node, if what it spells can be the name of a case at all.
  private static func named(_ node: Int, in document: JSONDocument) -> Int? {
    document.withDecoded(node) { Names.fault($0) } == nil ? node : nil
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

  init(of object: Int, in document: JSONDocument) {
    for (key, value) in document.members(object) {
      count += 1
      if document.isString(key, "type"), document.kind(value) == .string {
        type = key
        return
      }
      if hasOthers { continue }
      if document.isString(key, "name") {
        if document.kind(value) == .string { name = value } else { hasOthers = true }
      } else if document.isString(key, "params") {
        params = value
      } else if !document.isString(key, "key"), !document.isString(key, "path"), !document.isString(key, "state") {
        hasOthers = true
      }
    }
  }
}
