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

  /// Whether a kind of exactly this name is declared.
  func has(_ name: String) -> Bool { exact[Array(name.utf8)] != nil }

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

extension Session {
  /// Says so where the app has not declared a kind of which nothing was found; else, and for scripts, says nothing.
  mutating func noteIfUndeclared(_ kind: String) {
    guard !wantsJSON, !notes.isQuiet, let answer = try? call(ListKinds.self, ListKinds.Parameters(app: app)) else {
      return
    }
    let kinds = DeclaredKinds(entries: answer.reply.kinds)
    if kinds.has(kind) { return }
    let near = kinds.lookingLike(kind).map(Shown.text).joined(separator: " or ")
    notes.note(
      "app \(Shown.quoted(app)) has declared no kind \(Shown.quoted(kind)) at \(Shown.text(socket))"
        + (near.isEmpty ? "" : "; did you mean \(near)?")
    )
  }
}
