import JSONText

/// One link of a route table: a pattern, and the state that it leads to.
struct LinkRule: Sendable {
  /// A string of the state that a placeholder's text takes the place of.
  private struct Gap: Sendable {
    let range: Range<Int>
    let placeholder: Int
  }

  let pattern: LinkPattern
  private let state: [UInt8]
  private let gaps: [Gap]

  /// - Parameters:
  ///   - state: the text of the state.
  ///   - gaps: where in it the placeholder of which number stands.
  init(_ pattern: LinkPattern, state: [UInt8], gaps: [(range: Range<Int>, placeholder: Int)]) {
    self.pattern = pattern
    self.state = state
    self.gaps = gaps.map { Gap(range: $0.range, placeholder: $0.placeholder) }
  }

  /// The state with the placeholders' texts in their places.
  func state(_ texts: [[UInt8]]) -> [UInt8] {
    var edits = JSONEdits()
    for gap in gaps {
      let text = texts[gap.placeholder]
      if pattern.placeholders[gap.placeholder].isInteger {
        edits.replace(gap.range, with: text)
      } else {
        var writer = JSONWriter(reserving: text.count + 2)
        writer.string(utf8: text)
        edits.replace(gap.range, with: writer.bytes)
      }
    }
    return edits.applied(to: state)
  }

  /// The state with a stand-in for each placeholder, all of them different.
  var sample: [UInt8] {
    state(pattern.placeholders.enumerated().map { Array(($1.isInteger ? "\($0)" : $1.spelling).utf8) })
  }
}

extension RouteTable {
  /// Bytes of the longest link that is looked at: the time that a link takes grows with its length and with the number of
  /// patterns.
  package static let longestLink = 4 << 10

  /// The state that a link leads to: that of the first pattern that matches, as the table spells it.
  ///
  /// A pattern whose state the link's texts make invalid, by too long a tab id say, counts as not matching.
  ///
  /// - Returns: nil where none matches, or the link is longer than `longestLink`.
  package func state(ofLink link: String) -> SceneState? {
    guard link.utf8.count <= Self.longestLink, let parts = LinkParts(Array(link.utf8)) else { return nil }
    let values = parts.firstValues
    for rule in links {
      guard let texts = rule.pattern.match(parts, values) else { continue }
      if let state = try? SceneState(validating: rule.state(texts)) { return state }
    }
    return nil
  }
}
