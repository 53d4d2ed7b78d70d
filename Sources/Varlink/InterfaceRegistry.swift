import JSONText

/// The interfaces of a server, by name.
struct InterfaceRegistry {
  /// One interface with what its text says.
  final class Entry {
    let name: String
    let interface: any VarlinkInterface
    fileprivate let methods: Set<String>

    fileprivate init(_ interface: any VarlinkInterface, _ text: InterfaceText) {
      name = text.name
      methods = Set(text.methods.map(\.name))
      self.interface = interface
    }
  }

  /// What a method's name leads to.
  enum Found {
    case method(Entry, String)
    /// Nothing: the error that says so.
    case missing(VarlinkError)
    /// It is no method's name at all.
    case malformed

    /// Whether the call may be begun while others are unanswered.
    var mayOverlap: Bool {
      if case .method(let entry, let method) = self { entry.interface.mayOverlap(method) } else { false }
    }
  }

  private struct Method {
    let quoted: [UInt8]
    let name: String
    let entry: Entry
  }

  private let entries: [Entry]
  /// All methods by the hash of their qualified names with quotes, as calls spell them.
  private let methods: [UInt64: Method]

  init(identity: ServiceIdentity, interfaces: [any VarlinkInterface]) throws(InterfaceTextFault) {
    let service = ServiceInterface(identity)
    var entries: [Entry] = []
    for interface in [service] + interfaces {
      let text = try InterfaceText(parsing: interface.interfaceText)
      guard !entries.contains(where: { $0.name == text.name }) else {
        throw InterfaceTextFault(line: 1, reason: "interface \(text.name) is there twice")
      }
      entries.append(Entry(interface, text))
    }
    self.entries = entries
    methods = Self.byHash(entries)
    service.publish(entries.map { ($0.name, $0.interface.interfaceText) })
  }

  /// Finds a method by its qualified name, a JSON string as it stands in the call.
  func find(_ quoted: ArraySlice<UInt8>) -> Found {
    if let method = methods[quoted.withUnsafeBytes { XXH64.hash($0) }], method.quoted.withUnsafeBytes(quoted.equals) {
      return .method(method.entry, method.name)
    }
    return Self.explain(quoted, entries)
  }

  /// Of two methods of one hash one is left out, which is then found the slow way.
  private static func byHash(_ entries: [Entry]) -> [UInt64: Method] {
    var methods: [UInt64: Method] = [:]
    for entry in entries {
      for name in entry.methods {
        let quoted = Array("\"\(entry.name).\(name)\"".utf8)
        methods[XXH64.hash(quoted)] = Method(quoted: quoted, name: name, entry: entry)
      }
    }
    return methods
  }

  /// The slow way: the name is escaped, or leads nowhere.
  private static func explain(_ quoted: ArraySlice<UInt8>, _ entries: [Entry]) -> Found {
    let decoded: String
    do throws(JSONFault) { decoded = try JSONScalar.string(quoted) } catch { return .malformed }
    guard let dot = decoded.lastIndex(of: "."), dot != decoded.startIndex else { return .malformed }
    let interface = String(decoded[..<dot])
    guard let entry = entries.first(where: { $0.name == interface }) else {
      return .missing(.interfaceNotFound(interface))
    }
    let method = String(decoded[decoded.index(after: dot)...])
    // Swift's strings count some characters beyond ASCII as equal to ASCII ones (the Kelvin sign, to K).
    let isASCII = decoded.utf8.allSatisfy { $0 < 0x80 }
    return isASCII && entry.methods.contains(method) ? .method(entry, method) : .missing(.methodNotFound(decoded))
  }
}
