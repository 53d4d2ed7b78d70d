import RestoreInterface
import SceneModel
import Testing

@testable import restorectl

/// A review of a state, with kinds of these names declared, `*` after one that is in a sync.
func review(
  _ state: String,
  kinds: [String],
  dropped: [Dropped] = [],
  unverified: [String] = []
) throws -> StateReview {
  let entries = kinds.map { name in
    KindEntry(kind: name.replacing("*", with: ""), count: 1, syncing: name.hasSuffix("*"))
  }
  return StateReview(
    try SceneState(validating: Array(state.utf8)),
    kinds: DeclaredKinds(entries: entries),
    dropped: dropped,
    unverified: unverified
  )
}

extension Dropped {
  static func missing(_ path: String, _ kind: String, _ id: String) -> Dropped {
    Dropped(path: path, reason: .entityMissing, route: "x", kind: kind, id: id)
  }
}

@Suite struct StateReviewTests {
  private static func standings(_ review: StateReview) -> [String] {
    review.outline.branches.flatMap { review.routes(of: $0) }.flatMap { entry, isReached in
      entry.references.flatMap { reference in
        review.ids(of: reference).map { id in
          "\(reference.kind) \(review.document.string(id)) "
            + word(review.standing(of: id, in: reference, isReached: isReached))
        }
      }
    }
  }

  private static func word(_ standing: Standing) -> String {
    guard case .unchecked(let reason) = standing else { return standing.word }
    return "\(reason)"
  }

  @Test("what is missing is taken out, so that the next report tells what is behind it")
  func withoutMissing() throws {
    let state = #"{"stacks":{"a":[{"card":"c1"},{"x":{"cardIDs":["c1", "c2",3],"boardID":"c1"}},{"cardID":"c1"}]}}"#
    var review = try review(state, kinds: ["Card", "board"])
    #expect(review.withoutMissing == Array(state.utf8))
    let report = [Dropped.missing("/stacks/a/0", "Card", "c1"), .missing("/stacks/a/1", "Card", "3")]
    let (first, second) = (review.add(missing: report), review.add(missing: report))
    #expect(first && !second)
    #expect(
      String(decoding: review.withoutMissing, as: UTF8.self)
        == #"{"stacks":{"a":[{"card":null},{"x":{"cardIDs":["c2"],"boardID":"c1"}},{"cardID":null}]}}"#
    )
    #expect(
      Self.standings(review) == [
        "card c1 missing", "card c1 missing", "card c2 present", "card 3 missing", "board c1 present",
        "card c1 missing",
      ]
    )
  }

  @Test("UUIDs are one id whatever their case, and kinds whatever theirs, but an exact match goes first")
  func identity() throws {
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    var review = try review(
      #"{"stacks":{"a":[{"x":{"cardID":"\#(id.lowercased())"}},{"x":{"CardID":"\#(id)"}}]}}"#,
      kinds: ["CARD", "Card"]
    )
    _ = review.add(missing: [.missing("/stacks/a/1", "Card", id)])
    let (first, second) = ("card \(id.lowercased())", "Card \(id)")
    #expect(Self.standings(review) == ["\(first) present", "\(second) missing"])
    _ = review.add(missing: [.missing("/stacks/a/0", "CARD", id)])
    #expect(Self.standings(review) == ["\(first) missing", "\(second) missing"])
  }

  @Test("in a sync, only a parameter that names its kind is known to be there, and only if the kind is not unverified")
  func syncing() throws {
    let state = #"{"stacks":{"a":[{"card":{"id":"1","boardID":"2"}}]}}"#
    let syncing = try review(state, kinds: ["card*", "board*"])
    #expect(Self.standings(syncing) == ["card 1 syncing", "board 2 present"])
    let unverified = try review(state, kinds: ["card", "Board*"], unverified: ["Board"])
    #expect(Self.standings(unverified) == ["card 1 present", "board 2 syncing"])
  }

  @Test("behind what stays stale, nothing is known; beside it, all is")
  func notReached() throws {
    let inner = #"{"routes":[{"name":"x","params":{"cardID":"2"}}]}"#
    var review = try review(
      #"{"stacks":{"a":{"routes":[{"name":"x","params":{"cardID":"1"},"state":\#(inner)},{"name":"x","params":"#
        + #"{"cardID":"3"}}]}},"modals":{"s":[{"x":{"cardID":"4"}},{"x":{"cardID":"5"}}],"c":{"x":{"zzzID":"6"}}}}"#,
      kinds: ["card"]
    )
    review.leave([
      Dropped(path: "/stacks/a/routes/0", reason: .unknownRoute), Dropped(path: "/modals/s/0", reason: .unknownRoute),
    ])
    #expect(
      Self.standings(review) == [
        "card 1 notReached", "card 2 notReached", "card 3 present", "card 4 notReached", "card 5 notReached",
        "zzz 6 undeclared",
      ]
    )
  }

  @Test(
    "declared kinds that look like a misspelt one are named, whatever their case",
    arguments: [
      ("bord", ["Board"]), ("boards", ["Board"]), ("crad", ["card"]), ("x", []), ("BOARDS", ["Board"]),
      ("note", ["noted", "notes"]),
    ]
  )
  func lookalikes(name: String, near: [String]) {
    let kinds = DeclaredKinds(
      entries: ["Board", "card", "noted", "notes"].map { KindEntry(kind: $0, count: 0, syncing: false) }
    )
    #expect(kinds.lookingLike(name) == near)
  }
}
