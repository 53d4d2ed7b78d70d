import JSONText
import RestoreInterface
import SceneModel

/// Prints a state that the daemon returned, and what did not survive in it.
enum StateOutput {
  /// One line for each dropped part: `dropped /stacks/boards/1: card: no entity card "c1"`.
  ///
  /// - Parameter kept: whether the policy was to keep them, so that they are in the state all the same.
  static func lines(_ dropped: [Dropped], kept: Bool) -> [String] {
    dropped.map { part in
      let route = part.route.map { "\(Shown.text($0)): " } ?? ""
      return "dropped \(Shown.text(part.path)): \(route)\(reason(part))" + (kept ? " (kept, as asked)" : "")
    }
  }

  /// Why a part did not survive, in words that are safe to print.
  static func reason(_ part: Dropped) -> String {
    switch part.reason {
    case .entityMissing: "no entity \(Shown.text(part.kind ?? "?")) \(Shown.quoted(part.id ?? ""))"
    case .unknownRoute: "the route table has no such route"
    case .malformedRoute: "not readable as a route"
    case .aboveDropped: "it stood above a dropped route"
    case .unknownTab: "the route table has no such tab"
    }
  }

  /// Prints the state's bytes, or with `--json` the reply, and then the dropped parts as notes.
  static func print<M>(
    _ answer: Answer<M>,
    state: JSONObjectText,
    dropped: [Dropped],
    in session: inout Session
  ) throws(Failure) {
    if try !session.printsJSON(answer) { try session.output.json(state.bytes) }
    try session.output.flush()
    note(dropped, in: session)
  }

  /// The dropped parts, as notes on standard error.
  static func note(_ dropped: [Dropped], in session: borrowing Session) {
    session.notes.notes(lines(dropped, kept: session.invocation.value(.stale) == "keep"))
  }

  /// The reply's parameters without `state`.
  static func rest(of parameters: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Array(parameters)
    guard let document = try? JSONDocument(bytes, maximumDepth: Daemon.deepestReply),
      let state = document.member(document.root, "state")
    else { return bytes }
    var edits = JSONEdits()
    edits.removeMembers(of: document.root, in: document) { $0 == state }
    return edits.applied(to: bytes)
  }
}

extension Invocation {
  /// The policy asked for; nil: the daemon's own.
  ///
  /// Throws usage, with the nearest one, for a word that is none.
  var stale: StalePolicy? {
    get throws(Failure) {
      guard let word = value(.stale) else { return nil }
      if let policy = StalePolicy(rawValue: word) { return policy }
      let all = StalePolicy.allCases.map(\.rawValue)
      let near = Hint.nearest(to: word, among: all)
      throw .usage(
        "--stale takes drop, truncate or keep, not \(Shown.quoted(word))",
        remedy: near.map { "did you mean \($0)?" } ?? "without it, the route table's policy holds, else drop"
      )
    }
  }
}
