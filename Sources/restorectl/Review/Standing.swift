/// Whether what a reference refers to is there.
enum Standing: Hashable, Sendable {
  case present
  case missing
  case unchecked(Reason)

  /// Why nobody can say.
  enum Reason: Hashable, Sendable {
    /// The kind was never declared.
    case undeclared
    /// A sync of the kind is under way, and the id may still come.
    case syncing
    /// The route is stale for a reason that came first, or inside one that is.
    case notReached
  }

  var word: String {
    switch self {
    case .present: "present"
    case .missing: "missing"
    case .unchecked: "unchecked"
    }
  }

  var tone: Tone {
    switch self {
    case .present: .plain
    case .missing: .bad
    case .unchecked: .doubtful
    }
  }
}
