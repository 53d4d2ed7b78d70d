/// The declared kinds of one app, by name.
final class DeclaredKinds {
  private var exact: [ExactName: Int64] = [:]
  private var folded: [ExactName: Int64] = [:]
  private var names: [Int64: String] = [:]
  /// Bytes of memory that it takes, about.
  let bytes: Int

  /// - Parameter kinds: ordered by name: of two that are equal without ASCII case, the first answers for a third spelling.
  init(_ kinds: [(key: Int64, name: String)]) {
    bytes = kinds.reduce(0) { $0 + 3 * ($1.name.utf8.count + 64) }
    for kind in kinds {
      exact[ExactName(kind.name)] = kind.key
      names[kind.key] = kind.name
      let name = Self.folded(kind.name)
      if folded[name] == nil { folded[name] = kind.key }
    }
  }

  /// The key of the kind of exactly this name, else of one that is equal without ASCII case; nil: none is declared.
  func key(_ name: String) -> Int64? {
    if exact.isEmpty { return nil }
    return exact[ExactName(name)] ?? folded[Self.folded(name)]
  }

  /// The name under which a kind was declared.
  func name(_ key: Int64) -> String? { names[key] }

  private static func folded(_ name: String) -> ExactName {
    let isLower = !name.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    if isLower { return ExactName(name) }
    let bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return ExactName(String(decoding: bytes, as: UTF8.self))
  }
}
