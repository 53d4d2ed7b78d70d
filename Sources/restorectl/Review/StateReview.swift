import JSONText
import RestoreInterface
import SceneModel

/// A state, and what the daemon says of each of its routes and references.
///
/// A report names one missing reference a route, and nothing inside a stale one. So what was reported missing is taken
/// out, and the daemon asked again, until it finds no more.
struct StateReview: Sendable {
  private struct Entity: Hashable {
    let kind: [UInt8]
    let id: EntityID
  }

  let document: JSONDocument
  let outline: StateOutline
  let kinds: DeclaredKinds
  /// What is stale in the state as it stands, by its path.
  let dropped: [String: Dropped]
  /// In the order of the report.
  let reported: [Dropped]
  private var missing: Set<Entity> = []
  private var unverified: Set<[UInt8]> = []
  /// Paths of routes whose references were not all looked at.
  private var notReached: Set<String> = []

  /// A review that knows what one report says.
  ///
  /// - Parameters:
  ///   - rules: what the app's route table says, by which references are told.
  ///   - unverified: the kinds of which the report says that a reference was not checked.
  init(
    _ state: SceneState,
    kinds: DeclaredKinds,
    rules: RouteRules = .byConvention,
    dropped: [Dropped],
    unverified: [String]
  ) {
    document = state.document
    outline = StateOutline(state, rules: rules)
    self.kinds = kinds
    reported = dropped
    self.dropped = Dictionary(dropped.map { ($0.path, $0) }) { first, _ in first }
    add(unverified: unverified)
  }

  // MARK: Finding out

  mutating func add(unverified names: [String]) { unverified.formUnion(names.map(DeclaredKinds.folded)) }

  /// Takes in what a report says is missing; answers whether any of it is new.
  mutating func add(missing report: [Dropped]) -> Bool {
    let before = missing.count
    for part in report {
      guard part.reason == .entityMissing, let kind = part.kind, let id = part.id else { continue }
      missing.insert(Entity(kind: Array(kind.utf8), id: Self.id(id)))
    }
    return missing.count > before
  }

  /// Takes the routes that are stale to the end for those whose other references were not looked at.
  mutating func leave(_ report: [Dropped]) { notReached = Set(report.map(\.path)) }

  /// The state without what is known to be missing: null in its place, since null is no reference.
  var withoutMissing: [UInt8] {
    var edits = JSONEdits()
    for entry in outline.branches.lazy.flatMap(\.routes) {
      for reference in entry.references {
        guard let kind = kinds.named(reference.kind) else { continue }
        if document.kind(reference.value) == .array {
          edits.removeElements(of: reference.value, in: document) { isMissing($0, kind) }
        } else if isMissing(reference.value, kind) {
          edits.replace(document.range(reference.value), with: Array("null".utf8))
        }
      }
    }
    return edits.applied(to: document.bytes)
  }

  // MARK: Asking

  /// The routes of a branch, and whether the references of each were looked at.
  func routes(of branch: StateOutline.Branch) -> [(entry: StateOutline.Entry, isReached: Bool)] {
    /// The depth of the route that was not reached, and goes with all that it holds.
    var barrier: Int?
    return branch.routes.map { entry in
      if let depth = barrier, entry.depth <= depth { barrier = nil }
      if barrier == nil, notReached.contains(entry.path) { barrier = entry.depth }
      return (entry, barrier == nil && !notReached.contains(branch.path))
    }
  }

  /// The ids that a reference holds, by their nodes.
  func ids(of reference: StateOutline.Reference) -> [Int] {
    document.kind(reference.value) == .array ? Array(document.elements(reference.value)) : [reference.value]
  }

  /// How it stands with one id of a reference.
  ///
  /// - Parameter isReached: of its route.
  func standing(of id: Int, in reference: StateOutline.Reference, isReached: Bool) -> Standing {
    guard let kind = kinds.named(reference.kind) else { return .unchecked(.undeclared) }
    if isMissing(id, kind) { return .missing }
    if !isReached { return .unchecked(.notReached) }
    guard kind.syncing else { return .present }
    // Only a parameter that names its kind gets that kind reported as unverified.
    let isSound = reference.isNamed && !unverified.contains(DeclaredKinds.folded(kind.kind))
    return isSound ? .present : .unchecked(.syncing)
  }

  private func isMissing(_ node: Int, _ kind: KindEntry) -> Bool {
    !missing.isEmpty && missing.contains(Entity(kind: Array(kind.kind.utf8), id: Self.id(document.string(node))))
  }

  /// What no entity can have for an id is told apart all the same.
  private static func id(_ text: String) -> EntityID { EntityID(text) ?? .text(Array(text.utf8)) }
}

extension StateReview {
  /// Reviews a state with the daemon's help.
  ///
  /// - Parameters:
  ///   - state: as it was saved or sent.
  ///   - dropped: what is stale in it, as the daemon reported it.
  ///   - unverified: the kinds that it reported as such.
  /// - Throws: what the call for the kinds throws. A later call that fails only leaves references unchecked.
  static func of(
    _ state: SceneState,
    dropped: [Dropped],
    unverified: [String],
    in session: inout Session
  ) throws(Failure) -> StateReview {
    let kinds = try session.call(ListKinds.self, ListKinds.Parameters(app: session.app)).reply.kinds
    var review = StateReview(
      state,
      kinds: DeclaredKinds(entries: kinds),
      rules: rules(of: session.app, in: &session),
      dropped: dropped,
      unverified: unverified
    )
    var report = dropped
    for _ in 0..<mostQuestions where review.add(missing: report) {
      let state = JSONObjectText(review.withoutMissing)
      let parameters = Check.Parameters(app: session.app, state: state, stale: .keep)
      guard let reply = try? session.call(Check.self, parameters).reply else { break }
      review.add(unverified: reply.unverified)
      report = reply.dropped
    }
    review.leave(report)
    return review
  }

  /// What the app's route table says; the convention where it has none, or none that this release can read.
  private static func rules(of app: String, in session: inout Session) -> RouteRules {
    guard let table = try? session.call(GetRoutes.self, GetRoutes.Parameters(app: app)).reply.table,
      let checked = try? RouteTable(validating: Array(table.bytes))
    else { return .byConvention }
    return checked.rules
  }

  /// Each finds one more missing reference in every stale route, and few routes have more than two.
  private static let mostQuestions = 16
}
