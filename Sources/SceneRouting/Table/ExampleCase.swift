import JSONText
import RestoreClient

/// What the encoding of one example says of its case: the name, and where the ids and inner routes stand.
struct ExampleCase {
  /// A route table follows a parameter's path through at most this many names.
  static let deepestPath = 32

  /// Why an example says nothing to the service; its description is for whoever wrote the example.
  struct Fault: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  /// The case's name.
  let name: String
  /// What the table says of it.
  let entry: RouteTable.Case

  /// Reads an example.
  init(_ example: some SceneRoute) throws(Fault) {
    let document = try Self.document(of: example)
    let payload: Int?
    (name, payload) = try Self.split(document, example)
    let references = example.references
    guard !references.isByName else {
      entry = RouteTable.Case()
      return
    }
    let places = payload.map { ParameterPlaces(of: $0, in: document) } ?? ParameterPlaces()
    var entities: [String: String] = [:]
    for entity in references.entities {
      let path = try Self.onlyPath(places.paths(ofID: entity.id), "the id \"\(entity.id)\"", example)
      entities[path] = entity.kind.name
    }
    var routes: [String] = []
    for inner in references.routes {
      let text = try Self.document(of: inner).bytes
      routes.append(try Self.onlyPath(places.paths(ofValue: text), "the route \(inner)", example))
    }
    entry = RouteTable.Case(entities: entities, routes: routes.sorted())
  }

  private static func document(of route: any SceneRoute) throws(Fault) -> JSONDocument {
    do { return try JSONDocument(Encoded.bytes(of: route)) } catch {
      throw Fault(description: "\(route) cannot be encoded: \(error)")
    }
  }

  /// The name and the payload of a case as Swift encodes it; a raw value has no payload.
  private static func split(_ document: JSONDocument, _ example: some SceneRoute) throws(Fault) -> (String, Int?) {
    let root = document.root
    switch document.kind(root) {
    case .string, .number: return (document.string(root), nil)
    case .object where document.count(root) == 1:
      var members = document.members(root)
      if let member = members.next() { return (document.string(member.key), member.value) }
    default: break
    }
    throw Fault(description: "\(example) is encoded without a case name: let it refer by name, or make it an enum")
  }

  private static func onlyPath(_ paths: [String], _ what: String, _ example: some SceneRoute) throws(Fault) -> String {
    if paths.count == 1 { return paths[0] }
    if paths.isEmpty { throw Fault(description: "\(example): \(what) is in none of its parameters") }
    throw Fault(description: "\(example): \(what) is in \(paths.joined(separator: " and ")): make its ids different")
  }
}

/// The paths of the parameters of one encoded route.
struct ParameterPlaces {
  private var ids: [(path: String, id: String)] = []
  private var values: [(path: String, text: ArraySlice<UInt8>)] = []

  init() {}

  /// - Parameter payload: what stands under the case's name.
  init(of payload: Int, in document: JSONDocument) {
    // Objects that are still to be walked: a list instead of recursion.
    var open: [(node: Int, prefix: String, depth: Int)] = []
    if document.kind(payload) == .object {
      open.append((payload, "", 1))
    } else {
      add(payload, "_0", document)
    }
    while let (object, prefix, depth) = open.popLast() {
      for member in document.members(object) {
        let name = document.string(member.key)
        // A dot is what separates the names of a path, so such a parameter cannot be named.
        if name.utf8.contains(UInt8(ascii: ".")) { continue }
        add(member.value, prefix + name, document)
        if document.kind(member.value) == .object, depth < ExampleCase.deepestPath {
          open.append((member.value, prefix + name + ".", depth + 1))
        }
      }
    }
  }

  private mutating func add(_ value: Int, _ path: String, _ document: JSONDocument) {
    values.append((path, document.text(value)))
    switch document.kind(value) {
    case .string, .number: ids.append((path, document.string(value)))
    case .array:
      for element in document.elements(value) {
        if document.kind(element) == .string || document.kind(element) == .number {
          ids.append((path, document.string(element)))
        }
        values.append((path, document.text(element)))
      }
    default: break
    }
  }

  /// The parameters that are this id, or a list with it.
  func paths(ofID id: String) -> [String] {
    distinct(ids.lazy.filter { $0.id.utf8.elementsEqual(id.utf8) }.map(\.path))
  }

  /// The parameters that are this value, or a list with it.
  func paths(ofValue text: [UInt8]) -> [String] {
    distinct(values.lazy.filter { $0.text.elementsEqual(text) }.map(\.path))
  }

  private func distinct(_ paths: some Sequence<String>) -> [String] { Set(paths).sorted() }
}
