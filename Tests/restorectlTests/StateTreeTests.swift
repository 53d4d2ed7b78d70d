import SceneModel
import Testing

@testable import restorectl

@Suite struct StateTreeTests {
  private static let plain = Style(isColoured: false)

  private static let state = #"""
    {"stacks":{"boards":["home",{"board":{"id":"b1"}},{"card":{"boardID":"b1","cardID":"c9","bordID":7}}],"日本":[]},
     "selectedTab":"boards","sidebarSelection":[null,{"type":"x.List","card_ids":["c1","c2","c9","c3"]}],
     "modals":{"sheet":[{"search":{"_0":"e\u001b[31m\u202e👍🏽"}},true],"cover":null},
     "values":{"draft":"0123456789","\u0007":{}}}
    """#

  private static func review() throws -> StateReview {
    let dropped: [Dropped] = [
      .missing("/stacks/boards/2", "card", "c9"), .missing("/sidebarSelection/1", "card", "c9"),
    ]
    var review = try restorectlTests.review(state, kinds: ["board", "card"], dropped: dropped)
    _ = review.add(missing: dropped)
    return review
  }

  @Test("each part is drawn with its routes and marks, and nothing in it acts on a terminal")
  func wide() throws {
    #expect(
      StateTree(try Self.review()).text(Self.plain, columns: 200, twigs: .lines) == #"""
        boards (selected tab)
        ├─ home
        ├─ board: id "b1" (present)
        └─ card: boardID "b1" (present), cardID "c9" (missing), bordID 7 (unchecked) [stale: no entity card "c9"]
        日本 no routes
        sidebar
        ├─ nothing selected
        └─ x.List: card_ids 4 ids (3 present, 1 missing: "c9") [stale: no entity card "c9"]
        sheet (modal)
        └─ search: "e\u001b[31m\u202e👍🏽" (unchecked)
           └─ true
        cover (modal) none
        values 2 members, 34 B
        ├─ draft: 12 B
        └─ \u0007: 2 B
        6 routes, 2 stale; references: 5 present, 2 missing, 2 unchecked
        unchecked: kind bord was never declared; did you mean board?
        unchecked: kind search was never declared

        """#
    )
  }

  @Test("in 40 columns, rows go on under themselves")
  func narrow() throws {
    #expect(
      StateTree(try Self.review()).text(Self.plain, columns: 40, twigs: .lines) == #"""
        boards (selected tab)
        ├─ home
        ├─ board: id "b1" (present)
        └─ card: boardID "b1" (present),
              cardID "c9" (missing),
              bordID 7 (unchecked)
              [stale: no entity card "c9"]
        日本 no routes
        sidebar
        ├─ nothing selected
        └─ x.List: card_ids 4 ids (3 present,
              1 missing: "c9")
              [stale: no entity card "c9"]
        sheet (modal)
        └─ search:
           │  "e\u001b[31m\u202e👍🏽" (unchecked)
           └─ true
        cover (modal) none
        values 2 members, 34 B
        ├─ draft: 12 B
        └─ \u0007: 2 B
        6 routes, 2 stale; references: 5
        present, 2 missing, 2 unchecked
        unchecked: kind bord was never declared;
        did you mean board?
        unchecked: kind search was never
        declared

        """#
    )
  }

  @Test("no line is wider than the terminal", arguments: [24, 30, 40, 53, 80, 200])
  func fits(columns: Int) throws {
    let text = StateTree(try Self.review()).text(Self.plain, columns: columns, twigs: .lines)
    for line in text.split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= columns, "\(line)") }
  }

  @Test("colour marks what is missing and what is not sure, and nothing else")
  func colour() throws {
    let text = StateTree(try Self.review()).text(Style(isColoured: true), columns: nil, twigs: .lines)
    #expect(text.contains("cardID \"c9\" \u{1B}[31m(missing)\u{1B}[0m, bordID 7 \u{1B}[33m(unchecked)\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1mboards\u{1B}[0m (selected tab)\n├─ home\n├─ board: id \"b1\" (present)\n"))
  }

  @Test("what is reported of a place that is in no line is said all the same")
  func rest() throws {
    let review = try restorectlTests.review(
      #"{"stacks":{"old":["x"]},"selectedTab":"gone"}"#,
      kinds: [],
      dropped: [
        Dropped(path: "/stacks/old", reason: .unknownTab), Dropped(path: "/selectedTab", reason: .unknownTab),
        Dropped(path: "/elsewhere", reason: .malformedRoute),
      ]
    )
    #expect(
      StateTree(review, word: "dropped").text(Self.plain, columns: nil, twigs: .lines) == """
        old [dropped: the route table has no such tab]
        └─ x
        selected tab: gone (no stack) [dropped: the route table has no such tab]
        dropped /elsewhere: not readable as a route
        1 route, 3 dropped

        """
    )
  }

  @Test("where no kind was declared, that is said once")
  func noKinds() throws {
    let review = try restorectlTests.review(#"{"stacks":{"a":[{"card":{"id":1,"boardID":2}}]}}"#, kinds: [])
    #expect(
      StateTree(review).text(Self.plain, columns: nil, twigs: .lines) == """
        a
        └─ card: id 1 (unchecked), boardID 2 (unchecked)
        1 route; references: 2 unchecked
        unchecked: the app has declared no kind; declare one with: restorectl entities put KIND [ID...]

        """
    )
  }

  @Test("of many kinds that were never declared, the first are named and the rest counted")
  func manyKinds() throws {
    let routes = (0..<40).map { #"{"x":{"kind\#($0)ID":1}}"# }.joined(separator: ",")
    let review = try restorectlTests.review(#"{"stacks":{"a":[\#(routes)]}}"#, kinds: ["card"])
    let lines = StateTree(review).text(Self.plain, columns: nil).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("unchecked: kind kind") } == 16)
    #expect(lines.last == "unchecked: 24 more kinds")
  }

  @Test("long strings, large values and many parameters take few columns")
  func compact() throws {
    let long = String(repeating: "長", count: 100)
    let many = (0..<12).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
    let review = try restorectlTests.review(
      #"{"stacks":{"a":[{"x":{"s":"\#(long)","o":{\#(many)},"l":[\#((10..<40).map(String.init).joined(separator: ","))],"#
        + #""t":[ 1,\#n{"a":true} ]}},{"y":{\#(many)}},[{}],{"k":{"\#(long)":null}}]},"values":{\#(many)}}"#,
      kinds: []
    )
    let cut = String(repeating: "長", count: 23) + "…"
    #expect(
      StateTree(review).text(Self.plain, columns: nil, twigs: .lines) == """
        a
        ├─ x: s "\(cut)", o {12 members}, l [30 elements], t [ 1,{"a":true} ]
        ├─ y: p0 0, p1 1, p2 2, p3 3, p4 4, p5 5, p6 6, p7 7, 4 more
        ├─ [{}]
        └─ k: \(cut) null
        values 12 members, \(ByteCount.text(many.utf8.count + 2))
        ├─ p0: 1 B
        ├─ p1: 1 B
        ├─ p2: 1 B
        ├─ p3: 1 B
        ├─ p4: 1 B
        ├─ p5: 1 B
        ├─ p6: 1 B
        ├─ p7: 1 B
        └─ 4 more
        4 routes

        """
    )
  }
}
