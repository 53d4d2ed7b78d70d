import RestoreInterface

/// The kinds that an app has declared, found by name as the daemon finds them.
struct DeclaredKinds: Sendable {
  let entries: [KindEntry]
  // By bytes: `String` would take é composed and decomposed for one.
  private let exact: [[UInt8]: KindEntry]
  private let caseless: [[UInt8]: KindEntry]

  init(entries: [KindEntry]) {
    self.entries = entries
    exact = Dictionary(entries.map { (Array($0.kind.utf8), $0) }) { first, _ in first }
    caseless = Dictionary(entries.map { (Self.folded($0.kind), $0) }) { first, _ in first }
  }

  /// The declared kind that a reference names: one of exactly this name first, else one equal without ASCII case.
  func named(_ name: String) -> KindEntry? { exact[Array(name.utf8)] ?? caseless[Self.folded(name)] }

  /// Declared kinds that look like a name that none has.
  func lookingLike(_ name: String) -> [String] {
    let lowercase = name.lowercased()
    let spellings = Dictionary(entries.map { ($0.kind.lowercased(), $0.kind) }) { first, _ in first }
    let near = Hint.near(to: lowercase, among: entries.map { $0.kind.lowercased() })
    return near.prefix(Self.mostGuesses).compactMap { spellings[$0] }
  }

  /// Equal for names that are one kind.
  static func folded(_ name: String) -> [UInt8] { name.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } }

  private static let mostGuesses = 3
}
